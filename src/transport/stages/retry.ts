import { MILLIS_PER_SECOND } from '../../internal/clock.js';
import { guard } from '../../internal/guard.js';
import { kindOfAnswer } from '../answer.js';
import type { Outcome } from '../pending-envelope.js';

/** The longest pause that is accepted, so that one wrong answer (a date in 2099) cannot keep the process from sending for good. */
export const MAX_PAUSE_MILLIS = 60 * 60 * 1000;
/** When a server names no time that can be read. */
export const DEFAULT_PAUSE_MILLIS = 60 * 1000;

/** Why an envelope is sent again that was answered with a web page. */
const WEB_PAGE = 'a web page came in place of an answer';

/** @param why of a failure */
export function isWebPage(why: unknown): boolean {
  return why === WEB_PAGE;
}

export interface Failure {
  readonly why: unknown;
  /** How long the destination wants to be left alone. */
  readonly retryAfterMillis?: number | undefined;
}

/** Why an envelope has to be sent again; `undefined` if the outcome is final. */
export function failureToRetry(outcome: Outcome, nowMillis: number): Failure | undefined {
  if (outcome.kind === 'unreachable') return { why: outcome.error };
  if (outcome.kind !== 'answered' || kindOfAnswer(outcome.response) !== 'transient') return undefined;
  const { response } = outcome;
  const value = guard('the response of the transport', () => response.headers?.['retry-after']);
  const retryAfterMillis = value ? Math.max(parseRetryAfter(value, nowMillis), 0) : undefined;
  return { why: response.isWebPage ? WEB_PAGE : `a proxy answered ${response.statusCode}`, retryAfterMillis };
}

/**
 * Turns a `Retry-After` value into the time after which sending may resume.
 *
 * @param value raw header: seconds or an HTTP date
 * @param nowMillis Unix milliseconds, to which a date is compared
 * @returns milliseconds from now, at most an hour; 60 seconds when the value cannot be read. Never throws
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(value: string, nowMillis: number): number {
  if (/^\s*\d/.test(value)) return Math.min(Number.parseInt(value, 10) * MILLIS_PER_SECOND, MAX_PAUSE_MILLIS);
  const dateMillis = /^\s*[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMillis) ? DEFAULT_PAUSE_MILLIS : Math.min(dateMillis - nowMillis, MAX_PAUSE_MILLIS);
}
