import { types } from 'node:util';
import { createLogger } from './diag.js';

const log = createLogger('host');

/**
 * Runs code of the host (a hook, a processor, an integration) so that its failure stays its own, also where it fails
 * later, in a promise.
 *
 * @param what names the code in the message, for example `beforeBreadcrumb`
 * @param fallback what to return when the code throws
 */
export function guard<T>(what: string, call: () => T, fallback: T): T {
  try {
    const result = call();
    // Nobody else may be waiting for it, and an unhandled rejection ends the process.
    if (typeof result === 'object' && types.isPromise(result)) result.catch((error) => reportFailure(what, error));
    return result;
  } catch (error) {
    reportFailure(what, error);
    return fallback;
  }
}

/** Says through `diag` that code of the host threw. */
export function reportFailure(what: string, error: unknown): void {
  log.error(`${what} threw; its result is ignored`, error);
}

/** Whether a value is a thenable; a hostile `then` getter counts as no. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  try {
    return (
      value !== null &&
      (typeof value === 'object' || typeof value === 'function') &&
      typeof (value as { then?: unknown }).then === 'function'
    );
  } catch {
    return false;
  }
}

/**
 * A shallow copy of an object's own enumerable properties. A getter that throws costs its one property; what is no
 * object copies as empty.
 */
export function copyOwn(source: unknown): Record<string, unknown> {
  try {
    return { ...(source as object) };
  } catch {
    return copyReadable(source as object);
  }
}

/** As `copyOwn`, without what is `undefined`: that counts as absent. */
export function copyGiven(source: unknown): Record<string, unknown> {
  const copy = copyOwn(source);
  for (const key in copy) if (copy[key] === undefined) delete copy[key];
  return copy;
}

/** The object itself where it can be spread, else a copy of what can be read of it. */
export function toSpreadable<T extends object>(source: T): T {
  try {
    Object.assign({}, source);
    return source;
  } catch {
    return copyReadable(source) as T;
  }
}

function copyReadable(source: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of guard('Object.keys of a given object', () => Object.keys(source), [])) {
    try {
      copy[key] = (source as Record<string, unknown>)[key];
    } catch {
      // This property cannot be read; the others still can.
    }
  }
  return copy;
}
