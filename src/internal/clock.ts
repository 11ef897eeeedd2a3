const MILLIS_PER_SECOND = 1000;

/** Returns the current Unix time in milliseconds. A parameter wherever tests control the time. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** Returns the current Unix time in seconds, with a fraction. */
export function nowSeconds(): number {
  return Date.now() / MILLIS_PER_SECOND;
}
