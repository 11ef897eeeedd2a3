import { types } from 'node:util';
import { createLogger } from './diag.js';
import { isObjectOrFunction } from './values/read.js';

const userCode = createLogger('user-code');
const ownCode = createLogger('internal');

/** Runs a function, and returns `fallback` when it throws. @param what names the function in the log */
interface Guard {
  <T>(what: string, call: () => T): T | undefined;
  <T>(what: string, call: () => T, fallback: T): T;
}

/**
 * Runs user code (a hook, a processor, an integration). When it throws, or when the promise it returns rejects, the
 * error is logged and goes no further.
 */
export const guard: Guard = guardWith(reportFailure);

/** The same for code of the SDK, which may meet anything: objects that throw when they are read, changed built-in functions. */
export const guardOwn: Guard = guardWith(reportOwnFailure);

function guardWith(report: (what: string, error: unknown) => void): Guard {
  return <T>(what: string, call: () => T, fallback?: T) => {
    try {
      const result = call();
      // The caller may not wait for it, and an unhandled rejection can end the process.
      if (typeof result === 'object' && types.isPromise(result)) result.catch((error) => report(what, error));
      return result;
    } catch (error) {
      report(what, error);
      return fallback;
    }
  };
}

/** Logs that user code threw. */
export function reportFailure(what: string, error: unknown): void {
  userCode.error(`${what} threw; its result is ignored`, error);
}

/** Logs that code of the SDK threw. */
export function reportOwnFailure(what: string, error: unknown): void {
  ownCode.error(`${what} failed; its result is missing`, error);
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
