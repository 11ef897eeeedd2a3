import { type Clock, MILLIS_PER_SECOND, monotonicMillis } from '../../internal/clock.js';
import { guard } from '../../internal/guard.js';
import { traitsOf } from '../../model/delivery/item-types.js';
import { DATA_CATEGORIES, type DataCategory, type Quantities } from '../../model/delivery/outcome.js';
import type { TransportResponse } from '../../model/delivery/transport.js';
import { kindOfAnswer } from '../answer.js';
import { DROPPED, type Drop, type Outcome, type PendingEnvelope, type Send } from '../pending-envelope.js';
import { DEFAULT_PAUSE_MILLIS, MAX_PAUSE_MILLIS, parseRetryAfter } from './retry.js';

/** Categories that are remembered. Others are ignored, so that a server cannot make the map grow. */
const CATEGORIES: ReadonlySet<string> = new Set(DATA_CATEGORIES);

const RATE_LIMITS = 'x-sentry-rate-limits';

/**
 * The rate limits of the destination: until when which categories are limited, for at most an hour. The longest limit of a
 * category applies. Times are those of `monotonicMillis`: a system clock that is set back would keep the process from sending
 * until it has caught up.
 */
export class RateLimits {
  readonly #closedUntilMillis = new Map<string, number>();
  #lastEndMillis = Number.NEGATIVE_INFINITY;

  /** Whether any category is limited. */
  isAnyClosed(nowMillis: number): boolean {
    return nowMillis < this.#lastEndMillis;
  }

  /**
   * Whether the first item of an envelope is sent now. Spans are limited with their transaction, and limited attachments are
   * left out, so neither delays the envelope.
   *
   * @param quantities what the ledger counts for the envelope, beginning with its first item: nothing for a report
   */
  isOpenFor(quantities: Quantities, nowMillis: number): boolean {
    return !this.isClosed(quantities[0]?.[0] ?? 'internal', nowMillis);
  }

  isClosed(category: DataCategory, nowMillis: number): boolean {
    return nowMillis < this.#endOf(category) || nowMillis < this.#endOf('all');
  }

  /**
   * Reads the limits of an answer: from `X-Sentry-Rate-Limits`, else from `Retry-After`, else from a bare status 429,
   * which closes everything for 60 seconds. A 413 is about one payload and changes nothing.
   *
   * @param unixMillis to which a date in the answer is compared
   */
  update(response: TransportResponse, nowMillis: number, unixMillis: number): void {
    const kind = kindOfAnswer(response);
    if (kind === 'too_large') return;
    const { headers } = response;
    const limits = headers?.[RATE_LIMITS];
    const retryAfter = headers?.['retry-after'];
    if (limits) this.#closeListed(limits, nowMillis);
    else if (retryAfter) this.#close('all', parseRetryAfter(retryAfter, unixMillis), nowMillis);
    else if (kind === 'limited') this.#close('all', DEFAULT_PAUSE_MILLIS, nowMillis);
  }

  /** Each limit is `seconds:categories:scope:…`, with `;` between categories; an empty list means all categories. */
  #closeListed(header: string, nowMillis: number): void {
    for (const limit of header.split(',')) {
      const [delay = '', categories = ''] = limit.trim().split(':');
      const seconds = Number.parseInt(delay, 10);
      const millis = Number.isNaN(seconds) ? DEFAULT_PAUSE_MILLIS : seconds * MILLIS_PER_SECOND;
      if (categories.trim() === '') {
        this.#close('all', millis, nowMillis);
        continue;
      }
      for (const category of categories.split(';')) {
        if (CATEGORIES.has(category.trim())) this.#close(category.trim(), millis, nowMillis);
      }
    }
  }

  #close(category: string, millis: number, nowMillis: number): void {
    const endMillis = nowMillis + Math.min(millis, MAX_PAUSE_MILLIS);
    this.#closedUntilMillis.set(category, Math.max(endMillis, this.#endOf(category)));
    this.#lastEndMillis = Math.max(endMillis, this.#lastEndMillis);
  }

  #endOf(category: string): number {
    return this.#closedUntilMillis.get(category) ?? Number.NEGATIVE_INFINITY;
  }
}

/**
 * The stage that drops items of closed categories, and reads new limits from the answers.
 *
 * @param retries whether transient failures are retried: then only this header of their responses sets limits: `X-Sentry-Rate-Limits`
 * @param limits kept up to date
 */
export function rateLimited(next: Send, drop: Drop, clock: Clock, retries: boolean, limits: RateLimits): Send {
  const readLimits = (outcome: Outcome): Outcome => {
    if (outcome.kind === 'answered') {
      guard('the response of the transport', () => {
        const { response } = outcome;
        if (retries && kindOfAnswer(response) === 'transient' && !response.headers?.[RATE_LIMITS]) return;
        limits.update(response, monotonicMillis(), clock());
      });
    }
    return outcome;
  };
  return (envelope) => {
    const nowMillis = monotonicMillis();
    if (limits.isAnyClosed(nowMillis)) dropClosed(envelope, limits, nowMillis, drop);
    return envelope.items.length === 0 ? Promise.resolve(DROPPED) : next(envelope).then(readLimits);
  };
}

function dropClosed(envelope: PendingEnvelope, limits: RateLimits, nowMillis: number, drop: Drop): void {
  const closed = envelope.items.filter(([{ type }]) => limits.isClosed(traitsOf(type).category, nowMillis));
  if (closed.length === 0) return;
  envelope.retain(envelope.items.filter((item) => !closed.includes(item)));
  drop('ratelimit_backoff', closed);
}
