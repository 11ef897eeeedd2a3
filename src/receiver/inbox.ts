import { discardsIn, toList } from './read-json.js';
import type { Discard, Json, ReceivedEnvelope, ReceivedItem, ReceivedRequest } from './received.js';

const REFUSED = 429;

/** The category under which an item is counted; those that are not listed are counted under their own type. */
const CATEGORY_OF = new Map([
  ['event', 'error'],
  ['sessions', 'session'],
  ['client_report', 'internal'],
  ['replay_event', 'replay'],
]);

/** What arrived. Only what was answered with 2xx counts as received; `requests` has the rest as well. */
export class Inbox {
  /** All requests, in the order in which they were complete. */
  requests: ReceivedRequest[] = [];
  envelopes: ReceivedEnvelope[] = [];
  /** What a strict server would have objected to; one sentence each. */
  violations: string[] = [];

  /** The payloads of the error events. */
  get events(): Json[] {
    return this.#payloads('event');
  }

  /** The payloads of the transactions. */
  get transactions(): Json[] {
    return this.#payloads('transaction');
  }

  get clientReports(): Json[] {
    return this.#payloads('client_report');
  }

  /** Items: the file names are in their headers, the bytes in `payload`. */
  get attachments(): ReceivedItem[] {
    return this.items('attachment');
  }

  /** @param type of all types when absent */
  items(type?: string): ReceivedItem[] {
    const items = this.envelopes.flatMap((envelope) => envelope.items);
    return type === undefined ? items : items.filter(({ headers }) => headers.type === type);
  }

  /** How much was received, by category. The spans of a transaction, the root included, also count under `span`. */
  counts(): Record<string, number> {
    return countByCategory(this.items());
  }

  /** How much was answered with 429, by category. The server has counted these itself, so that no report names them. */
  refused(): Record<string, number> {
    const refused = this.requests.filter(({ statusCode }) => statusCode === REFUSED);
    return countByCategory(refused.flatMap(({ envelope }) => envelope?.items ?? []));
  }

  /** Discards named in client reports: one entry for each reason and category. */
  discards(): Discard[] {
    const sums = new Map<string, Discard>();
    for (const { reason, category, quantity } of discardsIn(this.items())) {
      const sum = sums.get(`${reason}:${category}`) ?? { reason, category, quantity: 0 };
      sums.set(`${reason}:${category}`, { ...sum, quantity: sum.quantity + quantity });
    }
    return [...sums.values()];
  }

  /**
   * How many discards the client reports name in total.
   *
   * @param reason any when absent
   * @param category any when absent
   */
  discardedTotal(reason?: string, category?: string): number {
    return this.discards()
      .filter((discard) => reason === undefined || discard.reason === reason)
      .filter((discard) => category === undefined || discard.category === category)
      .reduce((total, discard) => total + discard.quantity, 0);
  }

  /** Forgets what arrived. */
  clear(): void {
    this.requests = [];
    this.envelopes = [];
    this.violations = [];
  }

  #payloads(type: string): Json[] {
    return this.items(type).map(({ json }) => json as Json);
  }
}

function countByCategory(items: readonly ReceivedItem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (category: string, quantity: number) => {
    counts[category] = (counts[category] ?? 0) + quantity;
  };
  for (const { headers, json } of items) {
    add(CATEGORY_OF.get(headers.type) ?? headers.type, 1);
    if (headers.type === 'transaction') add('span', 1 + toList(json?.['spans']).length);
  }
  return counts;
}
