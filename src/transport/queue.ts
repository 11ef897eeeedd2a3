import { settlesWithin } from '../internal/deadline.js';
import { runDetached } from '../internal/run-detached.js';
import { PRIORITIES } from '../model/envelope.js';
import { Circuit } from './circuit.js';
import { Pending } from './pending.js';
import { DROPPED, type Drop, type Outcome, type PendingEnvelope, type Send } from './pending-envelope.js';

const IN_FLIGHT = 32;
/** With retries, so many more are started as a slow destination needs. */
export const MAX_IN_FLIGHT = 256;

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
  /** Requests in flight at first, and at most without retries. @default 32 */
  readonly maxInFlight?: number;
}

/** Whether an outcome is not final, and how long the destination wants to be left alone. */
export type ReadFailure = (outcome: Outcome) => Failure | undefined;

export interface Failure {
  readonly why: unknown;
  readonly retryAfterMillis?: number | undefined;
}

interface Entry {
  readonly envelope: PendingEnvelope;
  /** 0 for a report: it tells of the overflow, and there is only one at a time. */
  readonly places: 0 | 1;
  readonly resolve: (outcome: Outcome) => void;
  /** Counts up from one entry to the next. */
  readonly order: number;
  /** Counted of this entry so far. */
  size: number;
}

/**
 * The stage that bounds memory, by the number of envelopes and by their size, and that tries again what failed. Waiting
 * envelopes leave by priority, then in the order in which they came. When there is no room, one of a lower priority gives
 * up its place.
 */
export class Queue {
  readonly #next: Send;
  readonly #drop: Drop;
  readonly #bounds: Required<Omit<QueueBounds, 'maxInFlight'>>;
  readonly #readFailure: ReadFailure | undefined;
  readonly #pending = new Pending();
  readonly #circuit: Circuit;
  /** By priority. */
  readonly #waiting: Entry[][] = PRIORITIES.map(() => []);
  #entries = 0;
  #inFlight = 0;
  #held = 0;
  #heldSize = 0;
  #isClosed = false;

  /** @param readFailure by default every outcome is final */
  constructor(next: Send, drop: Drop, bounds: QueueBounds, readFailure?: ReadFailure) {
    this.#next = next;
    this.#drop = drop;
    const { maxEnvelopes, maxSize = MAX_HELD_SIZE, maxInFlight = IN_FLIGHT } = bounds;
    this.#bounds = { maxEnvelopes, maxSize };
    this.#circuit = new Circuit(maxInFlight, readFailure ? MAX_IN_FLIGHT : maxInFlight, () => this.#startWaiting());
    this.#readFailure = readFailure;
  }

  readonly send: Send = (envelope) => {
    if (this.#isClosed) return Promise.resolve(this.#abandon(envelope));
    const places = envelope.isReport ? 0 : 1;
    if (places > 0 && !this.#makeRoom(envelope)) {
      this.#drop('queue_overflow', envelope.items);
      return Promise.resolve(DROPPED);
    }
    const settled = new Promise<Outcome>((resolve) => {
      this.#entries += 1;
      const entry: Entry = { envelope, places, resolve, order: this.#entries, size: 0 };
      this.#held += places;
      if (this.#inFlight < this.#circuit.permits) this.#start(entry);
      else this.#wait(entry);
    });
    this.#pending.add(settled);
    return settled;
  };

  /**
   * Resolves to whether every envelope accepted so far is settled in time. Without a timeout, gives up when the
   * destination does not answer.
   */
  async flush(timeoutMillis?: number): Promise<boolean> {
    const settled = this.#pending.settled().then(() => true);
    this.#circuit.hurry();
    if (timeoutMillis !== undefined) return settlesWithin(settled, timeoutMillis);
    let forget = () => {};
    const lost = new Promise<boolean>((resolve) => {
      forget = this.#circuit.onLost(() => resolve(false));
    });
    const isSettled = Promise.race([settled, lost]);
    await settlesWithin(isSettled, undefined);
    forget();
    return isSettled;
  }

  /** Drops the envelopes that wait, and those that come later. */
  close(): void {
    this.#isClosed = true;
    this.#circuit.close();
    for (const entry of this.#waiting.flatMap((list) => list.splice(0))) {
      this.#settle(entry, this.#abandon(entry.envelope));
    }
  }

  get #isFull(): boolean {
    return this.#held >= this.#bounds.maxEnvelopes || this.#heldSize >= this.#bounds.maxSize;
  }

  /** @returns whether there is room for an envelope, after others may have given up theirs */
  #makeRoom({ priority }: PendingEnvelope): boolean {
    while (this.#isFull) {
      const list = this.#waiting.findLast((one, index) => index > priority && one.length > 0);
      const evicted = list?.shift();
      if (evicted === undefined) return false;
      this.#drop('queue_overflow', evicted.envelope.items);
      this.#settle(evicted, DROPPED);
    }
    return true;
  }

  #startWaiting(): void {
    while (this.#inFlight < this.#circuit.permits) {
      const entry = this.#waiting.find((list) => list.length > 0)?.shift();
      if (entry === undefined) return;
      this.#start(entry);
    }
  }

  #start(entry: Entry): void {
    this.#inFlight += 1;
    const outcome = this.#next(entry.envelope);
    // By now the envelope is serialized, unless a stage dropped it.
    this.#measure(entry);
    runDetached(
      'sending an envelope',
      outcome.then((result) => this.#end(entry, result)),
    );
  }

  #end(entry: Entry, outcome: Outcome): void {
    this.#inFlight -= 1;
    const failure = this.#isClosed ? undefined : this.#readFailure?.(outcome);
    if (failure) {
      this.#circuit.noteFailure(failure.why, failure.retryAfterMillis);
      this.#putBack(entry);
    } else {
      if (outcome.kind === 'answered') this.#circuit.noteAnswer(this.#isAnyWaiting);
      this.#settle(entry, outcome);
    }
    this.#startWaiting();
  }

  /** Requests that were in flight together fail in any order. */
  #putBack(entry: Entry): void {
    const list = this.#waiting[entry.envelope.priority]!;
    const later = list.findIndex(({ order }) => order > entry.order);
    list.splice(later < 0 ? list.length : later, 0, entry);
  }

  get #isAnyWaiting(): boolean {
    return this.#waiting.some((list) => list.length > 0);
  }

  /** Serializes the envelope before it waits: its size is then known, and the application can no longer change it. */
  #wait(entry: Entry): void {
    try {
      entry.envelope.serialize();
    } catch (error) {
      this.#drop('network_error', entry.envelope.items);
      this.#settle(entry, { kind: 'broken', error });
      return;
    }
    this.#measure(entry);
    this.#waiting[entry.envelope.priority]!.push(entry);
  }

  #measure(entry: Entry): void {
    this.#heldSize += entry.envelope.size - entry.size;
    entry.size = entry.envelope.size;
  }

  #settle(entry: Entry, outcome: Outcome): void {
    this.#held -= entry.places;
    this.#heldSize -= entry.size;
    entry.resolve(outcome);
  }

  #abandon(envelope: PendingEnvelope): Outcome {
    this.#drop('network_error', envelope.items);
    return { kind: 'unreachable', error: new Error('the transport was closed') };
  }
}
