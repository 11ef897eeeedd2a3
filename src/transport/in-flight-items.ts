import type { TransportResponse } from '../model/contracts.js';
import type { EnvelopeItem } from '../model/envelope.js';
import type { Ledger } from '../model/ledger.js';
import type { DiscardReason, Quantities } from '../model/outcome.js';

const TOO_MANY_REQUESTS = 429;

/**
 * The items that have left the client and whose end the ledger does not know yet. More than one may speak of the end of
 * an item (the transport that drops it, the answer to the rest of its envelope); the first counts, so that every
 * item is counted exactly once, whatever a transport of the host's says or says twice.
 */
export class InFlightItems {
  readonly #ledger: Ledger;
  readonly #quantities = new Map<EnvelopeItem, Quantities>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** @param quantities what the ledger has as captured for this item, and gets back as delivered or discarded */
  add(item: EnvelopeItem, quantities: Quantities): void {
    this.#quantities.set(item, quantities);
  }

  /** Discards an item that is unsettled; of others nothing happens. */
  discard(reason: DiscardReason, item: EnvelopeItem, report?: boolean): void {
    const quantities = this.#take(item);
    if (quantities !== undefined) this.#ledger.discard(reason, quantities, report);
  }

  /**
   * Settles an item by the answer for its envelope.
   *
   * @returns whether this delivered it
   */
  settle(item: EnvelopeItem, response: TransportResponse): boolean {
    const reason = refusalOf(response);
    if (reason !== undefined) {
      // What a server refuses as too much it has counted by itself.
      this.discard(reason, item, reason !== 'ratelimit_backoff');
      return false;
    }
    const quantities = this.#take(item);
    if (quantities !== undefined) this.#ledger.deliver(quantities);
    return quantities !== undefined;
  }

  #take(item: EnvelopeItem): Quantities | undefined {
    const quantities = this.#quantities.get(item);
    this.#quantities.delete(item);
    return quantities;
  }
}

/** Why an answer means that the envelope was lost. Without a status it was taken: unreachable is said by a rejection. */
function refusalOf({ statusCode }: TransportResponse): DiscardReason | undefined {
  if (statusCode === undefined || (statusCode >= 200 && statusCode < 300)) return undefined;
  return statusCode === TOO_MANY_REQUESTS ? 'ratelimit_backoff' : 'send_error';
}
