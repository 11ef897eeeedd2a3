import { types } from 'node:util';
import { isSeconds } from '../../internal/clock.js';
import { copyKeys, copyLimited, MAX_MEMBERS } from '../../internal/values/copy-own.js';
import { MAX_KEY_LENGTH, type NormalizeBounds, Normalizer, normalize } from '../../internal/values/normalize.js';
import { isAccessor, isArray, isIndexed, isObject, readList } from '../../internal/values/read.js';
import { setOwn } from '../../internal/values/set-own.js';
import { MAX_BODY_LENGTH, MAX_STRING_LENGTH, truncate } from '../../internal/values/strings.js';

/** Converts any value to the nearest valid one, or to `undefined` if there is none. Never throws. */
export type Sanitizer = (value: unknown) => unknown;

/** The options have their own limits; these only keep `JSON.stringify` from failing. */
const MAX_DEPTH = Number.POSITIVE_INFINITY;
const SMALL = { maxBreadth: 100, maxSize: 16 * 1024 };
const SMALL_DEPTH = 3;
const MEDIUM = { maxBreadth: 1000, maxSize: 64 * 1024 };
/** Approximate characters of JSON of one list, or of all members of an object that are not in its schema. */
const MAX_SIZE = 512 * 1024;
/** Characters that a member counts in addition to its strings. */
const MEMBER_SIZE = 8;
const MAX_LABEL_LENGTH = 1024;

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

/** For names and paths, of which an event may have thousands. */
export const label: Sanitizer = (value) => {
  const text = string(value);
  return typeof text === 'string' ? truncate(text, MAX_LABEL_LENGTH) : undefined;
};

export const number = only(Number.isFinite);
/** Some servers fail on times that they cannot parse, for example on milliseconds. */
export const seconds = only(isSeconds);
export const boolean = only((value) => typeof value === 'boolean');

/** Any JSON value. */
export const json: Sanitizer = (value) => (value === null ? value : normalize(value, MAX_DEPTH, MAX_MEMBERS));

/** A request body: a string of 1 MiB at most, or any JSON value. */
export const body: Sanitizer = (value) => (typeof value === 'string' ? truncate(value, MAX_BODY_LENGTH) : json(value));

/** A JSON object. */
export const jsonObject: Sanitizer = objectWithin({ maxBreadth: MAX_MEMBERS }, MAX_DEPTH);

/** Like `jsonObject`, of 64 KB. */
export const mediumObject: Sanitizer = objectWithin(MEDIUM, MAX_DEPTH);

/** Like `jsonObject`, for small, flat data. */
export const smallObject: Sanitizer = objectWithin(SMALL, SMALL_DEPTH);

function objectWithin(bounds: NormalizeBounds, depth: number): Sanitizer {
  return (value) => {
    const normalized = isRecord(value) ? new Normalizer(bounds).normalize(value, depth) : undefined;
    return isRecord(normalized) ? normalized : undefined;
  };
}

/**
 * An object that can be spread without calling user code, with values of any type: the same object if possible, because of
 * cycles. Getters are read once, into a copy; of more keys than are ever sent, the first are copied.
 */
export const spreadableObject: Sanitizer = (value) => {
  if (!isRecord(value)) return undefined;
  try {
    const keys = Object.keys(value);
    const isUsable = keys.length <= MAX_MEMBERS && !types.isProxy(value) && !keys.some((key) => isAccessor(value, key));
    return isUsable ? value : copyKeys(value, keys.slice(0, MAX_MEMBERS));
  } catch {
    return copyLimited(value);
  }
};

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

/**
 * Like {@link listOf}, with limits for length and size; elements beyond them are not sanitized.
 *
 * @param maxLength the last elements are kept: the newest breadcrumbs, the frames next to the throw, the caught exception
 */
export function lastOf(sanitizeElement: Sanitizer, maxLength: number, maxSize = MAX_SIZE): Sanitizer {
  return (value) => {
    if (!isArray(value)) return undefined;
    const elements = readList(value, maxLength);
    const kept: unknown[] = [];
    let sizeLeft = maxSize;
    for (let i = elements.length - 1; i >= 0 && sizeLeft > 0; i--) {
      const element = sanitizeElement(elements[i]);
      if (element === undefined) continue;
      kept.push(element);
      sizeLeft -= sizeOf(element);
    }
    return kept.reverse();
  };
}

/** The approximate size of sanitized data as JSON. `data` may be anything until it is normalized, and has its own limit. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + MEMBER_SIZE;
  if (!isObject(value)) return MEMBER_SIZE;
  let size = MEMBER_SIZE;
  for (const key in value) {
    if (key !== 'data') size += key.length + sizeOf((value as Record<string, unknown>)[key]);
  }
  return size;
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
 * @param others for members that `members` does not name; together they have a size limit
 * @param measure the size of one of the others
 */
export function record(
  members: Readonly<Record<string, Sanitizer>>,
  required: readonly string[] = [],
  others: Sanitizer = json,
  measure: (value: unknown) => number = sizeOf,
): Sanitizer {
  const byName = new Map(Object.entries(members));
  return (value) => {
    if (!isRecord(value) || types.isBoxedPrimitive(value)) return undefined;
    const copy = copyLimited(value);
    let sizeLeft = MAX_SIZE;
    const sanitizeOther = (name: string, member: unknown) => {
      if (sizeLeft <= 0) return undefined;
      const sanitized = others(member);
      sizeLeft -= name.length + measure(sanitized);
      return sanitized;
    };
    for (const name in copy) {
      const member = copy[name];
      if (name.length > MAX_KEY_LENGTH) {
        delete copy[name];
        if (sizeLeft > 0) setOwn(copy, truncate(name, MAX_KEY_LENGTH), sanitizeOther(name, member));
        continue;
      }
      if (member === undefined) continue;
      const sanitizeMember = byName.get(name);
      const sanitized = sanitizeMember ? sanitizeMember(member) : sanitizeOther(name, member);
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
  return isObject(value) && !isIndexed(value);
}
