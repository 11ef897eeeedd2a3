export const MILLIS_PER_SECOND = 1000;
/** The longest delay that Node's timers accept. */
export const MAX_TIMER_MILLIS = 2 ** 31 - 1;
/** The end of the year 9999: servers cannot parse later times. */
const MAX_SECONDS = 253_402_300_799;

/** What a `Date` can hold; beyond it, `toISOString` throws. */
const MAX_DATE_MILLIS = 8.64e15;

/** Returns the current Unix time in milliseconds. A parameter wherever tests control the time. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** Returns the current Unix time in milliseconds, also where `Date.now` is mocked and returns no time. */
export function nowMillis(): number {
  return readClock(readDate, systemClock);
}

/** Returns the current Unix time in seconds, with a fraction. */
export function nowSeconds(): number {
  return nowMillis() / MILLIS_PER_SECOND;
}

const OriginalDate = Date;
const originalMonotonic = performance.now.bind(performance);

const readDate: Clock = () => Date.now();
const readPerformance: Clock = () => performance.now();

/** Milliseconds since some moment, to measure durations. */
export function monotonicMillis(): number {
  return readClock(readPerformance, originalMonotonic);
}

/** ISO 8601, UTC. */
export function toIsoTime(millis: number): string {
  return new OriginalDate(millis).toISOString();
}

/** The time of the clock that tests may have set; the real time where a mock throws or returns no time. */
function readClock(read: Clock, original: Clock): number {
  try {
    const now: unknown = read();
    if (typeof now === 'number' && Math.abs(now) <= MAX_DATE_MILLIS) return now;
  } catch {
    // Below.
  }
  return original();
}

/** Whether a value is a Unix time in seconds that servers can parse. */
export function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_SECONDS;
}
