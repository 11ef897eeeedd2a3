import { systemClock } from '../internal/clock.js';
import { guard } from '../internal/guard.js';
import { readProperty } from '../internal/read.js';
import type { Transport, TransportOptions, TransportResponse } from '../model/transport.js';
import { ENVELOPE_FORMAT } from './envelope-format.js';
import { type Drop, PendingEnvelope, type Send } from './pending-envelope.js';
import { Queue } from './queue.js';
import { rateLimited } from './rate-limits.js';
import { readFailure } from './transient.js';

/** Posts a serialized envelope: resolves with the answer, rejects when the destination could not be reached. */
export type MakeRequest = (request: { body: string | Uint8Array }) => PromiseLike<TransportResponse>;

/** A transport that can be closed: waiting envelopes are dropped, requests in flight may end. */
export interface ClosableTransport extends Transport {
  close(): void;
}

const DEFAULT_BUFFER_SIZE = 1000;

/**
 * Makes a transport from a function that posts bytes: adds the bounded queue and the rate limits, as the SDK's own
 * transport has them.
 *
 * Each stage wraps the next: queue(rateLimits(dropUnsendable(post))). With `retries`, what cannot be sent returns to the
 * queue instead of being dropped.
 *
 * `send` resolves with the answer, and with an empty response when the transport dropped the whole envelope by itself;
 * it rejects when the destination could not be reached. Before it does either, `options.recordDroppedEvent` has been
 * called for each item that was not sent.
 */
export function createTransport(
  options: Pick<TransportOptions, 'recordDroppedEvent'> & Partial<Pick<TransportOptions, 'bufferSize'>>,
  makeRequest: MakeRequest,
  { clock = systemClock, format = ENVELOPE_FORMAT, retries = false } = {},
): ClosableTransport {
  const drop: Drop = (reason, items) => {
    for (const item of items) {
      guard('recordDroppedEvent', () => options.recordDroppedEvent(reason, item), undefined);
    }
  };
  const deliver = rateLimited(dropUnsendable(post(makeRequest), drop, retries), drop, clock, retries);
  const bounds = { maxEnvelopes: readBufferSize(readProperty(options, 'bufferSize')) };
  const queue = new Queue(deliver, drop, bounds, retries ? (outcome) => readFailure(outcome, clock()) : undefined);
  return {
    async send(envelope) {
      const outcome = await queue.send(new PendingEnvelope(envelope, format));
      if (outcome.kind === 'unreachable' || outcome.kind === 'broken') throw outcome.error;
      return outcome.kind === 'answered' ? outcome.response : {};
    },
    flush: (timeoutMillis) => queue.flush(timeoutMillis),
    close: () => queue.close(),
  };
}

/** How many envelopes may wait or be in flight; the default for anything that is no such number. */
export function readBufferSize(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : DEFAULT_BUFFER_SIZE;
}

/** The last stage: posts the envelope. */
function post(makeRequest: MakeRequest): Send {
  return async (envelope) => {
    let body: string | Uint8Array;
    try {
      body = envelope.serialize();
    } catch (error) {
      return { kind: 'broken', error };
    }
    try {
      return { kind: 'answered', response: (await makeRequest({ body })) ?? {} };
    } catch (error) {
      return { kind: 'unreachable', error };
    }
  };
}

/** The stage that drops envelopes that cannot be sent, now or, with retries, ever. */
function dropUnsendable(next: Send, drop: Drop, retries: boolean): Send {
  return async (envelope) => {
    const outcome = await next(envelope);
    const isFinal = outcome.kind === 'broken' || (outcome.kind === 'unreachable' && !retries);
    if (isFinal) drop('network_error', envelope.items);
    return outcome;
  };
}
