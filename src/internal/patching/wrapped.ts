type AnyFunction = (...args: never[]) => unknown;

const originals = new WeakMap<object, AnyFunction>();

/** Remembers the function that a wrapper replaces. */
export function markWrapped<T extends AnyFunction>(wrapper: T, original: AnyFunction): T {
  // The innermost one, so that `wrappedFunctionOf` is a single lookup however often a function is wrapped.
  originals.set(wrapper, originals.get(original) ?? original);
  return wrapper;
}

/** Returns the function that the SDK wrapped; `undefined` for every other value. */
export function wrappedFunctionOf(wrapper: unknown): AnyFunction | undefined {
  return originals.get(wrapper as object);
}
