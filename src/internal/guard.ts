import { types } from 'node:util';
import { createLogger } from './diag.js';
import { isObjectOrFunction } from './read.js';
import { setOwn } from './set-own.js';

const log = createLogger('user-code');

/**
 * Runs user code (a hook, a processor, an integration). When it throws, or when the promise it returns rejects, the
 * error is logged and goes no further.
 *
 * @param what names the code in the message, for example `beforeBreadcrumb`
 * @param fallback returned when the code throws
 */
export function guard<T>(what: string, call: () => T, fallback: T): T {
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

/** Whether a value is a thenable; a hostile `then` getter counts as no. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  try {
    return isObjectOrFunction(value) && typeof (value as { then?: unknown }).then === 'function';
  } catch {
    return false;
  }
}

/**
 * Makes a shallow copy of an object's own enumerable properties. A property whose getter throws is left out; a value
 * that is not an object gives an empty copy.
 */
export function copyOwn(source: unknown): Record<string, unknown> {
  try {
    return { ...(source as object) };
  } catch {
    return copyReadable(source as object);
  }
}

/** Like `copyOwn`, without the properties that are `undefined`, which count as absent. */
export function copyDefined(source: unknown): Record<string, unknown> {
  const copy = copyOwn(source);
  for (const key in copy) {
    if (copy[key] === undefined)
      return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined));
  }
  return copy;
}

function copyReadable(source: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of guard('Object.keys of user data', () => Object.keys(source), [])) {
    try {
      setOwn(copy, key, (source as Record<string, unknown>)[key]);
    } catch {
      // Its getter throws.
    }
  }
  return copy;
}
