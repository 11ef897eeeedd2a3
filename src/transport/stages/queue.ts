import { monotonicMillis } from '../../internal/clock.js';
import { type Linkable, LinkedSet } from '../../internal/collections/linked-set.js';
import { settlesWithin } from '../../internal/deadline.js';
import { runDetached } from '../../internal/run-detached.js';
import { isInstance } from '../../internal/values/read.js';
import { type EnvelopeItemType, type Priority, traitsOf } from '../../model/delivery/item-types.js';
import { AbortedRequest } from '../aborted-request.js';
import { DROPPED, type Drop, type Outcome, type PendingEnvelope, type Send, STORED } from '../pending-envelope.js';
import { PromiseSet } from '../promise-set.js';
import type { Spool } from '../spool/spool.js';
import { Circuit } from './circuit.js';
import { type Failing, PausedEntries } from './paused-entries.js';
import type { Failure } from './retry.js';
import { type Occupant, Room, type RoomBounds } from './room.js';
import { WaitingList } from './waiting-list.js';

const IN_FLIGHT = 32;
/** A destination that has not answered for so long is unlikely to answer the next process at once. */
const UNANSWERED_MILLIS = 500;
/** With retries, the number grows up to this for a slow destination. */
export const MAX_IN_FLIGHT = 256;

/** Envelopes that are stored together when the queue is closed. */
const MAX_STORED_TOGETHER = 200;
/** Size of all envelopes that wait to be written to disk. */
const MAX_STORING_SIZE = 16 * 1024 * 1024;

export interface QueueBounds extends RoomBounds {
  /** Requests in flight at first, and at most without retries. @default 32 */
  readonly maxInFlight?: number;
}

/** What a queue may do beside sending. */
export interface QueueExtras {
  /** Why an outcome is not final; by default every outcome is. */
  readonly failureToRetry?: ((outcome: Outcome) => Failure | undefined) | undefined;
  /** Takes what cannot be sent; by default it is dropped. */
  readonly spool?: Pick<Spool, 'accepts' | 'store' | 'storeSync'> | undefined;
  /** Called when nothing waits and the destination takes more. */
  readonly onIdle?: () => void;
  /** Called once, with the last failure, if requests fail for long and none was answered. */
  readonly onNeverAnswered?: ((why: unknown) => void) | undefined;
}

interface Entry extends Linkable<Entry>, Occupant, Failing {
  readonly envelope: PendingEnvelope;
  readonly resolve: (outcome: Outcome) => void;
  /** Counts up from one entry to the next. */
  readonly order: number;
}

/** A flush that waits. */
interface Flush {
  readonly sinceMillis: number;
  /** Called when it is useless to wait for these entries: stores those that can be stored. */
  readonly giveUp: (entries: WaitingList<Entry> | PausedEntries<Entry>) => void;
}

/**
 * The stage that bounds memory, by number and size of envelopes, and that retries. Waiting envelopes leave by priority, then
 * in order of arrival. When there is no room, an envelope of lower priority gives up its place. With a spool, envelopes go to
 * disk while the destination is down. An envelope that fails while others are answered does not delay them.
 */
export class Queue {
  readonly #next: Send;
  readonly #drop: Drop;
  readonly #room: Room;
  readonly #extras: QueueExtras;
  readonly #pending = new PromiseSet();
  readonly #circuit: Circuit;
  readonly #waiting = new WaitingList<Entry>();
  readonly #inFlight = new LinkedSet<Entry>();
  readonly #paused = new PausedEntries<Entry>((entry) => this.#resume(entry));
  /** Entries that are being written to disk. */
  readonly #storing = new Map<Entry, Promise<void>>();
  #storingSize = 0;
  readonly #flushes = new Set<Flush>();
  /** Since when requests are in flight, and neither an answer nor a connection error has come. */
  #unansweredSinceMillis: number | undefined;
  /** Whether the backlog of an outage is still being sent. */
  #isCatchingUp = false;
  #entries = 0;
  #isClosed = false;
  #isClosing = false;
  /** Whether requests waited for an answer in vain when the queue was closed. */
  #wasUnanswered = false;
  /** Entries that are about to be stored or dropped. */
  readonly #leaving: Entry[] = [];

  constructor(next: Send, drop: Drop, { maxInFlight = IN_FLIGHT, ...bounds }: QueueBounds, extras: QueueExtras = {}) {
    this.#next = next;
    this.#drop = drop;
    this.#room = new Room(bounds);
    this.#circuit = new Circuit({
      limit: maxInFlight,
      maxLimit: extras.failureToRetry ? MAX_IN_FLIGHT : maxInFlight,
      onReady: () => this.#startWaiting(),
      onNeverAnswered: extras.onNeverAnswered,
    });
    this.#extras = extras;
  }

  readonly send: Send = (envelope) => {
    const settled = new Promise<Outcome>((resolve) => {
      this.#entries += 1;
      const places = envelope.isReport || envelope.isRecovered ? 0 : 1;
      const entry: Entry = {
        envelope,
        places,
        resolve,
        order: this.#entries,
        size: 0,
        failures: 0,
        answersAtFailure: 0,
        pauses: 0,
      };
      if (this.#isClosed) this.#giveUp(entry);
      else this.#add(entry);
    });
    // A flush does not wait for recovered envelopes: they are safe on disk.
    if (!envelope.isRecovered) this.#pending.add(settled);
    return settled;
  };

  /** Whether an envelope of a type would be dropped now. */
  isFull(type: EnvelopeItemType | undefined): boolean {
    // After `close`, envelopes are stored, or dropped with a separate reason.
    if (this.#isClosed) return false;
    const { priority } = traitsOf(type);
    const isFull = this.#room.isFullFor(priority, this.#inFlight) && this.#paused.isEmpty;
    return isFull && !this.#waiting.hasBelow(priority) && !this.#canStore(type);
  }

  /** Whether nothing waits and the destination takes more. */
  get isIdle(): boolean {
    return this.#waiting.isEmpty && this.#inFlight.size < this.#circuit.permits;
  }

  /**
   * Resolves to whether every envelope accepted so far is settled in time. When the destination does not answer, stores
   * what can be stored; without a timeout, then gives up.
   */
  async flush(timeoutMillis?: number): Promise<boolean> {
    const settled = this.#pending.settled().then(() => true);
    for (const entry of this.#paused.takeAll()) this.#resume(entry);
    let flush!: Flush;
    const lost = new Promise<boolean>((resolve) => {
      const giveUp: Flush['giveUp'] = (entries) => {
        const stored = this.#storeAll(entries.takeAll((entry) => this.#accepts(entry)));
        if (timeoutMillis === undefined) resolve(stored.then(() => this.#isEmpty));
      };
      flush = { sinceMillis: monotonicMillis(), giveUp };
    });
    this.#flushes.add(flush);
    if (!this.#circuit.hurry()) flush.giveUp(this.#waiting);
    const isSettled = Promise.race([settled, lost]);
    const isInTime = await settlesWithin(isSettled, timeoutMillis);
    this.#flushes.delete(flush);
    return isInTime && isSettled;
  }

  /**
   * Stores or drops the envelopes that are not settled, and later ones. An envelope in flight that cannot be stored may still
   * be answered.
   *
   * @param finish sends further envelopes, which are stored in one file, because that costs less than many. Called after the
   *   present ones are stored: it may run user code, which may end the process at once
   */
  close(finish?: () => void): void {
    this.#isClosed = true;
    const unansweredSince = this.#unansweredSinceMillis;
    this.#wasUnanswered = unansweredSince !== undefined && monotonicMillis() - unansweredSince > UNANSWERED_MILLIS;
    this.#leaving.push(
      ...this.#inFlight,
      ...this.#storing.keys(),
      ...this.#waiting.takeAll(),
      ...this.#paused.takeAll(),
    );
    this.#storing.clear();
    this.#storeLeaving();
    this.#isClosing = true;
    try {
      finish?.();
    } finally {
      this.#isClosing = false;
      this.#storeLeaving();
      this.#circuit.close();
    }
  }

  #add(entry: Entry): void {
    const { envelope, places } = entry;
    if (places > 0 && !this.#makeRoom(envelope.priority)) this.#overflow(entry);
    else {
      this.#room.enter(entry);
      if (this.#inFlight.size < this.#circuit.permits) this.#start(entry);
      // Its copy on disk is held, so no other process sends it while this one lives.
      else if (envelope.file && this.#circuit.isLost) this.#store(entry);
      else this.#wait(entry);
    }
  }

  /** Takes the places of less important envelopes, as far as that is necessary. @returns whether there is room */
  #makeRoom(priority: Priority): boolean {
    while (this.#room.isFull) {
      const evicted =
        this.#waiting.takeBelow(priority) ??
        this.#paused.takeFirst(({ places, envelope }) => places > 0 && envelope.priority >= priority);
      if (evicted === undefined) break;
      this.#room.leave(evicted);
      this.#overflow(evicted);
    }
    return !this.#room.isFullFor(priority, this.#inFlight);
  }

  /** Stores or drops an envelope for which there is no place. */
  #overflow(entry: Entry): void {
    const drop = () => {
      this.#drop('queue_overflow', entry.envelope.items);
      entry.resolve(DROPPED);
    };
    if (this.#canStore(entry.envelope.type) || (entry.pauses > 0 && this.#accepts(entry))) this.#write(entry, drop);
    else drop();
  }

  /** The disk extends the queue only while the destination does not keep up. */
  #canStore(type: EnvelopeItemType | undefined): boolean {
    const { spool } = this.#extras;
    const keepsUp = this.#circuit.isAnswering && !this.#isCatchingUp;
    return !keepsUp && this.#storingSize < MAX_STORING_SIZE && spool?.accepts(type) === true;
  }

  /** Stores an envelope that has a place, which it gives up at once. If that fails, it waits. */
  #store(entry: Entry, failsAlone?: boolean): void {
    this.#room.leave(entry);
    const orElse = (): void => {
      this.#room.enter(entry);
      this.#wait(entry);
      this.#startWaiting();
    };
    this.#write(entry, orElse, failsAlone);
  }

  #write(entry: Entry, orElse: () => void, failsAlone?: boolean): void {
    const { envelope } = entry;
    const written = this.#extras.spool?.store(envelope, failsAlone) ?? Promise.resolve(false);
    const { size } = envelope;
    this.#storingSize += size;
    const ended = written.then((isStored) => {
      this.#storingSize -= size;
      // Unless `close` has settled it.
      if (!this.#storing.delete(entry)) return;
      if (isStored) entry.resolve(STORED);
      else orElse();
    });
    this.#storing.set(entry, ended);
    runDetached('storing an envelope', ended);
  }

  /** Resolves when all that is being stored is written. */
  async #storeAll(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) this.#store(entry);
    await Promise.all(this.#storing.values());
  }

  get #isEmpty(): boolean {
    return this.#waiting.isEmpty && this.#inFlight.size === 0 && this.#paused.isEmpty;
  }

  #accepts({ envelope }: Entry): boolean {
    return this.#extras.spool?.accepts(envelope.type) === true;
  }

  #startWaiting(): void {
    while (this.#inFlight.size < this.#circuit.permits) {
      // What has failed may be the reason.
      const probe = this.#circuit.isLost ? this.#waiting.takeFirst(hasNotFailed) : undefined;
      const entry = probe ?? this.#waiting.takeFirst();
      if (entry === undefined) {
        this.#isCatchingUp = false;
        this.#extras.onIdle?.();
        return;
      }
      this.#start(entry);
    }
  }

  #start(entry: Entry): void {
    this.#unansweredSinceMillis ??= monotonicMillis();
    this.#inFlight.add(entry);
    this.#circuit.noteRequest();
    const outcome = this.#next(entry.envelope);
    // By now the envelope is serialized, or has begun to be, unless a stage dropped it.
    this.#room.measure(entry);
    runDetached('sending an envelope', outcome, (result) => this.#end(entry, result));
  }

  #end(entry: Entry, outcome: Outcome): void {
    // Unless `close` has settled it.
    if (!this.#inFlight.delete(entry)) return;
    if (!wasGivenUp(outcome)) this.#unansweredSinceMillis = this.#inFlight.size > 0 ? monotonicMillis() : undefined;
    const failure = this.#isClosed ? undefined : this.#extras.failureToRetry?.(outcome);
    if (failure && this.#paused.noteFailure(entry) && failure.retryAfterMillis === undefined) this.#pause(entry);
    else if (failure) {
      this.#isCatchingUp = true;
      // While the destination counts as answering, a stored envelope that fails is taken to fail alone, and pauses.
      if (entry.envelope.isRecovered) this.#store(entry, this.#circuit.isAnswering && this.#paused.hasAnswers);
      else this.#waiting.add(entry);
      this.#circuit.noteFailure(failure.why, failure.retryAfterMillis);
      for (const flush of this.#flushes) if (this.#circuit.isLostSince(flush.sinceMillis)) flush.giveUp(this.#waiting);
      const copied = this.#circuit.isLost ? this.#waiting.takeAll(({ envelope }) => envelope.file !== undefined) : [];
      for (const one of copied) this.#store(one);
    } else {
      if (outcome.kind === 'answered') {
        this.#paused.noteAnswer();
        this.#circuit.noteAnswer(!this.#waiting.isEmpty);
      }
      this.#room.leave(entry);
      this.#settle(entry, outcome);
    }
    this.#startWaiting();
  }

  #pause(entry: Entry): void {
    if (this.#paused.add(entry)) for (const { giveUp } of this.#flushes) giveUp(this.#paused);
    else if (this.#accepts(entry)) this.#store(entry, true);
    else {
      this.#room.leave(entry);
      this.#drop('network_error', entry.envelope.items);
      entry.resolve(DROPPED);
    }
  }

  #resume(entry: Entry): void {
    this.#waiting.add(entry);
    this.#startWaiting();
  }

  /** Serializes the envelope before it waits, so that its size is known and the application can no longer change it. */
  #wait(entry: Entry): void {
    try {
      entry.envelope.freeze();
    } catch (error) {
      this.#room.leave(entry);
      this.#settle(entry, { kind: 'broken', error });
      return;
    }
    this.#room.measure(entry);
    this.#waiting.add(entry);
  }

  #settle({ envelope, resolve }: Entry, outcome: Outcome): void {
    if (outcome.kind === 'unreachable') this.#drop('network_error', envelope.items);
    if (outcome.kind === 'broken') this.#drop('internal_sdk_error', envelope.items);
    resolve(outcome);
  }

  #giveUp(entry: Entry): void {
    this.#leaving.push(entry);
    if (!this.#isClosing || this.#leaving.length >= MAX_STORED_TOGETHER) this.#storeLeaving();
  }

  #storeLeaving(): void {
    const { spool } = this.#extras;
    const leaving = this.#leaving.splice(0);
    const envelopes = leaving.map(({ envelope }) => envelope);
    const accepted = envelopes.filter(({ isRecovered, type }) => isRecovered || spool?.accepts(type));
    const stored = spool?.storeSync(accepted, !this.#wasUnanswered);
    for (const entry of leaving) {
      if (stored?.has(entry.envelope)) {
        this.#inFlight.delete(entry);
        entry.resolve(STORED);
      } else if (!this.#inFlight.has(entry)) {
        this.#settle(entry, { kind: 'unreachable', error: new Error('the transport was closed') });
      }
    }
  }
}

function hasNotFailed({ failures }: Entry): boolean {
  return failures === 0;
}

/** Whether a request was given up without knowing more about the destination. */
function wasGivenUp(outcome: Outcome): boolean {
  return outcome.kind === 'unreachable' && isInstance(outcome.error, AbortedRequest);
}
