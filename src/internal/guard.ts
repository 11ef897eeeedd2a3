import { types } from 'node:util';
import { createLogger } from './diag.js';
import { isObjectOrFunction } from './values/read.js';

const log = createLogger('user-code');

/**
 * Runs user code (a hook, a processor, an integration). When it throws, or when the promise it returns rejects, the
 * error is logged and goes no further.
 *
 * @param what names the code in the message, for example `beforeBreadcrumb`
 * @param fallback returned when the code throws
 */
export function guard<T>(what: string, call: () => T): T | undefined;
export function guard<T>(what: string, call: () => T, fallback: T): T;
export function guard<T>(what: string, call: () => T, fallback?: T): T | undefined {
  try {
    const result = call();
    // The caller may not wait for it, and an unhandled rejection can end the process.
    if (typeof result === 'object' && types.isPromise(result)) result.catch((error) => reportFailure(what, error));
    return result;
  } catch (error) {
    reportFailure(what, error);
    return fallback;
  }
}

/** Logs that user code threw. */
export function reportFailure(what: string, error: unknown): void {
  log.error(`${what} threw; its result is ignored`, error);
}

/**
 * `isThenable` for results of the SDK's own type. Not `instanceof Promise`: async functions return the promises of the runtime,
 * and the application may have put others in their place.
 */
export function isPending<T>(result: T | Promise<T>): result is Promise<T> {
  return isThenable(result);
}

/** Whether a value is a thenable; a hostile `then` getter counts as no. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  try {
    return isObjectOrFunction(value) && typeof (value as { then?: unknown }).then === 'function';
  } catch {
    return false;
  }
}
