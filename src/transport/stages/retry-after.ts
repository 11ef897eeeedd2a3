import { MILLIS_PER_SECOND } from '../../internal/clock.js';

/** When a server names no time that can be read. */
export const DEFAULT_SECONDS = 60;

/**
 * Turns a `Retry-After` value into the moment sending may resume.
 *
 * @param value raw header: seconds or an HTTP date
 * @param nowMillis Unix milliseconds
 * @returns Unix milliseconds; 60 seconds from now when the value cannot be read. Never throws
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(value: string, nowMillis: number): number {
  if (/^\s*\d/.test(value)) return nowMillis + Number.parseInt(value, 10) * MILLIS_PER_SECOND;
  const dateMillis = /^\s*[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMillis) ? nowMillis + DEFAULT_SECONDS * MILLIS_PER_SECOND : dateMillis;
}
