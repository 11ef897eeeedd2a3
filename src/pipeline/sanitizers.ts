import { types } from 'node:util';
import { copyOwn } from '../internal/guard.js';
import { isArray, readList } from '../internal/read.js';
import { MAX_BODY_LENGTH, MAX_TEXT_LENGTH, truncate } from '../internal/text.js';
import { Normalizer, normalize } from './normalize-value.js';

/** Turns any value into the nearest valid one, or into `undefined` where there is none. Never throws. */
export type Sanitizer = (value: unknown) => unknown;

/** The settings have limits of their own; these keep `JSON.stringify` from failing. */
const MAX_DEPTH = Number.POSITIVE_INFINITY;
const MAX_BREADTH = 10_000;
const SMALL = { maxBreadth: 100, maxSize: 16 * 1024 };
const SMALL_DEPTH = 3;

export const text: Sanitizer = (value) => {
  switch (typeof value) {
    case 'string':
      return truncate(value, MAX_TEXT_LENGTH);
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
};

export const number: Sanitizer = (value) => (Number.isFinite(value) ? value : undefined);
export const boolean: Sanitizer = (value) => (typeof value === 'boolean' ? value : undefined);

/** Any value that JSON can hold. */
export const json: Sanitizer = (value) => (value === null ? value : normalize(value, MAX_DEPTH, MAX_BREADTH));

/** The body of a request: a string of 1 MiB at most, or any value that JSON can hold. */
export const body: Sanitizer = (value) => (typeof value === 'string' ? truncate(value, MAX_BODY_LENGTH) : json(value));

/** An object that JSON can hold. */
export const jsonObject: Sanitizer = (value) => {
  const normalized = isObject(value) ? normalize(value, MAX_DEPTH, MAX_BREADTH) : undefined;
  return isObject(normalized) ? normalized : undefined;
};

/** As `jsonObject`, for few and flat data. */
export const smallObject: Sanitizer = (value) => {
  const normalized = isObject(value) ? new Normalizer(SMALL).normalize(value, SMALL_DEPTH) : undefined;
  return isObject(normalized) ? normalized : undefined;
};

/** An object that can be spread, with values of any kind: the object itself where possible, because of cycles. */
export const spreadableObject: Sanitizer = (value) => {
  if (!isObject(value)) return undefined;
  try {
    Object.assign({}, value);
    return value;
  } catch {
    return copyOwn(value);
  }
};

export function oneOf(values: readonly unknown[]): Sanitizer {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : undefined);
}

export function matching(pattern: RegExp): Sanitizer {
  return (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined);
}

/** A copy of a list, without the elements that cannot be sanitized. */
export function listOf(sanitizeElement: Sanitizer): Sanitizer {
  return (value) =>
    isArray(value)
      ? readList(value)
          .map(sanitizeElement)
          .filter((element) => element !== undefined)
      : undefined;
}

/** A copy of an object whose members are all of one kind. */
export function mapOf(sanitizeMember: Sanitizer): Sanitizer {
  return record({}, [], sanitizeMember);
}

/**
 * A copy of an object, without the members that cannot be sanitized. Each getter is called once, here.
 *
 * @param members sanitizers by name
 * @param required members without which the object is dropped
 * @param others for members that `members` does not name
 */
export function record(
  members: Readonly<Record<string, Sanitizer>>,
  required: readonly string[] = [],
  others: Sanitizer = json,
): Sanitizer {
  const byName = new Map(Object.entries(members));
  return (value) => {
    if (!isObject(value) || types.isBoxedPrimitive(value)) return undefined;
    const copy = copyOwn(value);
    for (const name in copy) {
      const member = copy[name];
      if (member === undefined) continue;
      const sanitized = (byName.get(name) ?? others)(member);
      if (sanitized === undefined) delete copy[name];
      else if (sanitized !== member) copy[name] = sanitized;
    }
    return required.every((name) => copy[name] !== undefined) ? copy : undefined;
  };
}

/** A record in which missing members are filled in, from its other members where the default needs them. */
export function withDefaults(
  sanitize: Sanitizer,
  defaults: Readonly<Record<string, (others: Readonly<Record<string, unknown>>) => unknown>>,
): Sanitizer {
  const entries = Object.entries(defaults);
  return (value) => {
    const sanitized = sanitize(value) as Record<string, unknown> | undefined;
    if (sanitized) for (const [name, makeDefault] of entries) sanitized[name] ??= makeDefault(sanitized);
    return sanitized;
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !isArray(value);
}
