import { readProperty } from '../values/read.js';
import { define } from '../values/set-own.js';

type AnyFunction = (...args: never[]) => unknown;

const originals = new WeakMap<object, AnyFunction>();

/** Remembers the function that a wrapper replaces. */
export function markWrapped<T extends AnyFunction>(wrapper: T, original: AnyFunction): T {
  // The innermost one, so that `wrappedFunctionOf` is a single lookup however often a function is wrapped.
  originals.set(wrapper, originals.get(original) ?? original);
  return wrapper;
}

/**
 * Gives a wrapper the name, the number of parameters and the tag of the function that it replaces: queues and frameworks decide
 * by the number what they pass, and by the tag whether the function is async; instrumentations name spans by the name.
 */
export function likeOriginal<T extends AnyFunction>(wrapper: T, original: unknown): T {
  for (const key of ['name', 'length', Symbol.toStringTag])
    define(wrapper, key, { value: readProperty(original, key), configurable: true });
  return wrapper;
}

/** Returns the function that the SDK wrapped; `undefined` for every other value. */
export function wrappedFunctionOf(wrapper: unknown): AnyFunction | undefined {
  return originals.get(wrapper as object);
}
