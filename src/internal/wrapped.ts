type AnyFunction = (...args: never[]) => unknown;

const originals = new WeakMap<object, AnyFunction>();

/** Remembers which function a wrapper stands in for. */
export function markWrapped<T extends AnyFunction>(wrapper: T, original: AnyFunction): T {
  // The innermost, so that asking takes one step however often a function is wrapped.
  originals.set(wrapper, originals.get(original) ?? original);
  return wrapper;
}

/** The function that the SDK wrapped; `undefined` for all others, and for what is no function. */
export function originalOf(wrapper: unknown): AnyFunction | undefined {
  return originals.get(wrapper as object);
}
