import { type Clock, monotonicMillis, systemClock } from '../internal/clock.js';
import { guard } from '../internal/guard.js';
import { readProperty } from '../internal/values/read.js';
import type { EnvelopeItemType } from '../model/delivery/item-types.js';
import type { Transport, TransportOptions, TransportResponse } from '../model/delivery/transport.js';
import { DEFAULT_FORMAT } from './formats/known-formats.js';
import type { WireFormat } from './formats/wire-format.js';
import { type Drop, type Outcome, PendingEnvelope, type Send } from './pending-envelope.js';
import { Recovery } from './spool/recovery.js';
import type { Spool } from './spool/spool.js';
import { inTurns } from './stages/in-turns.js';
import { Queue } from './stages/queue.js';
import { RateLimits, rateLimited } from './stages/rate-limits.js';
import { type Failure, failureToRetry } from './stages/retry.js';

/** Posts a serialized envelope: resolves with the answer, rejects when the destination could not be reached. */
// `slice` returns bytes in memory that is not shared, as `fetch` wants them, also for TypeScript before 5.7.
export type MakeRequest = (request: {
  body: string | ReturnType<Uint8Array['slice']>;
}) => PromiseLike<TransportResponse>;

/** A transport that can be closed: waiting envelopes are dropped, requests in flight may end. */
export interface ClosableTransport extends Transport {
  close(): void;
}

/** A transport with which the SDK itself does more than sending. */
export interface StoringTransport extends ClosableTransport {
  /** Whether an envelope of a type would be dropped now. */
  isFull(type: EnvelopeItemType | undefined): boolean;
  /**
   * Stores what is not settled, what `finish` sends, and what is sent later; drops what cannot be stored. Synchronous.
   */
  storeUnsent(finish?: () => void): void;
  /** Whether something is stored that this transport could send. Synchronous. */
  hasStored(): boolean;
  /** Sends as much of what is stored as the time allows. Never rejects. */
  sendStored(timeoutMillis: number): Promise<void>;
}

export interface TransportExtras {
  readonly clock?: Clock | undefined;
  readonly format?: WireFormat;
  /** Whether what cannot be sent returns to the queue instead of being dropped. */
  readonly retries?: boolean;
  /** Stores what cannot be sent; only with retries. */
  readonly spool?: Spool | undefined;
  /** Called once, with the last failure, if requests fail for long and none was answered. */
  readonly onNeverAnswered?: (why: unknown) => void;
  /** Called for each answer that is a web page; only with retries. */
  readonly onWebPage?: (response: TransportResponse) => void;
}

export const DEFAULT_BUFFER_SIZE = 1000;

/**
 * Makes a transport from a function that posts bytes: adds the bounded queue and the rate limits of the SDK's own
 * transport. The function is called when an envelope is sent; for a large one, some turns of the event loop later.
 *
 * `send` resolves with the answer, and with an empty response when the transport dropped the whole envelope by itself;
 * it rejects when the destination could not be reached. Before it does either, `options.recordDroppedEvent` has been
 * called for each item that was not sent.
 */
export function createTransport(
  options: Pick<TransportOptions, 'recordDroppedEvent'> & Partial<Pick<TransportOptions, 'bufferSize'>>,
  makeRequest: MakeRequest,
  extras: { readonly clock?: Clock | undefined } = {},
): ClosableTransport {
  const { send, flush, close } = createStoringTransport(options, makeRequest, extras);
  ownSends.add(send);
  return { send, flush, close };
}

const ownSends = new WeakSet<Transport['send']>();

/** Whether `createTransport` made it: then no user code sees the envelopes. */
export function isOwnSend(send: Transport['send']): boolean {
  return ownSends.has(send);
}

/**
 * Each stage wraps the next: queue(rateLimits(inTurns(post))). With a spool, `send` resolves with an empty response
 * when the envelope was stored.
 */
export function createStoringTransport(
  options: Parameters<typeof createTransport>[0],
  makeRequest: MakeRequest,
  { clock = systemClock, format = DEFAULT_FORMAT, retries = false, spool, onNeverAnswered, onWebPage }: TransportExtras,
): StoringTransport {
  const drop: Drop = (reason, items) => {
    for (const item of items) guard('recordDroppedEvent', () => options.recordDroppedEvent(reason, item));
  };
  const limits = new RateLimits();
  const deliver = rateLimited(inTurns(post(makeRequest, clock)), drop, clock, retries, limits);
  const toFailure = (outcome: Outcome): Failure | undefined => {
    if (outcome.kind === 'answered' && outcome.response.isWebPage) onWebPage?.(outcome.response);
    return failureToRetry(outcome, clock());
  };
  const bufferSize = readProperty(options, 'bufferSize');
  const maxEnvelopes = typeof bufferSize === 'number' && bufferSize >= 0 ? bufferSize : DEFAULT_BUFFER_SIZE;
  const bounds = { maxEnvelopes };
  const queue = new Queue(deliver, drop, bounds, {
    failureToRetry: retries ? toFailure : undefined,
    spool,
    onIdle: () => recovery?.wake(),
    onNeverAnswered,
  });
  const storeUnsent = (finish?: () => void): void => {
    recovery?.close();
    queue.close(finish);
    spool?.release();
  };
  const recovery = spool && new Recovery(spool, queue, (quantities) => limits.isOpenFor(quantities, monotonicMillis()));
  return {
    send(envelope) {
      const pending = new PendingEnvelope(envelope, format);
      spool?.protect(pending);
      return queue.send(pending).then((outcome) => {
        spool?.settle(pending, outcome);
        if (outcome.kind === 'unreachable' || outcome.kind === 'broken') throw outcome.error;
        return outcome.kind === 'answered' ? outcome.response : {};
      });
    },
    flush: (timeoutMillis) => queue.flush(timeoutMillis),
    isFull: (type) => queue.isFull(type),
    storeUnsent,
    hasStored: () => recovery?.isSending === true || spool?.isEmpty() === false,
    sendStored: async (timeoutMillis) => recovery?.sendAll(timeoutMillis),
    close: () => storeUnsent(),
  };
}

/** The last stage: posts the envelope. */
function post(makeRequest: MakeRequest, clock: Clock): Send {
  return async (envelope) => {
    let body: Parameters<MakeRequest>[0]['body'];
    try {
      body = envelope.serializeAt(clock()) as typeof body;
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
