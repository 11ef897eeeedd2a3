import { drawRandom } from '../internal/randomness.js';
import { Discard } from '../model/delivery/outcome.js';
import type { Event } from '../model/event/event.js';
import type { Settings } from '../model/options.js';

/** Samples errors before any work is done for their events. */
export type ErrorSampler = (event: Pick<Event, 'type'>) => Discard | undefined;

/** Keeps the fraction `sampleRate` of error events. */
export function createErrorSampler({ sampleRate }: Settings): ErrorSampler {
  if (sampleRate >= 1) return () => undefined;
  const discard = new Discard(
    'sample_rate',
    `not included in the random sample (sampling rate = ${sampleRate}); the event is discarded`,
  );
  return ({ type }) => (type === undefined && (sampleRate === 0 || drawRandom() > sampleRate) ? discard : undefined);
}
