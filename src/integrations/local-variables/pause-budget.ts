import { type Clock, systemClock } from '../../internal/clock.js';

const WINDOW_MILLIS = 1000;
const FIRST_REST_MILLIS = 5000;
const MAX_REST_MILLIS = 24 * 60 * 60 * 1000;

/** Limits how often per second an expensive operation runs; beyond the limit, it has to rest. */
export class PauseBudget {
  readonly #maxPerSecond: number;
  readonly #clock: Clock;
  #windowStart = 0;
  #spent = 0;
  #nextRestMillis = FIRST_REST_MILLIS;

  constructor(maxPerSecond: number, clock: Clock = systemClock) {
    this.#maxPerSecond = maxPerSecond;
    this.#clock = clock;
  }

  /** @returns milliseconds to rest from now, 0 for no rest; doubles each time */
  spend(): number {
    const now = this.#clock();
    const age = now - this.#windowStart;
    // Also starts anew if the clock was set back.
    if (age < 0 || age >= WINDOW_MILLIS) {
      this.#windowStart = now;
      this.#spent = 0;
    }
    if (++this.#spent <= this.#maxPerSecond) return 0;
    const rest = this.#nextRestMillis;
    this.#nextRestMillis = Math.min(rest * 2, MAX_REST_MILLIS);
    this.#spent = 0;
    return rest;
  }
}
