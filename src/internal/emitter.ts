import { guard } from './guard.js';
import { append } from './patching/originals.js';

type Handlers<Hooks> = { [Hook in keyof Hooks]?: Array<(...args: never[]) => void> };

/** Calls the handlers of lifecycle hooks. When one throws, it is logged and the others still run. */
export class Emitter<Hooks extends { [Hook in keyof Hooks]: (...args: never[]) => void }> {
  // No prototype, so that a hook named `constructor` finds no handlers.
  readonly #handlers: Handlers<Hooks> = Object.create(null);

  /** Adds a handler and returns a function that removes it. A handler added twice is called twice. */
  on<Hook extends keyof Hooks>(hook: Hook, handler: Hooks[Hook]): () => void {
    if (typeof hook !== 'string' || typeof handler !== 'function') return () => undefined;
    // Each subscription has its own function, so that removing one keeps the others of the same handler.
    const call = (...args: never[]): void => handler(...args);
    const handlers = this.#handlers[hook];
    if (handlers) append(handlers, call);
    else this.#handlers[hook] = [call];
    return () => {
      const remaining = this.#handlers[hook]?.filter((one) => one !== call);
      this.#handlers[hook] = remaining?.length ? remaining : undefined;
    };
  }

  /** Whether a hook has handlers. Callers ask first when the arguments are expensive. */
  has(hook: keyof Hooks): boolean {
    return typeof hook === 'string' && this.#handlers[hook] !== undefined;
  }

  /** Calls the handlers in the order in which they were added. */
  emit<Hook extends keyof Hooks>(hook: Hook, ...args: Parameters<Hooks[Hook]>): void {
    const handlers = typeof hook === 'string' ? this.#handlers[hook] : undefined;
    if (handlers === undefined) return;
    // Handlers that are added meanwhile are not called.
    const { length } = handlers;
    for (let i = 0; i < length; i++) {
      const handler = handlers[i]!;
      const present = this.#handlers[hook];
      // An earlier handler may have removed this one, which replaces the list.
      if (present !== handlers && !present?.includes(handler)) continue;
      guard(`handler of ${String(hook)}`, () => (handler as (...args: unknown[]) => void)(...args));
    }
  }
}
