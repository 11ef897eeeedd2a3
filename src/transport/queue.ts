import { settlesWithin } from '../internal/deadline.js';
import { Pending } from './pending.js';
import { DROPPED, type Drop, type Outcome, type PendingEnvelope, type Send } from './pending-envelope.js';

/** Requests under way at once. */
export const MAX_IN_FLIGHT = 32;

const MAX_HELD_SIZE = 64 * 1024 * 1024;

export interface QueueBounds {
  /** Parcels waiting or under way. */
  readonly maxParcels: number;
  /**
   * Serialized size of all of them, in bytes (in characters where they are text). A parcel is let in while there is
   * less than this, so that a large one passes when it comes alone.
   *
   * @default 64 MiB
   */
  readonly maxSize?: number;
  /** @default 32 */
  readonly maxInFlight?: number;
}

/**
 * The stage that bounds what is held in memory: so many parcels, so many bytes, so many at once; the others wait in the
 * order in which they came. What exceeds the bounds is dropped at once.
 */
export class Queue {
  readonly #next: Send;
  readonly #drop: Drop;
  readonly #bounds: Required<QueueBounds>;
  readonly #pending = new Pending();
  #waiting: { readonly parcel: PendingEnvelope; readonly resolve: (outcome: Promise<Outcome> | Outcome) => void }[] =
    [];
  #inFlight = 0;
  #held = 0;
  #heldSize = 0;
  #isClosed = false;

  constructor(next: Send, drop: Drop, bounds: QueueBounds) {
    this.#next = next;
    this.#drop = drop;
    const { maxParcels, maxSize = MAX_HELD_SIZE, maxInFlight = MAX_IN_FLIGHT } = bounds;
    this.#bounds = { maxParcels, maxSize, maxInFlight };
  }

  readonly send: Send = (parcel) => {
    if (this.#isClosed) return Promise.resolve(this.#abandon(parcel));
    // A report passes a full queue: it tells the destination of the overflow, and there is one at a time.
    const places = parcel.isReport ? 0 : 1;
    if (places > 0 && this.#isFull) {
      this.#drop('queue_overflow', parcel.items);
      return Promise.resolve(DROPPED);
    }
    const outcome = this.#inFlight < this.#bounds.maxInFlight ? this.#start(parcel) : this.#wait(parcel);
    // Known by now: what has started is serialized, unless a stage dropped it, and so is what waits.
    const { size } = parcel;
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

  /** Resolves to whether everything taken so far is settled in time. */
  flush(timeoutMillis?: number): Promise<boolean> {
    return settlesWithin(this.#pending.settled(), timeoutMillis);
  }

  /** Lets go what waits, and whatever comes later. */
  close(): void {
    this.#isClosed = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { parcel, resolve } of waiting) resolve(this.#abandon(parcel));
  }

  get #isFull(): boolean {
    return this.#held >= this.#bounds.maxParcels || this.#heldSize >= this.#bounds.maxSize;
  }

  async #start(parcel: PendingEnvelope): Promise<Outcome> {
    this.#inFlight += 1;
    try {
      return await this.#next(parcel);
    } finally {
      this.#inFlight -= 1;
      const first = this.#waiting.shift();
      first?.resolve(this.#start(first.parcel));
    }
  }

  /** Serialized before it waits: held as text of known size, which the host can no longer change. */
  #wait(parcel: PendingEnvelope): Promise<Outcome> {
    // biome-ignore lint/complexity/noVoid: the getter serializes
    void parcel.body;
    return new Promise((resolve) => this.#waiting.push({ parcel, resolve }));
  }

  #abandon(parcel: PendingEnvelope): Outcome {
    this.#drop('network_error', parcel.items);
    return { kind: 'unreachable', error: new Error('the transport was closed') };
  }
}
