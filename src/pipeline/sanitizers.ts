import { types } from 'node:util';
import { copyOwn } from '../internal/guard.js';
import { isArray, readList, readProperty } from '../internal/read.js';
import { normalize } from './normalize-value.js';

/**
 * What a value is to be. Gives back the value itself where it is that, else the nearest that is; `undefined` where there
 * is none. Never throws.
 */
export type Sanitizer = (value: unknown) => unknown;

/** Beyond what the settings allow: the limits here are those of size, and of `JSON.stringify`. */
const MAX_DEPTH = Number.POSITIVE_INFINITY;
const MAX_BREADTH = 10_000;

export const text: Sanitizer = (value) => {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
};

export const number: Sanitizer = (value) => (Number.isFinite(value) ? value : undefined);
export const boolean: Sanitizer = (value) => (typeof value === 'boolean' ? value : undefined);

/** Whatever JSON can hold. */
export const anything: Sanitizer = (value) =>
  typeof value === 'string' || value === null ? value : normalize(value, MAX_DEPTH, MAX_BREADTH);

/** An object of whatever JSON can hold. */
export const object: Sanitizer = (value) => {
  const normalized = isObject(value) ? normalize(value, MAX_DEPTH, MAX_BREADTH) : undefined;
  return isObject(normalized) ? normalized : undefined;
};

/** An object as it is, whatever is in it. */
export const anyObject: Sanitizer = (value) => (isObject(value) ? value : undefined);

export function oneOf(values: readonly unknown[]): Sanitizer {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : undefined);
}

export function matching(pattern: RegExp): Sanitizer {
  return (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined);
}

/** A list, without those elements that cannot be what they are to be. */
export function listOf(shape: Sanitizer): Sanitizer {
  return (value) => {
    if (!isArray(value)) return undefined;
    const elements = readList(value);
    const mended = elements.map(shape).filter((element) => element !== undefined);
    const isSame =
      mended.length === readProperty(value, 'length') && mended.every((element, index) => element === elements[index]);
    return isSame ? value : mended;
  };
}

/** An object whose members are all of one shape, without those that cannot be. */
export function mapOf(shape: Sanitizer): Sanitizer {
  return record({}, [], shape);
}

/**
 * An object whose members are what they are to be, or missing.
 *
 * @param required members without which there is nothing left
 * @param others what further members are to be
 */
export function record(
  members: Readonly<Record<string, Sanitizer>>,
  required: readonly string[] = [],
  others: Sanitizer = anything,
): Sanitizer {
  const shapes = new Map(Object.entries(members));
  const mend = (value: Record<string, unknown>): unknown => {
    let result = value;
    for (const name of Object.keys(value)) {
      const given = value[name];
      if (given === undefined) continue;
      const mended = (shapes.get(name) ?? others)(given);
      if (mended === given) continue;
      if (result === value) result = copyOwn(value);
      if (mended === undefined) delete result[name];
      else result[name] = mended;
    }
    return required.every((name) => Object.hasOwn(result, name) && result[name] !== undefined) ? result : undefined;
  };
  return (value) => {
    if (!isObject(value)) return undefined;
    try {
      return isPlain(value) ? mend(value) : types.isBoxedPrimitive(value) ? undefined : mend(copyOwn(value));
    } catch {
      // With those members alone that can be read.
      return mend(copyOwn(value));
    }
  };
}

/** A record in which what is missing is filled in, with what its other members say where they do. */
export function completed(
  shape: Sanitizer,
  defaults: Readonly<Record<string, (others: Readonly<Record<string, unknown>>) => unknown>>,
): Sanitizer {
  const names = Object.keys(defaults);
  return (value) => {
    const mended = shape(value) as Record<string, unknown> | undefined;
    if (mended === undefined || names.every((name) => mended[name] !== undefined)) return mended;
    const copy = copyOwn(mended);
    for (const name of names) copy[name] ??= defaults[name]!(copy);
    return copy;
  };
}

/** What is more may turn into anything when it is serialized. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !isArray(value);
}
