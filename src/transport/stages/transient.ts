import { guard } from '../../internal/guard.js';
import type { Outcome } from '../pending-envelope.js';
import { parseRetryAfter } from './retry-after.js';

/** Statuses with which a proxy answers in place of the destination. */
const TRANSIENT_STATUSES: ReadonlySet<number | undefined> = new Set([408, 502, 503, 504]);
const MAX_RETRY_AFTER_MILLIS = 60 * 60 * 1000;

/** Whether the same request may succeed later: no answer came, or not from the destination. */
export function isTransient(outcome: Outcome): boolean {
  if (outcome.kind === 'answered') return TRANSIENT_STATUSES.has(outcome.response.statusCode);
  return outcome.kind === 'unreachable';
}

export interface Failure {
  readonly why: unknown;
  /** How long the destination wants to be left alone. */
  readonly retryAfterMillis?: number | undefined;
}

/** Why an envelope has to be sent again; `undefined` if the outcome is final. */
export function readFailure(outcome: Outcome, nowMillis: number): Failure | undefined {
  if (!isTransient(outcome)) return undefined;
  if (outcome.kind !== 'answered') return { why: outcome.kind === 'unreachable' ? outcome.error : undefined };
  const { statusCode, headers } = outcome.response;
  const value = guard('the response of the transport', () => headers?.['retry-after']);
  const retryAfterMillis = value ? Math.max(parseRetryAfter(value, nowMillis) - nowMillis, 0) : undefined;
  return {
    why: `a proxy answered ${statusCode}`,
    retryAfterMillis: retryAfterMillis && Math.min(retryAfterMillis, MAX_RETRY_AFTER_MILLIS),
  };
}
