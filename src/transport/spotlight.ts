import { createLogger } from '../internal/diag.js';
import type { Envelope } from '../model/delivery/envelope.js';
import type { Settings } from '../model/options.js';
import { kindOfAnswer } from './answer.js';
import type { WireFormat } from './formats/wire-format.js';
import { HttpPoster } from './http/http-poster.js';
import { PromiseSet } from './promise-set.js';

const log = createLogger('spotlight');

const DEFAULT_URL = 'http://localhost:8969/stream';
const TIMEOUT_MILLIS = 2000;
const MAX_FAILURES_IN_A_ROW = 3;
const MAX_IN_FLIGHT = 30;

/**
 * Sends copies of envelopes to a sidecar that shows them during development. The copies are not counted in the ledger,
 * and a few failures in a row end the copying.
 */
export class Spotlight {
  readonly #poster: HttpPoster;
  readonly #serialize: WireFormat['serialize'];
  #failures = 0;
  readonly #pending = new PromiseSet();

  constructor(url: string, { contentType, serialize }: WireFormat) {
    const compressFromBytes = Number.POSITIVE_INFINITY;
    this.#poster = new HttpPoster({ url, headers: {}, timeoutMillis: TIMEOUT_MILLIS, contentType, compressFromBytes });
    this.#serialize = serialize;
  }

  /** Never throws; a copy that fails is not sent again. */
  copy(envelope: Envelope): void {
    if (this.#failures > MAX_FAILURES_IN_A_ROW || this.#pending.size >= MAX_IN_FLIGHT) return;
    const posted = this.#poster.post(this.#serialize(envelope)).then(
      (response) => this.#settle(kindOfAnswer(response) === 'accepted'),
      () => this.#settle(false),
    );
    this.#pending.add(posted);
  }

  /** Waits for the copies in flight. */
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

/** Creates the sidecar's client when the settings ask for one. */
export function createSpotlight({ spotlight }: Pick<Settings, 'spotlight'>, format: WireFormat): Spotlight | undefined {
  if (!spotlight) return undefined;
  return new Spotlight(spotlight === true ? DEFAULT_URL : spotlight, format);
}
