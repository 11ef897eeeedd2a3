/** @typedef {import('./read-request.js').Json} Json */
/** @typedef {import('./read-request.js').ReceivedItem} ReceivedItem */
/** @typedef {import('./read-request.js').ReceivedEnvelope} ReceivedEnvelope */
/** @typedef {import('./read-request.js').ReceivedRequest} ReceivedRequest */

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
  /** Everything that was asked, in the order in which it was complete. @type {ReceivedRequest[]} */
  requests = [];
  /** @type {ReceivedEnvelope[]} */
  envelopes = [];
  /** What a strict server would have objected to; one sentence each. @type {string[]} */
  violations = [];

  /** The payloads of the error events. */
  get events() {
    return this.#payloads('event');
  }

  /** The payloads of the transactions. */
  get transactions() {
    return this.#payloads('transaction');
  }

  get clientReports() {
    return this.#payloads('client_report');
  }

  /** Items: the file names are in their headers, the bytes in `payload`. */
  get attachments() {
    return this.items('attachment');
  }

  /**
   * @param {string} [type] of all types when absent
   * @returns {ReceivedItem[]}
   */
  items(type) {
    const items = this.envelopes.flatMap((envelope) => envelope.items);
    return type === undefined ? items : items.filter(({ headers }) => headers.type === type);
  }

  /**
   * How much was received, by category. The spans of a transaction, the root included, also count under `span`.
   *
   * @returns {Record<string, number>}
   */
  counts() {
    return countByCategory(this.items());
  }

  /**
   * How much was answered with 429, by category. The server has counted these itself, so that no report names them.
   *
   * @returns {Record<string, number>}
   */
  refused() {
    const refused = this.requests.filter(({ statusCode }) => statusCode === REFUSED);
    return countByCategory(refused.flatMap(({ envelope }) => envelope?.items ?? []));
  }

  /**
   * Discards named in client reports.
   *
   * @returns {{ reason: string, category: string, quantity: number }[]} one entry for each reason and category
   */
  discards() {
    /** @type {Map<string, { reason: string, category: string, quantity: number }>} */
    const sums = new Map();
    for (const { reason, category, quantity } of this.clientReports.flatMap((report) => report['discarded_events'])) {
      const sum = sums.get(`${reason}:${category}`) ?? { reason, category, quantity: 0 };
      sums.set(`${reason}:${category}`, { ...sum, quantity: sum.quantity + quantity });
    }
    return [...sums.values()];
  }

  /**
   * How many discards the client reports name in total.
   *
   * @param {string} [reason] any when absent
   * @param {string} [category] any when absent
   */
  discardedTotal(reason, category) {
    return this.discards()
      .filter((discard) => reason === undefined || discard.reason === reason)
      .filter((discard) => category === undefined || discard.category === category)
      .reduce((total, discard) => total + discard.quantity, 0);
  }

  /** Forgets what arrived. */
  clear() {
    this.requests = [];
    this.envelopes = [];
    this.violations = [];
  }

  /**
   * @param {string} type
   * @returns {Json[]}
   */
  #payloads(type) {
    return this.items(type).map(({ json }) => /** @type {Json} */ (json));
  }
}

/**
 * @param {ReceivedItem[]} items
 * @returns {Record<string, number>}
 */
function countByCategory(items) {
  /** @type {Record<string, number>} */
  const counts = {};
  const add = (/** @type {string} */ category, /** @type {number} */ quantity) => {
    counts[category] = (counts[category] ?? 0) + quantity;
  };
  for (const { headers, json } of items) {
    add(CATEGORY_OF.get(headers.type) ?? headers.type, 1);
    if (headers.type === 'transaction') add('span', 1 + (json?.['spans']?.length ?? 0));
  }
  return counts;
}
