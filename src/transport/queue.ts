import { settlesWithin } from '../internal/deadline.js';
import { Pending } from './pending.js';
import { DROPPED, type Drop, type Outcome, type PendingEnvelope, type Send } from './pending-envelope.js';

/** Requests in flight at once. */
export const MAX_IN_FLIGHT = 32;

const MAX_HELD_SIZE = 64 * 1024 * 1024;

export interface QueueBounds {
  /** Envelopes waiting or in flight. */
  readonly maxEnvelopes: number;
  /**
   * Serialized size of all of them: bytes, or characters where a body is a string. An envelope is accepted while the
   * sum is below this, so a large one passes when it comes alone.
   *
   * @default 64 MiB
   */
  readonly maxSize?: number;
  /** @default 32 */
  readonly maxInFlight?: number;
}

interface Waiting {
  readonly envelope: PendingEnvelope;
  readonly resolve: (outcome: Promise<Outcome> | Outcome) => void;
}

/**
 * The stage that bounds memory: by the number of envelopes, by their size, and by the number of requests in flight.
 * Envelopes above the bounds are dropped at once; accepted ones leave in the order in which they came.
 */
export class Queue {
  readonly #next: Send;
  readonly #drop: Drop;
  readonly #bounds: Required<QueueBounds>;
  readonly #pending = new Pending();
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #held = 0;
  #heldSize = 0;
  #isClosed = false;

  constructor(next: Send, drop: Drop, bounds: QueueBounds) {
    this.#next = next;
    this.#drop = drop;
    const { maxEnvelopes, maxSize = MAX_HELD_SIZE, maxInFlight = MAX_IN_FLIGHT } = bounds;
    this.#bounds = { maxEnvelopes, maxSize, maxInFlight };
  }

  readonly send: Send = (envelope) => {
    if (this.#isClosed) return Promise.resolve(this.#abandon(envelope));
    // A report passes a full queue: it reports the overflow, and there is only one at a time.
    const places = envelope.isReport ? 0 : 1;
    if (places > 0 && this.#isFull) {
      this.#drop('queue_overflow', envelope.items);
      return Promise.resolve(DROPPED);
    }
    const outcome = this.#inFlight < this.#bounds.maxInFlight ? this.#start(envelope) : this.#wait(envelope);
    // Read here, because by now the envelope is serialized, unless a stage dropped it.
    const { size } = envelope;
    this.#held += places;
    this.#heldSize += size;
    const counted = outcome.then((result) => {
      this.#held -= places;
      this.#heldSize -= size;
      return result;
    });
    this.#pending.add(counted);
    return counted;
  };

  /** Resolves to whether every envelope accepted so far is settled in time. */
  flush(timeoutMillis?: number): Promise<boolean> {
    return settlesWithin(this.#pending.settled(), timeoutMillis);
  }

  /** Drops the envelopes that wait, and those that come later. */
  close(): void {
    this.#isClosed = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { envelope, resolve } of waiting) resolve(this.#abandon(envelope));
  }

  get #isFull(): boolean {
    return this.#held >= this.#bounds.maxEnvelopes || this.#heldSize >= this.#bounds.maxSize;
  }

  async #start(envelope: PendingEnvelope): Promise<Outcome> {
    this.#inFlight += 1;
    try {
      return await this.#next(envelope);
    } finally {
      this.#inFlight -= 1;
      const first = this.#waiting.shift();
      first?.resolve(this.#start(first.envelope));
    }
  }

  /** Serializes the envelope before it waits: its size is then known, and the application can no longer change it. */
  #wait(envelope: PendingEnvelope): Promise<Outcome> {
    envelope.serialize();
    return new Promise((resolve) => this.#waiting.push({ envelope, resolve }));
  }

  #abandon(envelope: PendingEnvelope): Outcome {
    this.#drop('network_error', envelope.items);
    return { kind: 'unreachable', error: new Error('the transport was closed') };
  }
}
