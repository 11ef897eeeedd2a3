import { types } from 'node:util';
import { isSeconds } from '../internal/clock.js';
import { copyOwn } from '../internal/copy-own.js';
import { guard } from '../internal/guard.js';
import { MAX_KEY_LENGTH, Normalizer, normalize } from '../internal/normalize.js';
import { isAccessor, isArray, isObject, readList, readProperty } from '../internal/read.js';
import { setOwn } from '../internal/set-own.js';
import { MAX_BODY_LENGTH, MAX_STRING_LENGTH, truncate } from '../internal/strings.js';

/** Converts any value to the nearest valid one, or to `undefined` if there is none. Never throws. */
export type Sanitizer = (value: unknown) => unknown;

/** The options have limits of their own; these only keep `JSON.stringify` from failing. */
const MAX_DEPTH = Number.POSITIVE_INFINITY;
const MAX_BREADTH = 10_000;
const SMALL = { maxBreadth: 100, maxSize: 16 * 1024 };
const SMALL_DEPTH = 3;

export const string: Sanitizer = (value) => {
  switch (typeof value) {
    case 'string':
      return truncate(value, MAX_STRING_LENGTH);
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
};

export const number = only(Number.isFinite);
/** Some servers fail on times that they cannot parse, for example on milliseconds. */
export const seconds = only(isSeconds);
export const boolean = only((value) => typeof value === 'boolean');

/** Any JSON value. */
export const json: Sanitizer = (value) => (value === null ? value : normalize(value, MAX_DEPTH, MAX_BREADTH));

/** A request body: a string of 1 MiB at most, or any JSON value. */
export const body: Sanitizer = (value) => (typeof value === 'string' ? truncate(value, MAX_BODY_LENGTH) : json(value));

/** A JSON object. */
export const jsonObject: Sanitizer = (value) => {
  const normalized = isRecord(value) ? normalize(value, MAX_DEPTH, MAX_BREADTH) : undefined;
  return isRecord(normalized) ? normalized : undefined;
};

/** Like `jsonObject`, for small, flat data. */
export const smallObject: Sanitizer = (value) => {
  const normalized = isRecord(value) ? new Normalizer(SMALL).normalize(value, SMALL_DEPTH) : undefined;
  return isRecord(normalized) ? normalized : undefined;
};

/**
 * An object that can be spread without calling user code, with values of any type: the same object if possible, because of
 * cycles. Getters are read once, into a copy; of more keys than are ever sent, the first are copied.
 */
export const spreadableObject: Sanitizer = (value) => {
  if (!isRecord(value)) return undefined;
  try {
    const keys = Object.keys(value);
    const isUsable = keys.length <= MAX_BREADTH && !types.isProxy(value) && !keys.some((key) => isAccessor(value, key));
    return isUsable ? value : copyKeys(value, keys.slice(0, MAX_BREADTH));
  } catch {
    return copyOwn(value);
  }
};

/** Like `copyOwn`, of an object with more keys than are ever sent only the first. */
function copyLimited(value: Record<string, unknown>): Record<string, unknown> {
  const keys = guard('Object.keys of user data', () => Object.keys(value), []);
  return keys.length > MAX_BREADTH ? copyKeys(value, keys.slice(0, MAX_BREADTH)) : copyOwn(value);
}

function copyKeys(source: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  const copy = {};
  for (const key of keys) setOwn(copy, key, readProperty(source, key));
  return copy;
}

/** Keeps the values that are valid already. */
export function only(isValid: (value: unknown) => boolean): Sanitizer {
  return (value) => (isValid(value) ? value : undefined);
}

/** Copies a list without the elements that cannot be sanitized. */
export function listOf(sanitizeElement: Sanitizer): Sanitizer {
  return (value) =>
    isArray(value)
      ? readList(value)
          .map(sanitizeElement)
          .filter((element) => element !== undefined)
      : undefined;
}

/** Copies an object whose members all have one type. */
export function mapOf(sanitizeMember: Sanitizer): Sanitizer {
  return record({}, [], sanitizeMember);
}

/**
 * Copies an object without the members that cannot be sanitized. Calls each getter once.
 *
 * @param members sanitizers by name
 * @param required the object is dropped if one of these members is missing
 * @param others for members that `members` does not name
 */
export function record(
  members: Readonly<Record<string, Sanitizer>>,
  required: readonly string[] = [],
  others: Sanitizer = json,
): Sanitizer {
  const byName = new Map(Object.entries(members));
  return (value) => {
    if (!isRecord(value) || types.isBoxedPrimitive(value)) return undefined;
    const copy = copyLimited(value);
    for (const name in copy) {
      const member = copy[name];
      if (name.length > MAX_KEY_LENGTH) {
        delete copy[name];
        setOwn(copy, truncate(name, MAX_KEY_LENGTH), others(member));
        continue;
      }
      if (member === undefined) continue;
      const sanitized = (byName.get(name) ?? others)(member);
      if (sanitized === undefined) delete copy[name];
      else if (sanitized !== member) copy[name] = sanitized;
    }
    return required.every((name) => copy[name] !== undefined) ? copy : undefined;
  };
}

/** A record with defaults for missing members, which may depend on its other members. */
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !isArray(value);
}
