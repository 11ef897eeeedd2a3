import type { EventEmitter } from 'node:events';
import type { InnerClient } from '../../model/inner-client.js';
import type { Quantities } from '../../model/outcome.js';
import { RequestSession, type RequestStatus } from '../../model/request-session.js';
import type { SessionAggregates } from '../../model/session.js';
import type { ReceivedMessage } from './incoming-request.js';

const MILLIS_PER_MINUTE = 60_000;
const FLUSH_INTERVAL_MILLIS = 60_000;
/** What servers take; beyond it the counts leave at once. */
const MAX_BUCKETS = 100;
const ENVELOPE_TYPE = 'application/x-sentry-envelope';
const ONE_ITEM: Quantities = [['session', 1]];

type Bucket = SessionAggregates['aggregates'][number];

/**
 * Counts requests by the minute of their end and by how they went. The counts leave as one item: when a minute has
 * passed since the first of them, and whenever the client flushes. In the ledger the item is one `session`, captured
 * when it begins.
 */
export class RequestSessions {
  readonly #client: InnerClient;
  readonly #attributes: SessionAggregates['attrs'];
  readonly #buckets = new Map<number, Bucket>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(client: InnerClient, release: string) {
    this.#client = client;
    this.#attributes = { release, environment: client.settings.environment };
    client.on('flush', () => this.#flush());
  }

  /**
   * The session of a request, which ends with its response: sent, or cut off.
   *
   * @returns `undefined` for what an SDK posts, because a process that takes its own would never come to an end with it
   */
  begin({ headers }: ReceivedMessage, response: EventEmitter): RequestSession | undefined {
    if (headers['content-type'] === ENVELOPE_TYPE) return undefined;
    const session = new RequestSession((status) => this.#count(status));
    response.once('close', () => session.end());
    return session;
  }

  /** From now on nothing is counted; what has been leaves with the next flush of the client. */
  stop(): void {
    this.#isStopped = true;
  }

  #count(status: RequestStatus): void {
    if (this.#isStopped) return;
    const minute = Math.floor(Date.now() / MILLIS_PER_MINUTE);
    let bucket = this.#buckets.get(minute);
    if (bucket === undefined) {
      this.#makeRoom();
      const started = new Date(minute * MILLIS_PER_MINUTE).toISOString();
      bucket = { started, exited: 0, errored: 0, crashed: 0 };
      this.#buckets.set(minute, bucket);
    }
    bucket[status] += 1;
  }

  #makeRoom(): void {
    if (this.#buckets.size >= MAX_BUCKETS) this.#flush();
    if (this.#buckets.size > 0) return;
    this.#client.ledger.capture(ONE_ITEM);
    this.#timer = setTimeout(() => this.#flush(), FLUSH_INTERVAL_MILLIS).unref();
  }

  #flush(): void {
    if (this.#buckets.size === 0) return;
    clearTimeout(this.#timer);
    const aggregates = [...this.#buckets.values()];
    this.#buckets.clear();
    this.#client.sendSessionAggregates({ attrs: this.#attributes, aggregates });
  }
}
