import { types } from 'node:util';

/** Reads a property of any value; `undefined` when reading throws (a getter, a revoked proxy). */
export function readProperty(target: unknown, key: PropertyKey): unknown {
  try {
    const value = (target as Record<PropertyKey, unknown> | null | undefined)?.[key];
    if (typeof value === 'object') ignoreMadePromise(value, target as object, key);
    return value;
  } catch {
    return undefined;
  }
}

/** Ignores the rejection of a promise that a getter or proxy created when it was read. A stored promise has an owner. */
export function ignoreMadePromise(value: unknown, from: object, key: PropertyKey): void {
  if (types.isPromise(value) && isMade(from, key)) ignoreRejection(value);
}

/**
 * Ignores the rejection of a promise that exists only because we called user code: nobody else handles it, and it could end the
 * process.
 */
export function ignoreRejection(value: unknown): void {
  if (types.isPromise(value)) value.then(undefined, () => undefined);
}

function isMade(from: unknown, key: PropertyKey): boolean {
  for (let owner = from; isObjectOrFunction(owner); owner = Object.getPrototypeOf(owner)) {
    if (types.isProxy(owner) || isAccessor(owner, key)) return true;
    if (Object.hasOwn(owner, key)) return false;
  }
  return false;
}

/** Whether reading an own property calls a getter. */
export function isAccessor(target: object, key: PropertyKey): boolean {
  return Object.getOwnPropertyDescriptor(target, key)?.get !== undefined;
}

/** Like {@link readProperty}; `undefined` when the property is not a string. */
export function readString(target: unknown, key: PropertyKey): string | undefined {
  const value = readProperty(target, key);
  return typeof value === 'string' ? value : undefined;
}

/** Limit on the elements read from a list: the `length` of a proxy or a sparse array may be huge. */
const MAX_ELEMENTS = 10_000;

/**
 * Reads the elements of a list that can be read. A value that is not a list gives none.
 *
 * @param maxLast how many elements to read from the end; by default, all from the beginning
 */
export function readList(list: unknown, maxLast?: number): unknown[] {
  if (!isArray(list)) return [];
  const length = readProperty(list, 'length');
  const elements: unknown[] = [];
  if (typeof length !== 'number') return elements;
  const begin = maxLast === undefined ? 0 : Math.max(length - maxLast, 0);
  for (let i = begin; i < length && i < begin + MAX_ELEMENTS; i++) {
    const element = readProperty(list, i);
    if (element !== undefined) elements.push(element);
  }
  return elements;
}

/** How many elements of a list {@link readList} leaves out, because there are too many. A proxy's length proves nothing. */
export function countUnread(list: unknown): number {
  const length = isArray(list) && !types.isProxy(list) ? readProperty(list, 'length') : 0;
  return Number.isSafeInteger(length) ? Math.max((length as number) - MAX_ELEMENTS, 0) : 0;
}

/**
 * Whether a `toJSON` is one that somebody gave to all objects or all lists of the process. It is no statement about one of
 * them, and would convert what the SDK itself writes.
 */
export function isOfEveryObject(toJSON: unknown): boolean {
  return toJSON === readProperty(Object.prototype, 'toJSON') || toJSON === readProperty(Array.prototype, 'toJSON');
}

/** Whether a value is an object, and not `null` or a function. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Whether an object has numbered members in place of named ones: an array, a typed array or a `String` object. Callers that
 * expect names treat it as empty, because copying a large one takes seconds.
 */
export function isIndexed(value: unknown): boolean {
  return isArray(value) || ArrayBuffer.isView(value) || types.isStringObject(value);
}

/** Whether a value is an object without a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  try {
    return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
  } catch {
    return false;
  }
}

export function isObjectOrFunction(value: unknown): value is object {
  return isObject(value) || typeof value === 'function';
}

/** Whether a value is an array. `false` for a revoked proxy, for which `Array.isArray` throws. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether a value is an instance of a class. `false` when `instanceof` throws. */
export function isInstance<T>(value: unknown, ofClass: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof ofClass;
  } catch {
    return false;
  }
}
