import type { EnvelopeItemType, Priority } from './item-types.js';
import type { Quantities } from './outcome.js';

/** The store on disk, for what cannot be sent: errors, feedback, sessions and client reports. */
export interface StoreOptions {
  /** @default the variable `FAULTLINE_STORE_DIR`, else the temporary folder of the system */
  directory?: string | undefined;
  /** Bytes on disk for one user and destination; the oldest are discarded first, errors last. @default 32 MiB */
  maxBytes?: number | undefined;
  /** Number of envelopes, likewise. @default 5000 */
  maxItems?: number | undefined;
  /** Milliseconds after which an envelope is discarded. @default 24 hours */
  maxAgeMillis?: number | undefined;
  /** Also stores transactions. @default false */
  transactions?: boolean | undefined;
}

/** The options for what is kept, with their defaults. */
export type StoreLimits = {
  readonly [Limit in Exclude<keyof StoreOptions, 'directory'>]-?: NonNullable<StoreOptions[Limit]>;
};

/** An envelope in the form in which it is stored. */
export interface SerializedEnvelope {
  readonly priority: Priority;
  /** What the ledger counts for all of its items. */
  readonly quantities: Quantities;
  readonly body: string | Uint8Array;
}

/**
 * The place of an envelope on disk: its own file, or one shared with envelopes that were written at the same time.
 * While it is held, no other process sends the envelope, unless the one that holds it has died.
 *
 * Methods that return a boolean return whether they succeeded; none throws or rejects.
 */
export interface EnvelopeFile {
  /** Whether it was taken from the disk, and other envelopes in it are not settled. */
  readonly isShared: boolean;
  /** Whether it has been written. */
  readonly isOnDisk: boolean;
  /** Writes the file and holds it. */
  holdSync(): boolean;
  /**
   * Leaves the envelope, and others of its file, to the process that takes them first; writes the file unless it is held.
   *
   * @param notBeforeMillis when it may be taken, in Unix milliseconds; by default at once
   */
  releaseSync(notBeforeMillis?: number): boolean;
  release(notBeforeMillis?: number): Promise<boolean>;
  /** Deletes the envelope if the file is held. */
  remove(): Promise<void>;
}

/** An envelope whose file this process holds, in order to send it. */
export interface TakenEnvelope extends Pick<SerializedEnvelope, 'quantities'> {
  readonly body: Uint8Array;
  readonly file: EnvelopeFile;
}

/** Whether an envelope may be sent now; otherwise it stays stored. @param quantities what the ledger counts for it */
export type MaySend = (quantities: Quantities) => boolean;

/** Keeps envelopes on disk, beyond the end of the process. Any number of processes share a store. */
export interface EnvelopeStore {
  /** The folder; `undefined` once nothing could be written to it. */
  readonly path: string | undefined;
  /** Whether envelopes of a type are stored at all. */
  accepts(type: EnvelopeItemType | undefined): boolean;
  /** Divides envelopes into those that may share a file. */
  group<Envelope extends SerializedEnvelope>(envelopes: readonly Envelope[]): Envelope[][];
  /** Prepares the file of one envelope, or of a group; nothing is written yet. */
  createFile(...envelopes: readonly SerializedEnvelope[]): EnvelopeFile;
  /** Writes envelopes, many to a file, and releases them. Never throws. @returns those that were written */
  writeSync<Envelope extends SerializedEnvelope>(envelopes: readonly Envelope[], notBeforeMillis?: number): Envelope[];
  /**
   * Takes the envelope to be sent next. The previous one must have been removed or released. Resolves to `undefined` when
   * no readable envelope is left; never rejects.
   *
   * @param maySend by default all
   */
  take(maySend?: MaySend): Promise<TakenEnvelope | undefined>;
  /**
   * Whether the last `take` skipped files that may be taken later: they are postponed, or could not be read for a reason
   * that may pass.
   */
  readonly mayTakeLater: boolean;
  /** Whether there is nothing to take. Synchronous; never throws. */
  isEmpty(): boolean;
  /** Releases what this process holds and has not taken, for other processes; finishes deletions that have begun. */
  releaseSync(): void;
}
