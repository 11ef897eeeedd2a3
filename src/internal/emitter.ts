import { guard } from './guard.js';

type Handlers<Hooks> = { [Hook in keyof Hooks]?: Array<(...args: never[]) => void> };

/** Lifecycle hooks by name. A handler that throws is reported and silences no other. */
export class Emitter<Hooks extends { [Hook in keyof Hooks]: (...args: never[]) => void }> {
  // Without a prototype, no name is taken but those that are given.
  readonly #handlers: Handlers<Hooks> = Object.create(null);

  /** Adds a handler; the returned function takes it back. One that was added twice is called twice, until taken back twice. */
  on<Hook extends keyof Hooks>(hook: Hook, handler: Hooks[Hook]): () => void {
    if (typeof hook !== 'string' || typeof handler !== 'function') return () => undefined;
    // A function of its own for each subscription, so that taking one back leaves those of the same handler.
    const call = (...args: never[]): void => handler(...args);
    this.#handlers[hook] = [...(this.#handlers[hook] ?? []), call];
    return () => {
      const remaining = this.#handlers[hook]?.filter((one) => one !== call);
      this.#handlers[hook] = remaining?.length ? remaining : undefined;
    };
  }

  /** Whether anybody listens, for callers whose arguments cost something to make. */
  has(hook: keyof Hooks): boolean {
    return typeof hook === 'string' && this.#handlers[hook] !== undefined;
  }

  /** Calls the handlers in the order in which they came. */
  emit<Hook extends keyof Hooks>(hook: Hook, ...args: Parameters<Hooks[Hook]>): void {
    const handlers = typeof hook === 'string' ? this.#handlers[hook] : undefined;
    if (handlers === undefined) return;
    for (const handler of handlers) {
      guard(`handler of ${String(hook)}`, () => (handler as (...args: unknown[]) => void)(...args), undefined);
    }
  }
}
