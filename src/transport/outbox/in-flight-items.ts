import { type Linkable, LinkedSet } from '../../internal/collections/linked-set.js';
import { createPrivateSlot } from '../../internal/collections/private-slot.js';
import type { EnvelopeItem } from '../../model/delivery/envelope.js';
import type { Ledger } from '../../model/delivery/ledger.js';
import { type DiscardReason, type Quantities, sumQuantities } from '../../model/delivery/outcome.js';
import type { TransportResponse } from '../../model/delivery/transport.js';
import { kindOfAnswer } from '../answer.js';

/** What became of an item that was not sent: on disk, or discarded for a reason. */
export type Fate = 'stored' | DiscardReason;

interface Entry extends Linkable<Entry> {
  readonly item: EnvelopeItem;
  readonly quantities: Quantities;
  readonly isRecovered: boolean;
  fate: Fate | undefined;
}

/**
 * The items that were sent and have no outcome yet. The outcome of an item may be reported more than once (by the transport
 * that drops it, and by the response to the rest of its envelope). Only the first report counts, so that each item is counted
 * exactly once even if a custom transport repeats itself.
 */
export class InFlightItems {
  readonly #ledger: Ledger;
  readonly #entries = new LinkedSet<Entry>();
  /** Also of items that are no longer in flight. */
  readonly #entryOf = createPrivateSlot<Entry>();
  /** Whether the destination has accepted anything, also of an earlier process. */
  hasDelivered = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /**
   * @param quantities what the ledger counted as captured for this item
   * @param isRecovered whether it comes from the store on disk. The ledger counts it as stored until it is settled, so that
   *   attempts to send it that fail count nothing.
   */
  add(item: EnvelopeItem, quantities: Quantities, isRecovered = false): void {
    const entry: Entry = { item, quantities, isRecovered, fate: undefined };
    this.#entries.add(entry);
    this.#entryOf.set(item, entry);
  }

  /** Counts an item as discarded. Does nothing for items that are not in flight. */
  discard(reason: DiscardReason, item: EnvelopeItem, report?: boolean): void {
    const entry = this.#takeSettled(item);
    if (entry === undefined) return;
    entry.fate = reason;
    this.#ledger.discard(reason, entry.quantities, report);
  }

  /**
   * Settles an item by the answer to its envelope.
   *
   * @param response `undefined` when no answer came
   * @returns whether it was delivered, or is stored on disk
   */
  settle(item: EnvelopeItem, response: TransportResponse | undefined): boolean {
    if (this.fateOf(item) === 'stored') return true;
    const reason = response === undefined ? 'network_error' : refusalOf(response);
    if (reason !== undefined) {
      // An item that a server refused with 429 is in the server's own count already.
      this.discard(reason, item, reason !== 'ratelimit_backoff');
      return false;
    }
    const entry = this.#takeSettled(item);
    if (entry === undefined) return false;
    this.hasDelivered = true;
    this.#ledger.deliver(entry.quantities);
    return true;
  }

  /** What is counted for items that are in flight, by category. */
  quantitiesOf(items: readonly EnvelopeItem[]): Quantities {
    return sumQuantities(items.map((item) => this.#find(item)?.quantities ?? []));
  }

  /** Counts items as stored on disk. The outcome of their envelope, which is not sent, is then ignored. */
  store(items: readonly EnvelopeItem[]): void {
    for (const item of items) {
      const entry = this.#take(item);
      if (entry === undefined) continue;
      entry.fate = 'stored';
      if (!entry.isRecovered) this.#ledger.store(entry.quantities);
    }
  }

  /** What became of an item that was not sent. */
  fateOf(item: EnvelopeItem | undefined): Fate | undefined {
    return item && this.#entryOf.get(item)?.fate;
  }

  /** Whether an item has no outcome yet. */
  has(item: EnvelopeItem): boolean {
    return this.#find(item) !== undefined;
  }

  /** Takes an item back that is going to be added in another form. */
  remove(item: EnvelopeItem): void {
    this.#take(item);
  }

  /** Counts all items that are in flight as discarded. */
  discardAll(reason: DiscardReason): void {
    for (const { item } of this.#entries) this.discard(reason, item);
  }

  /** Takes an item whose outcome is about to be counted. */
  #takeSettled(item: EnvelopeItem): Entry | undefined {
    const entry = this.#take(item);
    if (entry?.isRecovered) this.#ledger.recover(entry.quantities);
    return entry;
  }

  #find(item: EnvelopeItem): Entry | undefined {
    const entry = this.#entryOf.get(item);
    return entry && this.#entries.has(entry) ? entry : undefined;
  }

  #take(item: EnvelopeItem): Entry | undefined {
    const entry = this.#find(item);
    if (entry) this.#entries.delete(entry);
    return entry;
  }
}

/** Why a response means that the envelope is lost; `undefined` if it was accepted. No status counts as accepted. */
function refusalOf(response: TransportResponse): DiscardReason | undefined {
  const kind = kindOfAnswer(response);
  if (kind === 'accepted' || kind === 'unknown') return undefined;
  return kind === 'limited' ? 'ratelimit_backoff' : 'send_error';
}
