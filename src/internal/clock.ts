const MILLIS_PER_SECOND = 1000;
/** The end of the year 9999: servers cannot parse later times. */
const MAX_SECONDS = 253_402_300_799;

/** Returns the current Unix time in milliseconds. A parameter wherever tests control the time. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** Returns the current Unix time in seconds, with a fraction. */
export function nowSeconds(): number {
  return nowMillis() / MILLIS_PER_SECOND;
}

const originalNow = Date.now;

/** The time of the clock that tests may have set; the real time where a mock throws or returns no time. */
function nowMillis(): number {
  try {
    const now: unknown = Date.now();
    if (Number.isFinite(now)) return now as number;
  } catch {
    // Below.
  }
  return originalNow();
}

/** Whether a value is a Unix time in seconds that servers can parse. */
export function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_SECONDS;
}
