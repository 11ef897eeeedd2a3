import { systemClock } from '../internal/clock.js';
import { guard } from '../internal/guard.js';
import { readProperty } from '../internal/read.js';
import type { Transport, TransportOptions, TransportResponse } from '../model/contracts.js';
import { type Drop, PendingEnvelope, type Send } from './pending-envelope.js';
import { Queue } from './queue.js';
import { rateLimited } from './rate-limits.js';

/** What posts a serialized envelope: resolves with the answer, rejects when the destination could not be reached. */
export type MakeRequest = (request: { body: string | Uint8Array }) => PromiseLike<TransportResponse>;

/** A transport that can be told to stop: what waits is dropped, what is under way may end. */
export interface ClosableTransport extends Transport {
  close(): void;
}

const DEFAULT_BUFFER_SIZE = 1000;

/**
 * Makes a transport from a function that posts bytes: adds the bounded queue and the rate limits, as the SDK's own
 * transport has them.
 *
 * Each stage wraps the next: queue(rateLimits(dropUnreachable(post))). A retry belongs around `post`, a store for what
 * could not be sent in the place of `dropUnreachable`.
 *
 * `send` resolves with the answer, and with an empty response when the transport let go the whole envelope by itself;
 * it rejects when the destination could not be reached. In these two cases, and for single items that it takes out of
 * an envelope, `options.recordDroppedEvent` has been told of each item before.
 */
export function createTransport(
  options: Pick<TransportOptions, 'recordDroppedEvent'> & Partial<Pick<TransportOptions, 'bufferSize'>>,
  makeRequest: MakeRequest,
  clock = systemClock,
): ClosableTransport {
  const drop: Drop = (reason, items) => {
    for (const item of items) {
      guard('recordDroppedEvent', () => options.recordDroppedEvent(reason, item), undefined);
    }
  };
  const deliver = rateLimited(dropUnreachable(post(makeRequest), drop), drop, clock);
  const queue = new Queue(deliver, drop, { maxParcels: bufferSizeOf(readProperty(options, 'bufferSize')) });
  return {
    async send(envelope) {
      const outcome = await queue.send(new PendingEnvelope(envelope));
      if (outcome.kind === 'unreachable') throw outcome.error;
      return outcome.kind === 'answered' ? outcome.response : {};
    },
    flush: (timeoutMillis) => queue.flush(timeoutMillis),
    close: () => queue.close(),
  };
}

/** How many envelopes may be under way; what is no number that could be meant is the default. */
export function bufferSizeOf(given: unknown): number {
  return typeof given === 'number' && given >= 0 ? given : DEFAULT_BUFFER_SIZE;
}

/** The last stage: from a parcel to the answer. */
function post(makeRequest: MakeRequest): Send {
  return async (parcel) => {
    try {
      return { kind: 'answered', response: (await makeRequest({ body: parcel.body })) ?? {} };
    } catch (error) {
      return { kind: 'unreachable', error };
    }
  };
}

/** The stage at which what could not be sent ends. */
function dropUnreachable(next: Send, drop: Drop): Send {
  return async (parcel) => {
    const outcome = await next(parcel);
    if (outcome.kind === 'unreachable') drop('network_error', parcel.items);
    return outcome;
  };
}
