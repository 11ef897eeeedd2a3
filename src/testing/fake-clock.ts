import { replaceMethod } from '../internal/patching/replace-method.js';

/** A clock that stands still until it is moved. */
export interface FakeClock {
  /** Unix milliseconds. */
  now(): number;
  /** Moves the clock forward. Timers do not fire by it: use those of the test runner for that. */
  advance(millis: number): void;
  /** Moves the clock to a moment. */
  set(time: Date | number | string): void;
  /** Gives the process its real clock back; `reset` does so, too. */
  restore(): void;
}

const { Date: RealDate } = globalThis;

let active: FakeClock | undefined;
let restorePerformance: () => void;

/**
 * Replaces `Date` and `performance.now` for the whole process: OpenTelemetry reads both for the times of spans. Timers
 * stay real, so that nothing hangs.
 *
 * @param start a `Date`, Unix milliseconds, or a string that `Date` understands
 */
export function fakeClock(start: Date | number | string = 0): FakeClock {
  active?.restore();
  let nowMillis = toMillis(start);
  const beginMillis = nowMillis;
  const now = (): number => nowMillis;
  // Lower than the date, because OpenTelemetry treats numbers up to `performance.now()` as readings of that clock.
  const performanceBegin = Math.min(performance.now(), beginMillis - 1);
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [nowMillis], newTarget),
    apply: () => new RealDate(nowMillis).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
  restorePerformance = replaceMethod(performance, 'now', () => performanceBegin + nowMillis - beginMillis);
  active = {
    now,
    advance: (millis) => {
      nowMillis += millis;
    },
    set: (time) => {
      nowMillis = toMillis(time);
    },
    restore: restoreClock,
  };
  return active;
}

/** Gives the process its real clock back. */
export function restoreClock(): void {
  if (!active) return;
  globalThis.Date = RealDate;
  restorePerformance();
  active = undefined;
}

function toMillis(time: Date | number | string): number {
  const millis = new RealDate(time).getTime();
  if (Number.isNaN(millis)) throw new RangeError(`fakeClock: ${JSON.stringify(time)} is not a date`);
  return millis;
}
