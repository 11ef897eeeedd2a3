import { AsyncLocalStorage } from 'node:async_hooks';
import { formatWithOptions } from 'node:util';
import { getClient, getCurrentScope } from '../context/current-scopes.js';
import { guard } from '../internal/guard.js';
import { isError } from '../internal/is-error.js';
import { readOptions } from '../internal/read-options.js';
import { markWrapped } from '../internal/wrapped.js';
import type { Client, Integration } from '../model/contracts.js';
import type { EventHint } from '../model/hint.js';
import type { SeverityLevel } from '../model/severity.js';

/** Console methods that can be captured. */
export type ConsoleMethod = 'debug' | 'info' | 'warn' | 'error' | 'log' | 'trace' | 'assert';

/** Options of {@link captureConsoleIntegration}. */
export interface CaptureConsoleOptions {
  /** Console methods to capture. @default all */
  levels?: ConsoleMethod[] | undefined;
  /** Value of `handled` in the mechanism of captured errors. @default true */
  handled?: boolean | undefined;
}

/** Some servers do not know the level `log`. */
const LEVELS: Record<ConsoleMethod, SeverityLevel> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  log: 'info',
  trace: 'info',
  assert: 'error',
};

const MAX_ARGUMENTS = 20;
const INSPECTION = { depth: 2, maxArrayLength: 20, maxStringLength: 2000, breakLength: Number.POSITIVE_INFINITY };
/** Marks the integration's own events. */
const ORIGIN = Object.freeze({ logger: 'console' });

/**
 * Captures console messages: the first error among the arguments, otherwise the string as a message. Messages that
 * hooks and processors log while they handle such an event are not captured, to avoid an endless loop.
 */
export function captureConsoleIntegration(options?: CaptureConsoleOptions): Integration {
  const { levels = Object.keys(LEVELS) as ConsoleMethod[], handled = true } = readOptions(options, {
    levels: 'list',
    handled: 'boolean',
  });
  return {
    name: 'CaptureConsole',
    setup(client) {
      const recorder = new ConsoleCapture(client, globalThis.console, handled);
      const methods = levels.filter((method) => Object.hasOwn(LEVELS, method));
      const restores = methods.map((method) => guard(`console.${method}`, () => recorder.wrap(method), undefined));
      return () => {
        recorder.stop();
        for (const restore of restores) restore?.();
      };
    },
    preprocessEvent(event, { data }) {
      if (data === ORIGIN) event.logger ??= ORIGIN.logger;
    },
  };
}

class ConsoleCapture {
  readonly #client: Client;
  readonly #console: Console;
  readonly #handled: boolean;
  /** Set in everything that a capture causes, synchronously or later. */
  readonly #capturing = new AsyncLocalStorage<true>();
  /** Console methods call one another. */
  #isWriting = false;
  #isStopped = false;

  constructor(client: Client, console: Console, handled: boolean) {
    this.#client = client;
    this.#console = console;
    this.#handled = handled;
  }

  /** @returns restores the original, unless other code has wrapped the method since */
  wrap(method: ConsoleMethod): () => void {
    const recorder = this;
    const target = this.#console;
    const original = target[method] as (...args: unknown[]) => unknown;
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
      if (recorder.#isWriting || recorder.#isStopped) return Reflect.apply(original, this, args);
      recorder.#isWriting = true;
      try {
        return Reflect.apply(original, this, args);
      } finally {
        recorder.#isWriting = false;
        guard('capture of console output', () => recorder.#observe(method, args), undefined);
      }
    };
    target[method] = markWrapped(wrapper, original);
    return () => {
      if (target[method] === wrapper) target[method] = original;
    };
  }

  /** From now on, wrappers that could not be removed do nothing. */
  stop(): void {
    this.#isStopped = true;
  }

  #observe(method: ConsoleMethod, args: readonly unknown[]): void {
    if (getClient() !== this.#client || this.#capturing.getStore()) return;
    if (method === 'assert' && args[0]) return;
    this.#capturing.run(true, () => this.#capture(method, args));
  }

  #capture(method: ConsoleMethod, args: readonly unknown[]): void {
    const logged = (method === 'assert' ? args.slice(1) : args).slice(0, MAX_ARGUMENTS);
    const level = LEVELS[method];
    const hint: EventHint = {
      data: ORIGIN,
      mechanism: { type: 'auto.core.capture_console', handled: this.#handled },
      captureContext: { level, extra: { arguments: logged } },
    };
    const error = logged.find(isError);
    const message = error ? '' : messageOf(method, logged);
    if (error) {
      this.#client.captureException(error, hint, getCurrentScope());
    } else if (message) {
      if (this.#client.settings.attachStacktrace) hint.syntheticException = new Error(message);
      this.#client.captureMessage(message, level, hint, getCurrentScope());
    }
  }
}

function messageOf(method: ConsoleMethod, logged: readonly unknown[]): string {
  const message = formatWithOptions(INSPECTION, ...logged);
  if (method !== 'assert') return message;
  return message ? `Assertion failed: ${message}` : 'Assertion failed';
}
