import type { EnvelopeHeaders, EnvelopeItem } from './envelope.js';
import type { EnvelopeItemType } from './item-types.js';
import type { Quantities } from './outcome.js';
import type { Transport, TransportResponse } from './transport.js';

/**
 * One item on its way to the destination. Each kind of data has a builder in `items/`; later stages do not depend on
 * the kind.
 */
export interface OutgoingItem {
  /** The item as it is sent. */
  readonly content: EnvelopeItem;
  /** Counted as captured before sending, and as delivered or discarded when the outcome is known. */
  readonly quantities: Quantities;
  /** Headers of the item's envelope. */
  readonly envelopeHeaders?: Pick<EnvelopeHeaders, 'event_id' | 'trace'>;
  /** Builds a smaller form, for a destination that finds this one too large; `undefined` when there is none. */
  readonly shrink?: () => OutgoingItem | undefined;
  /** Called once, after the ledger has counted the outcome; not for items rejected before sending. */
  readonly onAnswer?: (response: TransportResponse) => void;
}

/** Sends the client's items. Built in transport/ and connected to the client by `init`. */
export interface Outbox {
  /** `undefined` without a destination. */
  readonly transport?: Transport | undefined;
  /** Whether user code gets the items: a custom transport that `createTransport` did not make. */
  readonly showsItems?: boolean;
  /** Sends items in one envelope. Never throws; the ledger counts the outcome of each item. */
  send(items: readonly OutgoingItem[]): void;
  /** Whether items of a type sent now would be discarded as `queue_overflow`, so that callers need not build them. */
  isFull(type: EnvelopeItemType | undefined): boolean;
  /**
   * Resolves to whether everything sent so far was delivered, discarded or stored in time; sends the client report first.
   * If so, also sends what is stored on disk in the time that remains.
   */
  flush(timeoutMillis?: number): Promise<boolean>;
  /**
   * After a successful flush: waits for what was captured during it, and so on, a few times, for two seconds at most. What is in
   * flight at the end counts as lost, although it may arrive.
   *
   * @param left milliseconds that remain; `undefined` for no limit
   */
  flushRest(left: () => number | undefined): Promise<void>;
  /** Whether something is stored on disk that this process could send. Synchronous. */
  hasStored(): boolean;
  /**
   * Called when the process ends: writes what is not settled, and a last client report, to the store on disk, or discards
   * it. Synchronous. Items that are sent later are stored at once.
   *
   * @param finish sends what is not here yet, so that it is stored together with the rest
   */
  storeUnsent(finish?: () => void): void;
  /** Stores what is not settled and stops timers and connections; items sent later are discarded. */
  close(): void;
}
