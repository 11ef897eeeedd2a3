import { types } from 'node:util';
import { isSeconds } from '../../internal/clock.js';
import { createLogger } from '../../internal/diag.js';
import { keysOf } from '../../internal/patching/originals.js';
import { copyKeys, copyLimited, listKeys, MAX_MEMBERS } from '../../internal/values/copy-own.js';
import { MAX_KEY_LENGTH, MAX_LISTED, type NormalizeBounds, Normalizer } from '../../internal/values/normalize.js';
import { isAccessor, isArray, isIndexed, isObject, readList } from '../../internal/values/read.js';
import { setOwn } from '../../internal/values/set-own.js';
import { MAX_BODY_LENGTH, MAX_STRING_LENGTH, truncate } from '../../internal/values/strings.js';

const log = createLogger('pipeline');

/**
 * What may still be read of one event, in characters. All its members share it, and what is dropped afterwards counts as
 * well, so that the work for an event is bounded whatever its members repeat, nest or invent.
 */
export interface Budget {
  left: number;
}

/**
 * Converts any value to the nearest valid one, or to `undefined` if there is none. Never throws. Once the budget is used up,
 * it reads no object and no list.
 */
export type Sanitizer = (value: unknown, budget: Budget) => unknown;

/** The options have their own limits; these only keep `JSON.stringify` from failing. */
const MAX_DEPTH = Number.POSITIVE_INFINITY;
const SMALL = { maxBreadth: 100, maxSize: 16 * 1024 };
const SMALL_DEPTH = 3;
const MEDIUM = { maxBreadth: 1000, maxSize: 64 * 1024 };
/** Approximate characters of JSON of one list, or of all members of an object that are not in its schema. */
const MAX_SIZE = 512 * 1024;
/** Several times what servers accept, so that only events that they would refuse use it up. */
const MAX_EVENT_SIZE = 4 * 1024 * 1024;
/** Characters that a member counts in addition to its strings. */
const MEMBER_SIZE = 8;
const MAX_LABEL_LENGTH = 1024;

export function createBudget(): Budget {
  return { left: MAX_EVENT_SIZE };
}

/** A sanitizer for a value of its own. */
export function withOwnBudget(sanitize: Sanitizer): (value: unknown) => unknown {
  return (value) => {
    const budget = createBudget();
    const sanitized = sanitize(value, budget);
    if (budget.left <= 0) {
      log.warn(
        `an event has more than the ${MAX_EVENT_SIZE} characters that are read of one; the rest is not sent. Leave out data`,
      );
    }
    return sanitized;
  };
}

export const string: Sanitizer = (value, budget) => {
  switch (typeof value) {
    case 'string':
      return take(truncate(value, MAX_STRING_LENGTH), budget);
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
};

function take(text: string, budget: Budget): string {
  budget.left -= text.length;
  return text;
}

/** For names and paths, of which an event may have thousands. */
export const label: Sanitizer = (value, budget) => {
  return string(typeof value === 'string' ? truncate(value, MAX_LABEL_LENGTH) : value, budget);
};

export const number = only(Number.isFinite);
/** Some servers fail on times that they cannot parse, for example on milliseconds. */
export const seconds = only(isSeconds);
export const boolean = only((value) => typeof value === 'boolean');

/** Any JSON value. */
export const json: Sanitizer = (value, budget) =>
  value === null ? value : normalizeWithin({ maxBreadth: MAX_MEMBERS }, value, MAX_DEPTH, budget);

/** A request body: a string of 1 MiB at most, or any JSON value. */
export const body: Sanitizer = (value, budget) =>
  typeof value === 'string' ? take(truncate(value, MAX_BODY_LENGTH), budget) : json(value, budget);

/** A JSON object. */
export const jsonObject: Sanitizer = objectWithin({ maxBreadth: MAX_MEMBERS }, MAX_DEPTH);

/** Like `jsonObject`, of 64 KB. */
export const mediumObject: Sanitizer = objectWithin(MEDIUM, MAX_DEPTH);

/** Like `jsonObject`, for small, flat data. */
export const smallObject: Sanitizer = objectWithin(SMALL, SMALL_DEPTH);

function objectWithin(bounds: NormalizeBounds, depth: number): Sanitizer {
  return (value, budget) => {
    const normalized = isRecord(value) ? normalizeWithin(bounds, value, depth, budget) : undefined;
    return isRecord(normalized) ? normalized : undefined;
  };
}

function normalizeWithin(bounds: NormalizeBounds, value: unknown, depth: number, budget: Budget): unknown {
  if (budget.left <= 0) return undefined;
  const normalizer = new Normalizer(bounds);
  const { sizeLeft } = normalizer;
  const normalized = normalizer.normalize(value, depth);
  budget.left -= sizeLeft - normalizer.sizeLeft;
  budget.left -= normalizer.listed * MEMBER_SIZE;
  return normalized;
}

/**
 * An object that can be spread without calling user code, with values of any type: the same object if possible, because of
 * cycles. Getters are read once, into a copy; of more keys than are ever sent, the first are copied.
 */
export const spreadableObject: Sanitizer = (value, budget) => {
  if (!isRecord(value) || budget.left <= 0) return undefined;
  const keys = takeKeys(value, budget);
  const isUsable = keys.length <= MAX_MEMBERS && !types.isProxy(value) && !keys.some((key) => isAccessor(value, key));
  return isUsable ? value : copyKeys(value, keys.slice(0, MAX_MEMBERS));
};

function takeKeys(value: object, budget: Budget): string[] {
  const keys = listKeys(value);
  budget.left -= Math.min(keys.length, MAX_LISTED) * MEMBER_SIZE;
  return keys;
}

/** Keeps the values that are valid already. */
export function only(isValid: (value: unknown) => boolean): (value: unknown) => unknown {
  return (value) => (isValid(value) ? value : undefined);
}

/** Copies the beginning of a list, without the elements that cannot be sanitized. */
export function listOf(sanitizeElement: Sanitizer): Sanitizer {
  return (value, budget) => {
    if (!isArray(value)) return undefined;
    const kept: unknown[] = [];
    for (const one of takeElements(value, budget)) {
      // The other members of the event need some of it, above all its trace.
      if (budget.left <= MAX_SIZE) break;
      const element = sanitizeElement(one, budget);
      if (element !== undefined) kept.push(element);
    }
    return kept;
  };
}

/**
 * Like {@link listOf}, with limits for length and size; elements beyond them are not sanitized.
 *
 * @param maxLength the last elements are kept: the newest breadcrumbs, the frames next to the throw, the caught exception
 */
export function lastOf(sanitizeElement: Sanitizer, maxLength: number, maxSize = MAX_SIZE): Sanitizer {
  return (value, budget) => {
    if (!isArray(value)) return undefined;
    const elements = takeElements(value, budget, maxLength);
    const kept: unknown[] = [];
    let sizeLeft = maxSize;
    for (let i = elements.length - 1; i >= 0 && sizeLeft > 0 && budget.left > 0; i--) {
      const element = sanitizeElement(elements[i], budget);
      if (element === undefined) continue;
      kept.push(element);
      sizeLeft -= sizeOf(element);
    }
    return kept.reverse();
  };
}

/** Reads elements as `readList` does. */
function takeElements(list: readonly unknown[], budget: Budget, maxLast?: number): unknown[] {
  if (budget.left <= 0) return [];
  const maxRead = maxLast ?? MAX_MEMBERS;
  // Holes are read as well, and the length of a proxy proves nothing.
  budget.left -= MEMBER_SIZE * (types.isProxy(list) ? maxRead : Math.min(list.length, maxRead));
  return readList(list, maxLast);
}

/** The approximate size of sanitized data as JSON. `data` may be anything until it is normalized, and has its own limit. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + MEMBER_SIZE;
  if (!isObject(value)) return MEMBER_SIZE;
  let size = MEMBER_SIZE;
  for (const key of keysOf(value)) {
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
  const known = new Map(Object.entries(members));
  return (value, budget) => {
    if (!isRecord(value) || types.isBoxedPrimitive(value) || budget.left <= 0) return undefined;
    const copy = copyLimited(value, takeKeys(value, budget));
    const set = (name: string, member: unknown, sanitized: unknown) => {
      if (sanitized === undefined) delete copy[name];
      else if (sanitized !== member) copy[name] = sanitized;
    };
    // First, so that the others do not use up what these need.
    for (const [name, sanitize] of known) {
      if (!Object.hasOwn(copy, name)) continue;
      const member = copy[name];
      if (member !== undefined) set(name, member, sanitize(member, budget));
    }
    let sizeLeft = MAX_SIZE;
    const sanitizeOther = (name: string, member: unknown) => {
      if (sizeLeft <= 0 || budget.left <= 0) return undefined;
      const sanitized = others(member, budget);
      sizeLeft -= name.length + measure(sanitized);
      return sanitized;
    };
    for (const name of keysOf(copy)) {
      const member = copy[name];
      if (known.has(name) || member === undefined) continue;
      if (name.length <= MAX_KEY_LENGTH) {
        set(name, member, sanitizeOther(name, member));
        continue;
      }
      delete copy[name];
      if (sizeLeft > 0) setOwn(copy, truncate(name, MAX_KEY_LENGTH), sanitizeOther(name, member));
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
  return (value, budget) => {
    const sanitized = sanitize(value, budget) as Record<string, unknown> | undefined;
    if (sanitized) for (const [name, makeDefault] of entries) sanitized[name] ??= makeDefault(sanitized);
    return sanitized;
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !isIndexed(value);
}
