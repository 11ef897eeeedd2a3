import { nowMillis, toIsoTime } from '../../../internal/clock.js';
import { unref } from '../../../internal/unref.js';
import { isOwnRequest } from '../../../model/delivery/own-requests.js';
import type { InnerClient } from '../../../model/inner-client.js';
import { createSessionItem, ONE_SESSION } from '../../../model/items/session-item.js';
import { RequestSession, type RequestStatus } from '../../../model/request-session.js';
import type { SessionAggregates } from '../../../model/session.js';
import type { ReceivedMessage } from './incoming-request.js';

const MILLIS_PER_MINUTE = 60_000;
/** Limit imposed by servers. Once it is reached, the counts are sent immediately. */
const MAX_BUCKETS = 100;

type Bucket = SessionAggregates['aggregates'][number];

/**
 * Counts requests by outcome and by the minute in which they ended. The counts are sent as one item:
 * `sessionIntervalMillis` after the first request, and at each flush. The ledger counts the item as one `session`, captured
 * with its first request.
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
   * Begins a request's session. The caller ends it when the response closes.
   *
   * @returns `undefined` for envelopes posted by an SDK
   */
  begin({ headers }: ReceivedMessage): RequestSession | undefined {
    if (isOwnRequest(headers['content-type'])) return undefined;
    return new RequestSession(this.#count);
  }

  /** Stops counting. The client's next flush sends the existing counts. */
  stop(): void {
    this.#isStopped = true;
  }

  readonly #count = (status: RequestStatus): void => {
    if (this.#isStopped) return;
    const minute = Math.floor(nowMillis() / MILLIS_PER_MINUTE);
    let bucket = this.#buckets.get(minute);
    if (bucket === undefined) {
      this.#makeRoom();
      const started = toIsoTime(minute * MILLIS_PER_MINUTE);
      bucket = { started, exited: 0, errored: 0, crashed: 0 };
      this.#buckets.set(minute, bucket);
    }
    bucket[status] += 1;
  };

  #makeRoom(): void {
    if (this.#buckets.size >= MAX_BUCKETS) this.#flush();
    if (this.#buckets.size > 0) return;
    this.#client.ledger.capture(ONE_SESSION);
    this.#timer = unref(setTimeout(() => this.#flush(), this.#client.settings.sessionIntervalMillis));
  }

  #flush(): void {
    if (this.#buckets.size === 0) return;
    clearTimeout(this.#timer);
    const aggregates = [...this.#buckets.values()];
    this.#buckets.clear();
    this.#client.send(createSessionItem({ attrs: this.#attributes, aggregates }));
  }
}
