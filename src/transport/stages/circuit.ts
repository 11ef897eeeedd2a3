import { monotonicMillis } from '../../internal/clock.js';
import { createLogger } from '../../internal/diag.js';
import { unref } from '../../internal/unref.js';
import { AbortedRequest } from '../aborted-request.js';
import { describeCause } from '../describe-cause.js';

const FIRST_BACKOFF_MILLIS = 250;
const MAX_BACKOFF_MILLIS = 30_000;
/** Consecutive failures, or milliseconds of waiting, after which a flush stops waiting for the destination. */
const LOST_AFTER_FAILURES = 3;
const LOST_AFTER_MILLIS = 3000;
const MIN_IN_FLIGHT = 8;
/** Longer than a destination takes to restart, or to start together with the application. */
const NEVER_ANSWERED_AFTER_MILLIS = 10_000;

const log = createLogger('transport');

interface CircuitOptions {
  /** Requests at first. */
  readonly limit: number;
  /** Requests at most. */
  readonly maxLimit: number;
  /** Called when the probe may start. */
  readonly onReady: () => void;
  /** Called once, with the last failure, if no request was answered 10 seconds after the first, or until the end. */
  readonly onNeverAnswered?: ((why: unknown) => void) | undefined;
  /** For tests. */
  readonly random?: () => number;
}

/**
 * Decides how many requests may be in flight. After a failed request none may, until a single one, the probe, has shown
 * that the destination answers again: an outage costs one request per interval. Intervals grow exponentially, with full
 * jitter, so that many processes do not return at the same moment.
 */
export class Circuit {
  readonly #onReady: () => void;
  readonly #random: () => number;
  /** Absent once the destination has answered, and once it was called. */
  #onNeverAnswered: ((why: unknown) => void) | undefined;
  /** Runs from the first request to the first answer. */
  #patience: NodeJS.Timeout | undefined;
  #isOverdue = false;
  #lastFailure: unknown;
  /** Whether the log says that the destination cannot be reached. */
  #isReported = false;
  /** Requests in flight while the destination answers. Grows while others wait. */
  #limit: number;
  readonly #maxLimit: number;
  #state: 'answering' | 'failing' | 'probing' = 'answering';
  #failures = 0;
  #mustWait = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ limit, maxLimit, onReady, onNeverAnswered, random = Math.random }: CircuitOptions) {
    this.#limit = limit;
    this.#maxLimit = maxLimit;
    this.#onReady = onReady;
    this.#random = random;
    this.#onNeverAnswered = onNeverAnswered;
  }

  /** How many requests may be in flight now. */
  get permits(): number {
    if (this.#state === 'answering') return this.#limit;
    return this.#state === 'probing' ? 1 : 0;
  }

  /** Whether the destination answered last time. */
  get isAnswering(): boolean {
    return this.#state === 'answering';
  }

  /** Whether waiting is useless: requests have failed too often, or the destination demanded a pause. */
  get isLost(): boolean {
    return this.#state !== 'answering' && (this.#mustWait || this.#failures >= LOST_AFTER_FAILURES);
  }

  /** Asked after a failure: whether it is useless for a flush that began then to wait any longer. */
  isLostSince(beginMillis: number): boolean {
    return this.isLost || monotonicMillis() - beginMillis >= LOST_AFTER_MILLIS;
  }

  /** Called for each request that starts. */
  noteRequest(): void {
    if (this.#onNeverAnswered === undefined || this.#patience !== undefined) return;
    const lose = (): void => {
      this.#isOverdue = true;
      this.#reportNeverAnswered(1);
    };
    this.#patience = unref(setTimeout(lose, NEVER_ANSWERED_AFTER_MILLIS));
  }

  /** @param areOthersWaiting whether other requests wait because of the limit */
  noteAnswer(areOthersWaiting: boolean): void {
    if (this.#isReported) log.info('the destination answers again; waiting data is sent now');
    this.#isReported = false;
    this.#state = 'answering';
    this.#onNeverAnswered = undefined;
    this.#failures = 0;
    clearTimeout(this.#timer);
    clearTimeout(this.#patience);
    if (areOthersWaiting && this.#limit < this.#maxLimit) this.#limit += 1;
  }

  /**
   * @param why the error, or the status of the proxy that answered in place of the destination
   * @param retryAfterMillis what the answer demanded
   */
  noteFailure(why: unknown, retryAfterMillis?: number): void {
    // Requests that were in flight at the same time fail for the same reason.
    if (this.#state === 'failing') return;
    this.#reportOutage(why);
    if (this.#state === 'answering') this.#limit = Math.max(Math.floor(this.#limit / 2), MIN_IN_FLIGHT);
    this.#state = 'failing';
    const backoff = Math.min(FIRST_BACKOFF_MILLIS * 2 ** this.#failures, MAX_BACKOFF_MILLIS);
    this.#failures += 1;
    this.#lastFailure = why;
    if (this.#isOverdue) this.#reportNeverAnswered(1);
    this.#mustWait = retryAfterMillis !== undefined && retryAfterMillis > 0;
    this.#timer = unref(setTimeout(() => this.#probe(), Math.max(retryAfterMillis ?? 0, backoff * this.#random())));
  }

  /** Probes now instead of at the end of the interval. @returns false if the answer demanded to wait */
  hurry(): boolean {
    if (this.#state !== 'failing') return true;
    if (!this.#mustWait) this.#probe();
    return !this.#mustWait;
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#patience);
    this.#reportNeverAnswered(LOST_AFTER_FAILURES);
  }

  /** Once per outage. */
  #reportOutage(why: unknown): void {
    if (this.#isReported || why instanceof AbortedRequest) return;
    this.#isReported = true;
    log.warn(`the destination cannot be reached${describeCause(why)}; captured data waits until it can`, why);
  }

  #reportNeverAnswered(minFailures: number): void {
    if (this.#failures < minFailures) return;
    this.#onNeverAnswered?.(this.#lastFailure);
    this.#onNeverAnswered = undefined;
  }

  #probe(): void {
    clearTimeout(this.#timer);
    this.#state = 'probing';
    this.#onReady();
  }
}
