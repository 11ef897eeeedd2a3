import { isMainThread } from 'node:worker_threads';
import type { Clock } from '../../internal/clock.js';
import { createLogger } from '../../internal/diag.js';
import { runDetached } from '../../internal/run-detached.js';
import type { EnvelopeItem } from '../../model/delivery/envelope.js';
import { type EnvelopeItemType, traitsOf } from '../../model/delivery/item-types.js';
import type { Ledger } from '../../model/delivery/ledger.js';
import type { Quantities } from '../../model/delivery/outcome.js';
import type {
  EnvelopeFile,
  EnvelopeStore,
  MaySend,
  SerializedEnvelope,
  TakenEnvelope,
} from '../../model/delivery/store.js';
import type { ErrorEvent } from '../../model/event/event.js';
import { kindOfAnswer } from '../answer.js';
import { parseStored } from '../formats/known-formats.js';
import type { WireFormat } from '../formats/wire-format.js';
import { readClientReport } from '../outbox/client-report.js';
import type { InFlightItems } from '../outbox/in-flight-items.js';
import { type Outcome, PendingEnvelope } from '../pending-envelope.js';

/** Mechanisms of errors that end the process. */
const CRASH_MECHANISM = /^auto\.node\.onu/;

/**
 * Pause before other processes send what was stored because no answer came. Otherwise the parent process, or the thread that
 * started this one, would wait for the same destination at its own end.
 */
const PAUSE_MILLIS = 5000;
/** Pause of a stored envelope that fails while others are answered. */
const PAUSE_ALONE_MILLIS = 60_000;

const log = createLogger('store');

interface SpoolParts {
  readonly store: EnvelopeStore;
  readonly format: WireFormat;
  readonly ledger: Ledger;
  readonly inFlight: InFlightItems;
  readonly clock: Clock;
}

interface Serialized extends SerializedEnvelope {
  readonly envelope: PendingEnvelope;
}

/** Envelopes that are written together, in as few files as possible, once earlier writes have ended. */
interface Batch {
  readonly envelopes: PendingEnvelope[];
  readonly written: Promise<void>;
}

/** Moves envelopes between the transport and the store on disk, and counts them on the way. Its methods never throw. */
export class Spool {
  readonly #parts: SpoolParts;
  /** The last write in the background, for which the next one waits. */
  #lastWrite: Promise<unknown> = Promise.resolve();
  /** What comes while that write lasts: one write for each would lag behind in a busy event loop. */
  #batch: Batch | undefined;
  readonly #stored = new WeakSet<PendingEnvelope>();
  /** What `storeSync` has stored, or could not store: nothing writes it in the background any longer. */
  readonly #decided = new WeakSet<PendingEnvelope>();
  /** Whether the store may have envelopes that no process is sending, and that may be sent now. */
  mayHaveMore = true;

  constructor(parts: SpoolParts) {
    this.#parts = parts;
  }

  /** Whether envelopes of a type are stored at all. */
  accepts(type: EnvelopeItemType | undefined): boolean {
    return this.#parts.store.accepts(type);
  }

  /**
   * Stores a copy of an envelope that the process may not live long enough to send: one of a fatal error, or of any error in
   * a worker thread, which can be terminated at any moment.
   */
  protect(envelope: PendingEnvelope): void {
    const outdated = envelope.file;
    const file = isAtRisk(envelope.items) ? this.#createFile(envelope) : undefined;
    envelope.file = file?.holdSync() ? file : undefined;
    // What is left out is counted as discarded, and must not be sent from the copy.
    envelope.onRetain = envelope.file && (() => this.protect(envelope));
    runDetached('deleting a stored envelope', outdated?.remove());
  }

  /**
   * Stores envelopes in place of sending them.
   *
   * @param isAnswering whether it is worth sending them at once; else the destination gets a pause
   * @returns those that could be stored
   */
  storeSync(envelopes: readonly PendingEnvelope[], isAnswering: boolean): ReadonlySet<PendingEnvelope> {
    const notBeforeMillis = isAnswering ? undefined : this.#parts.clock() + PAUSE_MILLIS;
    // Several envelopes may share a file.
    const released = new Map<EnvelopeFile, boolean>();
    const stored = new Set<PendingEnvelope>();
    const fresh: Serialized[] = [];
    for (const envelope of envelopes) {
      const { file, isRecovered } = envelope;
      this.#decided.add(envelope);
      if (file && !released.has(file)) released.set(file, file.releaseSync(notBeforeMillis));
      // A recovered envelope is on disk until it is deleted.
      if (isRecovered || (file && released.get(file))) stored.add(envelope);
      else if (!file?.isOnDisk) {
        const serialized = this.#serialize(envelope);
        if (serialized) fresh.push(serialized);
      }
    }
    for (const { envelope } of this.#parts.store.writeSync(fresh, notBeforeMillis)) stored.add(envelope);
    for (const envelope of stored) this.#noteStored(envelope);
    return stored;
  }

  /** Whether nothing is stored that this process could send. */
  isEmpty(): boolean {
    return this.#parts.store.isEmpty();
  }

  /** Releases what this process holds and does not send, for other processes. */
  release(): void {
    this.#parts.store.releaseSync();
  }

  /** Stores an envelope in the background. @param failsAlone whether others are answered, so that this one has to pause */
  async store(envelope: PendingEnvelope, failsAlone = false): Promise<boolean> {
    // Serialized now, because the application may change what is in it.
    if (this.#serialize(envelope) === undefined) return false;
    if (failsAlone || envelope.file) return this.#writeNext(() => this.#write(envelope, failsAlone));
    this.#batch ??= this.#startBatch();
    this.#batch.envelopes.push(envelope);
    await this.#batch.written;
    return this.#stored.has(envelope);
  }

  #writeNext<Result>(write: () => Promise<Result>): Promise<Result> {
    const written = this.#lastWrite.then(write);
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  #startBatch(): Batch {
    const envelopes: PendingEnvelope[] = [];
    const written = this.#writeNext(async () => {
      this.#batch = undefined;
      const serialized = envelopes.flatMap((envelope) => this.#serialize(envelope) ?? []);
      for (const group of this.#parts.store.group(serialized)) {
        if (await this.#writeGroup(group)) continue;
        // A disk that has no room for one of them has none for the next.
        for (const one of group) if (!(await this.#writeGroup([one]))) return;
      }
    });
    return { envelopes, written };
  }

  /** Writes envelopes to one file. Their `file` is that one meanwhile, so that `storeSync` writes the same. */
  async #writeGroup(group: readonly Serialized[]): Promise<boolean> {
    const left = group.filter(({ envelope }) => !this.#decided.has(envelope));
    if (left.length === 0) return true;
    const file = this.#parts.store.createFile(...left);
    for (const { envelope } of left) envelope.file = file;
    const isWritten = await file.release();
    for (const { envelope } of left) {
      if (this.#decided.has(envelope)) continue;
      if (isWritten) this.#noteStored(envelope);
      else envelope.file = undefined;
    }
    return isWritten;
  }

  async #write(envelope: PendingEnvelope, failsAlone: boolean): Promise<boolean> {
    if (this.#decided.has(envelope)) return this.#stored.has(envelope);
    const notBeforeMillis = failsAlone ? this.#parts.clock() + PAUSE_ALONE_MILLIS : undefined;
    if (this.#moveOut(envelope, notBeforeMillis)) return true;
    envelope.file ??= this.#createFile(envelope);
    if (!(await envelope.file?.release(notBeforeMillis))) return false;
    this.#noteStored(envelope);
    return true;
  }

  /** Gives an envelope that has failed a file of its own, so that it does not delay those with which it shares one. */
  #moveOut(envelope: PendingEnvelope, notBeforeMillis: number | undefined): boolean {
    const serialized = envelope.file?.isShared && this.#serialize(envelope);
    if (!serialized || this.#parts.store.writeSync([serialized], notBeforeMillis).length === 0) return false;
    this.#noteStored(envelope);
    runDetached('deleting a stored envelope', envelope.file?.remove());
    return true;
  }

  /** Deletes the file of an envelope that is settled, if there is one. */
  settle(envelope: PendingEnvelope, outcome: Outcome): void {
    const { inFlight, ledger } = this.#parts;
    const { file } = envelope;
    if (outcome.kind === 'answered' && envelope.isRecovered) {
      const isDivisible = envelope.items.length > 1 && kindOfAnswer(outcome.response) === 'too_large';
      for (const item of isDivisible ? this.#storeApart(envelope) : envelope.items) {
        // The counts of a report that was not accepted are added to our next one, because nobody else will report them.
        if (!inFlight.settle(item, outcome.response)) ledger.returnUnreported(readClientReport(item));
      }
    }
    // Without a response, the file may be all that is left of the envelope.
    if (outcome.kind !== 'stored' && outcome.kind !== 'unreachable') {
      runDetached('deleting a stored envelope', file?.remove());
    }
  }

  /**
   * Stores each item by itself, so that a large attachment does not take its event with it. At once: if the process ended
   * before all are written, the next one would send some of them twice.
   *
   * @returns those that could not be stored
   */
  #storeApart(envelope: PendingEnvelope): EnvelopeItem[] {
    const { store, inFlight } = this.#parts;
    log.warn('the destination refused a stored envelope as too large: its items are sent again in separate requests');
    const parts = envelope.split();
    const written = store.writeSync(parts.flatMap((part) => this.#serialize(part) ?? [])).map((one) => one.envelope);
    for (const { items } of written) inFlight.remove(items[0]!);
    this.mayHaveMore = true;
    return parts.filter((part) => !written.includes(part)).flatMap(({ items }) => items);
  }

  /** Whether the last `take` skipped something that may be taken later, such as a file that could not be opened. */
  get mayTakeLater(): boolean {
    return this.#parts.store.mayTakeLater;
  }

  /** Takes the envelope to be sent next, of those that may be sent now. Resolves to `undefined` when there is none. */
  async take(maySend: MaySend): Promise<PendingEnvelope | undefined> {
    const { store } = this.#parts;
    for (let taken = await store.take(maySend); taken !== undefined; taken = await store.take(maySend)) {
      const envelope = this.#recover(taken);
      if (envelope !== undefined) return envelope;
    }
    this.mayHaveMore = false;
    return undefined;
  }

  #recover({ body, quantities, file }: TakenEnvelope): PendingEnvelope | undefined {
    const { ledger, inFlight, format } = this.#parts;
    const envelope = parseStored(body);
    if (envelope === undefined) {
      log.warn('a stored envelope cannot be read; it is discarded');
      ledger.recover(quantities);
      ledger.discard('internal_sdk_error', quantities);
      runDetached('deleting a stored envelope', file.remove());
      return undefined;
    }
    const items = envelope[1];
    const shares = shareOut(quantities, items);
    for (const [index, item] of items.entries()) inFlight.add(item, shares[index]!, true);
    return new PendingEnvelope(envelope, format, file);
  }

  #createFile(envelope: PendingEnvelope): EnvelopeFile | undefined {
    const serialized = this.#serialize(envelope);
    return serialized && this.#parts.store.createFile(serialized);
  }

  #serialize(envelope: PendingEnvelope): Serialized | undefined {
    const { priority, items } = envelope;
    try {
      return { envelope, priority, quantities: this.#parts.inFlight.quantitiesOf(items), body: envelope.serialize() };
    } catch (error) {
      log.error('an envelope cannot be serialized, and is not stored', error);
      return undefined;
    }
  }

  #noteStored(envelope: PendingEnvelope): void {
    this.mayHaveMore = true;
    this.#stored.add(envelope);
    this.#parts.inFlight.store(envelope.items);
  }
}

function isAtRisk([first]: readonly EnvelopeItem[]): boolean {
  if (first?.[0].type !== 'event') return false;
  if (!isMainThread) return true;
  const { level, exception } = first[1] as ErrorEvent;
  const isCrash = exception?.values?.some(({ mechanism }) => CRASH_MECHANISM.test(mechanism?.type ?? ''));
  return level === 'fatal' || isCrash === true;
}

/** What the ledger counts for each item of a stored envelope: one for those that follow the first, which has the rest. */
function shareOut(quantities: Quantities, [, ...others]: readonly EnvelopeItem[]): Quantities[] {
  const rest = new Map(quantities);
  const shares = others.map(([{ type }]): Quantities => {
    const { category } = traitsOf(type);
    const count = rest.get(category) ?? 0;
    // The application may have added items that are not counted.
    if (count === 0) return [];
    rest.set(category, count - 1);
    return [[category, 1]];
  });
  return [[...rest].filter(([, count]) => count > 0), ...shares];
}
