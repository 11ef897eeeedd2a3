const MILLIS_PER_SECOND = 1000;

/** Unix milliseconds; handed in wherever a test needs to own the time. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** Now, in Unix seconds with a fraction. */
export function nowSeconds(): number {
  return Date.now() / MILLIS_PER_SECOND;
}
