import { types } from 'node:util';
import { isError } from './is-error.js';
import { bytesInJson } from './json.js';
import { classNameOf, placeholderOf, placeholderOfFailure } from './placeholders.js';
import { ignoreMadePromise, ignoreRejection, isAccessor, isOfEveryObject, readProperty } from './read.js';
import { setOwn } from './set-own.js';
import { MAX_STRING_LENGTH, truncate } from './strings.js';

export interface NormalizeBounds {
  /** Properties or elements per object or array. */
  readonly maxBreadth: number;
  /** Approximate bytes of JSON of all values together; the rest becomes `[MaxSize ~]`. @default 524288 */
  readonly maxSize?: number;
  /** Always return copies, because hooks may mutate the result. @default false */
  readonly copy?: boolean;
  /** Whether the SDK made the values, so that they have no getters. What is nested in them may. @default false */
  readonly isOwnData?: boolean;
  /** Describes errors. @default their message, name, stack and own properties */
  readonly describeError?: (error: Error) => string;
}

/** The normalized form of a value that never changes, for later events. */
export interface Remembered<T> {
  readonly value: T;
  /** The limits of the client that normalized it. */
  readonly limits: object;
  /** How much it counts towards the size limit of an event. */
  readonly size: number;
}

/** Half of what servers accept per event. */
const DEFAULT_MAX_SIZE = 512 * 1024;
export const MAX_KEY_LENGTH = 1024;
/** Applies even if the setting is higher: detecting a cycle costs as much as the depth. */
const MAX_DEPTH = 256;
/** Overhead of a value: quotes, colon, comma. */
const NODE_SIZE = 8;
/** What a number may take in addition, if it is not a small integer. */
const DIGITS_SIZE = 12;
/** Share of the size limit up to which strings count by their characters, because counting bytes takes longer. */
const CHARACTERS_SHARE = 1 / 8;
/** Share of the size limit charged at most for the keys of one object, all of which are listed before the first is read. */
const LISTING_SHARE = 1 / 8;
/** Keys of one object that count: the application may have one with millions, and listing it once is unavoidable. */
export const MAX_LISTED = 64 * 1024;
/** Own, non-enumerable properties of errors. */
const ERROR_KEYS = ['message', 'name', 'stack'];

/**
 * Converts any value to one that `JSON.stringify` accepts, of bounded depth, breadth and size. A value that cannot be
 * kept is replaced by a string; an unreadable property affects only itself.
 *
 * @param depth levels of objects and arrays kept, including the value itself
 * @returns the same value if nothing had to change; never throws
 */
export function normalize(value: unknown, depth: number, maxBreadth: number): unknown {
  return new Normalizer({ maxBreadth }).normalize(value, depth);
}

/** Normalizes several values within shared limits. */
export class Normalizer {
  readonly #maxBreadth: number;
  readonly #maxSize: number;
  #copy: boolean;
  #isOwnData: boolean;
  readonly #describeError: NormalizeBounds['describeError'];
  /** The containers around the current value. */
  readonly #ancestors: object[] = [];
  #sizeLeft: number;
  /** What is left of the size limit when bytes begin to count. */
  readonly #bytesLeft: number;
  #listed = 0;

  constructor({
    maxBreadth,
    maxSize = DEFAULT_MAX_SIZE,
    copy = false,
    isOwnData = false,
    describeError,
  }: NormalizeBounds) {
    this.#isOwnData = isOwnData;
    this.#describeError = describeError;
    this.#maxBreadth = maxBreadth;
    this.#maxSize = maxSize;
    this.#copy = copy;
    this.#sizeLeft = maxSize;
    this.#bytesLeft = maxSize * (1 - CHARACTERS_SHARE);
  }

  /** What is left of the size limit. */
  get sizeLeft(): number {
    return this.#sizeLeft;
  }

  /** How many keys were listed, also those that were not read; {@link MAX_LISTED} of one object at most. */
  get listed(): number {
    return this.#listed;
  }

  /** Counts a value that was normalized before. @returns whether there is room for it */
  take(size: number): boolean {
    if (this.#sizeLeft <= size) return false;
    this.#sizeLeft -= size;
    return true;
  }

  /** See {@link normalize}. */
  normalize(value: unknown, depth: number): unknown {
    this.#sizeLeft -= NODE_SIZE;
    switch (typeof value) {
      case 'string':
        return this.#takeText(truncate(value, MAX_STRING_LENGTH));
      case 'object':
        return value === null ? null : this.#normalizeObject(value, Math.min(depth, MAX_DEPTH));
      case 'number':
        this.#sizeLeft -= sizeOfDigits(value);
        return Number.isFinite(value) ? value : `[${value}]`;
      case 'bigint':
      case 'symbol':
      case 'function':
        return placeholderOf(value as symbol);
      default:
        return value;
    }
  }

  /** Like `normalize`, but objects are always copied. */
  copy(value: unknown, depth: number): unknown {
    const before = this.#copy;
    this.#copy = true;
    const copy = this.normalize(value, depth);
    this.#copy = before;
    return copy;
  }

  /** Like `normalize`, for values that the SDK made, as with `isOwnData`. */
  normalizeOwn(value: unknown, depth: number): unknown {
    const before = this.#isOwnData;
    this.#isOwnData = true;
    const normalized = this.normalize(value, depth);
    this.#isOwnData = before;
    return normalized;
  }

  #takeText(text: string): string {
    this.#sizeLeft -= this.#sizeLeft > this.#bytesLeft ? text.length : bytesInJson(text);
    return text;
  }

  #normalizeObject(value: object, depth: number): unknown {
    try {
      if (value === globalThis) return '[Global]';
      if (depth <= 0) return `[${classNameOf(value) ?? 'null prototype'}]`;
      if (this.#ancestors.includes(value)) return '[Circular ~]';
      this.#ancestors.push(value);
      try {
        return this.#normalizeByKind(value, depth);
      } finally {
        this.#ancestors.pop();
      }
    } catch (error) {
      return placeholderOfFailure(error);
    }
  }

  #normalizeByKind(value: object, depth: number): unknown {
    // Before `toJSON`, because a buffer's `toJSON` makes an array of all its bytes.
    if (types.isTypedArray(value)) return this.#normalizeList(value as unknown as unknown[], depth, true);
    const toJSON = readProperty(value, 'toJSON');
    if (typeof toJSON === 'function' && !isOfEveryObject(toJSON)) return this.#normalizeJson(value, depth);
    return this.#normalizeMembers(value, depth, this.#copy || types.isProxy(value));
  }

  #normalizeJson(value: object, depth: number): unknown {
    let json: unknown = value;
    try {
      json = (value as { toJSON(): unknown }).toJSON();
      ignoreRejection(json);
    } catch {
      // Treated like any other object.
    }
    return json === value ? this.#normalizeMembers(value, depth, true) : this.normalize(json, depth - 1);
  }

  /** @param copy whether to return a copy even if nothing changed */
  #normalizeMembers(value: object, depth: number, copy: boolean): unknown {
    if (Array.isArray(value)) return this.#normalizeList(value, depth, copy);
    if (isPlain(value)) return this.#normalizePlain(value, depth, copy);
    // Its keys would be its characters.
    if (types.isStringObject(value)) return this.normalize(String.prototype.valueOf.call(value), depth);
    if (!isError(value)) return this.#normalizeMap(value, Object.keys(value), depth, true);
    if (this.#describeError) return this.normalize(this.#describeError(value), depth);
    return this.#normalizeMap(value, [...ERROR_KEYS, ...Object.keys(value)], depth, true);
  }

  #normalizePlain(value: object, depth: number, copy: boolean): unknown {
    let size = copy ? -1 : flatSize(value, this.#maxBreadth, this.#isOwn, lengthOf);
    if (size > this.#sizeLeft - this.#bytesLeft) size = flatSize(value, this.#maxBreadth, this.#isOwn, bytesInJson);
    if (size < 0 || size > this.#sizeLeft) return this.#normalizeMap(value, Object.keys(value), depth, copy);
    this.#sizeLeft -= size;
    return value;
  }

  #normalizeMap(map: object, keys: readonly string[], depth: number, copy: boolean): unknown {
    const result = {};
    let isSame = true;
    // Not afterwards: meanwhile its members, and theirs, would be listed for free.
    this.#sizeLeft -= Math.min(keys.length, this.#maxSize * LISTING_SHARE);
    this.#listed += Math.min(keys.length, MAX_LISTED);
    for (let i = 0; i < keys.length; i++) {
      const key = truncate(keys[i]!, MAX_KEY_LENGTH);
      const sentinel = this.#sentinelAt(i);
      if (sentinel !== undefined) {
        setOwn(result, key, sentinel);
        return result;
      }
      this.#takeText(key);
      isSame = this.#normalizeEntry(map, keys[i]!, result, key, depth) && isSame;
    }
    return isSame && !copy ? map : result;
  }

  #normalizeList(list: readonly unknown[], depth: number, copy: boolean): unknown {
    const result: unknown[] = [];
    let isSame = true;
    for (let i = 0; i < list.length; i++) {
      const sentinel = this.#sentinelAt(i);
      if (sentinel !== undefined) return [...result, sentinel];
      isSame = this.#normalizeEntry(list, i, result, i, depth) && isSame;
    }
    return isSame && !copy ? list : result;
  }

  /** @returns whether the entry was kept unchanged; no for a getter, which must not be read again */
  #normalizeEntry(from: object, key: string | number, to: object, newKey: string | number, depth: number): boolean {
    let value: unknown;
    let normalized: unknown;
    try {
      value = (from as Record<string | number, unknown>)[key];
      if (typeof value === 'object') ignoreMadePromise(value, from, key);
      normalized = this.normalize(value, depth - 1);
    } catch (error) {
      normalized = placeholderOfFailure(error);
    }
    setOwn(to, newKey, normalized);
    return newKey === key && Object.is(normalized, value) && (this.#isOwn || !isAccessor(from, key));
  }

  /** Whether the SDK made the container whose entries are normalized. */
  get #isOwn(): boolean {
    return this.#isOwnData && this.#ancestors.length === 1;
  }

  /** Placeholder for an entry and all that follow it, once a limit is reached. */
  #sentinelAt(index: number): string | undefined {
    if (index >= this.#maxBreadth) return '[MaxProperties ~]';
    return this.#sizeLeft <= 0 ? '[MaxSize ~]' : undefined;
  }
}

/**
 * The size of a flat object whose primitives all stay unchanged; -1 for any other object. A fast path without
 * allocations for most data. Inherited properties and throwing getters take the slow path.
 */
function flatSize(value: object, maxBreadth: number, isOwnData: boolean, measure: (text: string) => number): number {
  let size = 0;
  let breadth = 0;
  try {
    for (const key in value) {
      if (++breadth > maxBreadth || key.length > MAX_KEY_LENGTH || (!isOwnData && isAccessor(value, key))) return -1;
      const length = flatLength((value as Record<string, unknown>)[key], measure);
      if (length < 0) return -1;
      size += measure(key) + length + NODE_SIZE;
    }
  } catch {
    return -1;
  }
  return size;
}

function flatLength(value: unknown, measure: (text: string) => number): number {
  switch (typeof value) {
    case 'string':
      return value.length <= MAX_STRING_LENGTH ? measure(value) : -1;
    case 'number':
      return Number.isFinite(value) ? sizeOfDigits(value) : -1;
    case 'boolean':
    case 'undefined':
      return 0;
    default:
      return value === null ? 0 : -1;
  }
}

function lengthOf(text: string): number {
  return text.length;
}

function sizeOfDigits(value: number): number {
  return (value | 0) === value ? 0 : DIGITS_SIZE;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
