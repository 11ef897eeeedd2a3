/** A property of any value; `undefined` where it cannot be read, be it a getter that throws or a revoked proxy. */
export function readProperty(target: unknown, key: PropertyKey): unknown {
  try {
    return (target as Record<PropertyKey, unknown> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** Like {@link readProperty}, for what is only of use as a string. */
export function readString(target: unknown, key: PropertyKey): string | undefined {
  const value = readProperty(target, key);
  return typeof value === 'string' ? value : undefined;
}

/** Elements that are read of a list at most: a length may be a lie, or have nothing behind it. */
const MAX_ELEMENTS = 10_000;

/** The elements of a list that can be read; none of what is no list. */
export function readList(list: unknown): unknown[] {
  if (!isArray(list)) return [];
  const length = readProperty(list, 'length');
  const elements: unknown[] = [];
  for (let i = 0; typeof length === 'number' && i < length && i < MAX_ELEMENTS; i++) {
    const element = readProperty(list, i);
    if (element !== undefined) elements.push(element);
  }
  return elements;
}

/** Whether a value is an array; a revoked proxy of one is not. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether a value is of a class; a proxy that does not tell is not. */
export function isInstance<T>(value: unknown, ofClass: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof ofClass;
  } catch {
    return false;
  }
}
