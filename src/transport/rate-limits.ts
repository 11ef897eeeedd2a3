import type { Clock } from '../internal/clock.js';
import { guard } from '../internal/guard.js';
import type { TransportResponse } from '../model/contracts.js';
import { categoryOfItem } from '../model/envelope.js';
import type { DataCategory } from '../model/outcome.js';
import { DROPPED, type Drop, type PendingEnvelope, type Send } from './pending-envelope.js';

const DEFAULT_SECONDS = 60;
const MILLIS_PER_SECOND = 1000;
const TOO_MANY_REQUESTS = 429;
const PAYLOAD_TOO_LARGE = 413;

/** Names that are kept; a server cannot make the map grow with names of its own. */
const CATEGORIES: ReadonlySet<string> = new Set<DataCategory>([
  'default',
  'error',
  'transaction',
  'span',
  'session',
  'attachment',
  'profile',
  'profile_chunk',
  'replay',
  'monitor',
  'feedback',
  'security',
  'log_item',
  'log_byte',
  'trace_metric',
  'metric_bucket',
  'internal',
  'unknown',
]);

/** Which categories a destination has closed, and until when. Of several limits for one category the longest holds. */
export class RateLimits {
  readonly #closedUntilMillis = new Map<string, number>();
  #lastEndMillis = 0;

  /** Whether any limit holds at all. */
  hold(nowMillis: number): boolean {
    return nowMillis < this.#lastEndMillis;
  }

  isClosed(category: DataCategory, nowMillis: number): boolean {
    return nowMillis < this.#endOf(category) || nowMillis < this.#endOf('all');
  }

  /**
   * Takes in what an answer says: its `X-Sentry-Rate-Limits`, else its `Retry-After`, else the bare status 429, which
   * means 60 seconds for everything. A payload that was too large says nothing about others.
   */
  update({ statusCode, headers }: TransportResponse, nowMillis: number): void {
    if (statusCode === PAYLOAD_TOO_LARGE) return;
    const limits = headers?.['x-sentry-rate-limits'];
    const retryAfter = headers?.['retry-after'];
    if (limits) this.#closeListed(limits, nowMillis);
    else if (retryAfter) this.#close('all', parseRetryAfter(retryAfter, nowMillis));
    else if (statusCode === TOO_MANY_REQUESTS) this.#close('all', nowMillis + DEFAULT_SECONDS * MILLIS_PER_SECOND);
  }

  /** Each limit is `seconds:categories:scope:…` with `;` between categories; no category means all. */
  #closeListed(header: string, nowMillis: number): void {
    for (const limit of header.split(',')) {
      const [delay = '', categories = ''] = limit.trim().split(':');
      const seconds = Number.parseInt(delay, 10);
      const endMillis = nowMillis + (Number.isNaN(seconds) ? DEFAULT_SECONDS : seconds) * MILLIS_PER_SECOND;
      if (categories.trim() === '') {
        this.#close('all', endMillis);
        continue;
      }
      for (const category of categories.split(';')) {
        if (CATEGORIES.has(category.trim())) this.#close(category.trim(), endMillis);
      }
    }
  }

  #close(category: string, endMillis: number): void {
    this.#closedUntilMillis.set(category, Math.max(endMillis, this.#endOf(category)));
    this.#lastEndMillis = Math.max(endMillis, this.#lastEndMillis);
  }

  #endOf(category: string): number {
    return this.#closedUntilMillis.get(category) ?? 0;
  }
}

/**
 * Turns a `Retry-After` value into the moment sending may resume.
 *
 * @param value raw header: seconds or an HTTP date
 * @param nowMillis Unix milliseconds
 * @returns Unix milliseconds; in 60 seconds when the value says nothing usable. Never throws
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(value: string, nowMillis: number): number {
  if (/^\s*\d/.test(value)) return nowMillis + Number.parseInt(value, 10) * MILLIS_PER_SECOND;
  const dateMillis = /^\s*[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMillis) ? nowMillis + DEFAULT_SECONDS * MILLIS_PER_SECOND : dateMillis;
}

/** The stage: takes items of closed categories out of parcels, and learns from the answers. */
export function rateLimited(next: Send, drop: Drop, clock: Clock): Send {
  const limits = new RateLimits();
  return async (parcel) => {
    const nowMillis = clock();
    if (limits.hold(nowMillis)) dropClosed(parcel, limits, nowMillis, drop);
    if (parcel.items.length === 0) return DROPPED;
    const outcome = await next(parcel);
    if (outcome.kind === 'answered') {
      guard('response of a transport', () => limits.update(outcome.response, clock()), undefined);
    }
    return outcome;
  };
}

function dropClosed(parcel: PendingEnvelope, limits: RateLimits, nowMillis: number, drop: Drop): void {
  const closed = parcel.items.filter((item) => limits.isClosed(categoryOfItem(item), nowMillis));
  if (closed.length === 0) return;
  parcel.retain(parcel.items.filter((item) => !closed.includes(item)));
  drop('ratelimit_backoff', closed);
}
