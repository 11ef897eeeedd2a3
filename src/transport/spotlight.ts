import { createLogger } from '../internal/diag.js';
import type { Envelope } from '../model/envelope.js';
import type { Settings } from '../model/options.js';
import { serializeEnvelope } from './envelope.js';
import { HttpPoster } from './http.js';
import { Pending } from './pending.js';

const log = createLogger('spotlight');

const DEFAULT_URL = 'http://localhost:8969/stream';
const TIMEOUT_MILLIS = 2000;
const MAX_FAILURES_IN_A_ROW = 3;
const MAX_UNDER_WAY = 30;

/**
 * Sends copies of envelopes to a sidecar that shows them during development. Best effort, and no part of any count: it
 * gives up after some failures in a row.
 */
export class Spotlight {
  readonly #poster: HttpPoster;
  #failures = 0;
  readonly #pending = new Pending();

  constructor(url: string) {
    this.#poster = new HttpPoster({ url, headers: {}, timeoutMillis: TIMEOUT_MILLIS }, Number.POSITIVE_INFINITY);
  }

  /** Never throws; what does not get through is not sent again. */
  copy(envelope: Envelope): void {
    if (this.#failures > MAX_FAILURES_IN_A_ROW || this.#pending.size >= MAX_UNDER_WAY) return;
    const posted = this.#poster.post(serializeEnvelope(envelope)).then(
      ({ statusCode = 0 }) => this.#settle(statusCode < 400),
      () => this.#settle(false),
    );
    this.#pending.add(posted);
  }

  /** Waits for the copies under way. */
  settled(): Promise<void> {
    return this.#pending.settled();
  }

  close(): void {
    this.#poster.close();
  }

  #settle(isTaken: boolean): void {
    this.#failures = isTaken ? 0 : this.#failures + 1;
    if (this.#failures === MAX_FAILURES_IN_A_ROW + 1) log.warn('the sidecar does not answer; no more copies are sent');
  }
}

/** The sidecar that the settings name, if any. */
export function createSpotlight({ spotlight }: Pick<Settings, 'spotlight'>): Spotlight | undefined {
  if (!spotlight) return undefined;
  return new Spotlight(spotlight === true ? DEFAULT_URL : spotlight);
}
