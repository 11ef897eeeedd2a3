import type { Priority } from './envelope.js';
import type { Quantities } from './outcome.js';

/** The store on disk, for what cannot be sent: errors, feedback, sessions and client reports. */
export interface StoreOptions {
  /** @default the variable `FAULTLINE_STORE_DIR`, else the temporary folder of the system */
  directory?: string | undefined;
  /** Bytes on disk for one user and destination; the oldest are discarded first, errors last. @default 32 MiB */
  maxBytes?: number | undefined;
  /** Number of files, likewise. @default 5000 */
  maxItems?: number | undefined;
  /** Milliseconds after which an envelope is discarded. @default 24 hours */
  maxAgeMillis?: number | undefined;
  /** Also stores transactions. @default false */
  transactions?: boolean | undefined;
}

/** An envelope in the form in which it is stored. */
export interface SerializedEnvelope {
  readonly priority: Priority;
  /** What the ledger counts for all of its items. */
  readonly quantities: Quantities;
  readonly body: string | Uint8Array;
}

/**
 * The file of one envelope. While it is held, no other process sends the envelope, unless the one that holds it has died.
 * Methods that return a boolean return whether they succeeded; none throws or rejects.
 */
export interface EnvelopeFile {
  /** Writes the file and holds it. */
  holdSync(): boolean;
  /** Leaves the envelope to the process that takes it first; writes the file unless it is held. */
  releaseSync(): boolean;
  release(): Promise<boolean>;
  /** Deletes the file if it is held. */
  remove(): Promise<void>;
}

/** An envelope whose file this process holds, in order to send it. */
export interface TakenEnvelope extends SerializedEnvelope {
  readonly body: Uint8Array;
  readonly file: EnvelopeFile;
}

/** Keeps envelopes on disk, beyond the end of the process. Any number of processes share a store. */
export interface EnvelopeStore {
  /** Whether envelopes of a priority are stored at all. */
  accepts(priority: Priority): boolean;
  /** Prepares the file of an envelope; nothing is written yet. */
  createFile(envelope: SerializedEnvelope): EnvelopeFile;
  /** Takes the envelope to be sent next. Resolves to `undefined` when none is left; never rejects. */
  take(): Promise<TakenEnvelope | undefined>;
}
