import { type Context, createContext, Script } from 'node:vm';
import { monotonicMillis } from '../clock.js';
import { createLogger } from '../diag.js';

const log = createLogger('user-code');

/** Far more than a usable pattern takes, even on a busy machine. */
const TIMEOUT_MILLIS = 250;
/** Pause after a timeout, so that matching takes a twentieth of the process's time at most. */
const REST_MILLIS = 5000;

/** Runs the calls of all guards: only code started by `vm` can be interrupted in the middle of a match. */
let runner: { readonly context: Context; readonly script: Script } | undefined;
let pending: (() => unknown) | undefined;

/**
 * Runs regular expressions of users. Some patterns take exponential time on strings that an attacker can send; these are
 * interrupted. One call costs about 50 microseconds, so that callers should match many strings in one call.
 */
export class PatternGuard {
  readonly #option: string;
  #restsUntilMillis = 0;

  /** @param option the option that holds the patterns, for the log */
  constructor(option: string) {
    this.#option = option;
  }

  /** @returns the result of the call; `undefined` when it throws or takes too long, or when an earlier one just did */
  run<T>(call: () => T): T | undefined {
    if (monotonicMillis() < this.#restsUntilMillis) return undefined;
    try {
      runner ??= { context: createContext({ run: () => pending?.() }), script: new Script('run()') };
      pending = call;
      return runner.script.runInContext(runner.context, { timeout: TIMEOUT_MILLIS }) as T;
    } catch (error) {
      this.#restsUntilMillis = monotonicMillis() + REST_MILLIS;
      log.warn(
        `${this.#option}: a pattern failed or took longer than ${TIMEOUT_MILLIS} ms. For ${REST_MILLIS} ms, whatever the ` +
          'patterns might match is replaced by [Filtered]. Look for nested quantifiers such as (a+)+',
        error,
      );
      return undefined;
    } finally {
      pending = undefined;
    }
  }
}
