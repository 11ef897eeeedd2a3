import type { EnvelopeHeaders, EnvelopeItem } from './envelope.js';
import type { Quantities } from './outcome.js';
import type { Transport, TransportResponse } from './transport.js';

/**
 * One item on its way to the destination. Each kind of data has a builder in `items/`; whatever takes the item further
 * needs to know nothing about the kind.
 */
export interface OutgoingItem {
  /** The item as it leaves. */
  readonly content: EnvelopeItem;
  /** Counted as captured before the item is sent; counted as delivered or discarded when its end is known. */
  readonly quantities: Quantities;
  /** Headers that the envelope around the item gets. */
  readonly envelopeHeaders?: Pick<EnvelopeHeaders, 'event_id' | 'trace'>;
  /** Called once, after the ledger has counted the item's end; not for items that were refused before they were sent. */
  readonly onAnswer?: (response: TransportResponse) => void;
}

/** Takes items out of the client. Built in transport/, joined to the client by init. */
export interface Outbox {
  /** `undefined` without a destination. */
  readonly transport?: Transport | undefined;
  /** Sends items in one envelope. Never throws; the ledger counts what became of each of them. */
  send(items: readonly OutgoingItem[]): void;
  /** Whether items that are sent now are discarded as `queue_overflow`, so that nobody has to build them. */
  readonly isFull: boolean;
  /** Resolves to whether everything sent so far was settled in time; sends the client report first. */
  flush(timeoutMillis?: number): Promise<boolean>;
  /** Stops timers and connections; items that are sent later are discarded. */
  close(): void;
}
