import { types } from 'node:util';
import type { HrTime } from '@opentelemetry/api';
import { isSeconds, MILLIS_PER_SECOND } from '../../internal/clock.js';
import { guardOwn } from '../../internal/guard.js';
import type { SpanTimeInput } from '../../model/event/span-json.js';

/** Numbers below this are seconds (until the year 2286), larger ones milliseconds. */
const FIRST_MILLIS = 9_999_999_999;
export const MICROS_PER_SECOND = 1_000_000;
export const NANOS_PER_MICRO = 1000;
const NANOS_PER_SECOND = 1_000_000_000;

/**
 * Converts a time given by a caller to OTel's `[seconds, nanoseconds]`. Plain numbers are never passed on, because OTel
 * takes small ones for readings of `performance.now()`.
 *
 * @returns `undefined`, which OTel reads as now, when the input is missing or not a time; never throws
 */
export function toOtelTime(input: SpanTimeInput | undefined): HrTime | undefined {
  if (input === undefined) return undefined;
  if (typeof input === 'number') return fromSeconds(input < FIRST_MILLIS ? input : input / MILLIS_PER_SECOND);
  return guardOwn('reading a span time', () =>
    types.isDate(input) ? fromSeconds(input.getTime() / MILLIS_PER_SECOND) : fromPair(input),
  );
}

/** Rounded to microseconds, the precision of a double for today's times. */
function fromSeconds(seconds: number): HrTime | undefined {
  if (!isSeconds(seconds)) return undefined;
  const whole = Math.floor(seconds);
  const micros = Math.round((seconds - whole) * MICROS_PER_SECOND);
  return micros === MICROS_PER_SECOND ? [whole + 1, 0] : [whole, micros * NANOS_PER_MICRO];
}

function fromPair(pair: unknown): HrTime | undefined {
  if (!Array.isArray(pair) || pair.length !== 2) return undefined;
  const [seconds, nanos] = pair as unknown[];
  if (!isSeconds(seconds) || typeof nanos !== 'number' || !(nanos >= 0)) return undefined;
  const whole = seconds + Math.floor(nanos / NANOS_PER_SECOND);
  return isSeconds(whole) ? [whole, nanos % NANOS_PER_SECOND] : undefined;
}

/** Unix seconds, rounded to microseconds: further digits are noise and make payloads larger. */
export function hrTimeToSeconds([seconds, nanos]: HrTime): number {
  return (seconds * MICROS_PER_SECOND + Math.round(nanos / NANOS_PER_MICRO)) / MICROS_PER_SECOND;
}

/** Whether one time comes before another. */
export function isBefore(a: HrTime, b: HrTime): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}
