import { isArray } from './read.js';

/** A part is copied if the whole string is this many times longer, so that it does not keep the whole string alive. */
const MUCH_LONGER = 8;

/**
 * Cuts a string.
 *
 * @param maxLength characters to keep; 0 keeps all
 * @returns the string itself if it is short enough, else its beginning followed by `...`
 */
export function truncate(value: string, maxLength: number): string {
  return maxLength > 0 && value.length > maxLength ? `${head(value, maxLength)}...` : value;
}

export function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function nonEmptyStringOf(value: unknown): string | undefined {
  return isNonEmptyString(value) ? value : undefined;
}

/** The string of any value, for messages; the fallback if making it throws. */
export function stringifySafely(value: unknown, fallback = 'an unprintable value'): string {
  try {
    return String(value);
  } catch {
    return fallback;
  }
}

/** What user code has thrown, for messages. A list is not printed: its length may be anything. */
export function describeThrown(error: unknown): string {
  return isArray(error) ? 'an array' : stringifySafely(error);
}

/** Decodes `%20` and the like. A string with a percent sign that encodes nothing is returned as it is. */
export function decodePercents(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Characters of any one string that are looked at and sent, so that the work for an event is bounded. */
export const MAX_STRING_LENGTH = 16 * 1024;
/** Limit of the body of a request: 1 MiB, as much as the integration for servers keeps. */
export const MAX_BODY_LENGTH = 1_048_576;

/** Returns the string itself if it is short enough, else its beginning, without `...`. */
export function limitLength(value: string, maxLength: number): string {
  return value.length > maxLength ? head(value, maxLength) : value;
}

/** Returns the beginning of a string. Does not split a surrogate pair, because servers refuse half of one. */
function head(value: string, maxLength: number): string {
  const part = value.slice(0, isHighSurrogate(value.charCodeAt(maxLength - 1)) ? maxLength - 1 : maxLength);
  return value.length > part.length * MUCH_LONGER ? detach(part) : part;
}

/** Whether a code unit is the first half of a surrogate pair. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/**
 * Copies a string. A slice keeps the whole string alive that it was cut from, so detach slices that live long. Half of
 * a surrogate pair becomes U+FFFD.
 */
export function detach(value: string): string {
  return Buffer.from(value).toString();
}
