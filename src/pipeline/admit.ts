import type { Event } from '../model/event.js';
import type { Settings } from '../model/options.js';
import { Discard } from '../model/outcome.js';

/** Decides, before any work is done for an event, whether it is to be made at all. */
export type Admission = (event: Pick<Event, 'type'>) => Discard | undefined;

/**
 * Keeps the fraction `sampleRate` of error events.
 *
 * @param random a number in [0, 1), fresh for each event
 */
export function createAdmission({ sampleRate }: Settings, random: () => number = Math.random): Admission {
  if (sampleRate >= 1) return () => undefined;
  const discard = new Discard(
    'sample_rate',
    `not included in the random sample (sampling rate = ${sampleRate}); the event is discarded`,
  );
  return ({ type }) => (type === undefined && (sampleRate === 0 || random() > sampleRate) ? discard : undefined);
}

/**
 * Remembers which exceptions one client has captured. Works for frozen objects too; primitives are never remembered, as
 * equal ones need not be the same error.
 */
export class CapturedExceptions {
  readonly #seen = new WeakSet<object>();

  /** Marks an exception as captured; returns whether it was already. */
  mark(exception: unknown): boolean {
    if ((typeof exception !== 'object' && typeof exception !== 'function') || exception === null) return false;
    if (this.#seen.has(exception)) return true;
    this.#seen.add(exception);
    return false;
  }
}
