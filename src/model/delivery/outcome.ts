export const DATA_CATEGORIES = [
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
] as const;

/**
 * The kinds of data the protocol counts separately, in rate limits and in client reports.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/rate-limiting/
 */
export type DataCategory = (typeof DATA_CATEGORIES)[number];

/**
 * Why captured data did not reach the destination.
 *
 * `disabled` is not part of the protocol and never reported: without a DSN, with `enabled: false` and after `close`
 * there is no destination for reports.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export type DiscardReason =
  /** Not sampled by `sampleRate`, `tracesSampleRate` or `tracesSampler`. */
  | 'sample_rate'
  /** A `beforeSend…` hook dropped it, or threw; or `ignoreSpans` matched. */
  | 'before_send'
  /** A processor, an integration or a filter (`ignoreErrors`, `denyUrls`, …) dropped it, or threw. */
  | 'event_processor'
  /** Too much data waits for hooks or for the destination. */
  | 'queue_overflow'
  /** Too much data waits in another buffer. */
  | 'buffer_overflow'
  /** Too much data waits on disk. */
  | 'cache_overflow'
  /** Too many errors of the same kind within a second. */
  | 'backpressure'
  /** The destination rate limits this category. */
  | 'ratelimit_backoff'
  /** It could not be sent: the destination did not respond, or not before the process ended. */
  | 'network_error'
  /** The destination rejected the data. */
  | 'send_error'
  /** A span without a parent that is of no use as a transaction, or that has `onlyIfParent`. */
  | 'no_parent_span'
  /** The SDK failed. */
  | 'internal_sdk_error'
  | 'disabled';

/** Counts per category in one payload: a transaction is one `transaction`, plus a `span` for each of its spans. */
export type Quantities = readonly (readonly [category: DataCategory, quantity: number])[];

export const ONE_SPAN: Quantities = [['span', 1]];

export function sumQuantities(parts: readonly Quantities[]): Quantities {
  if (parts.length === 1) return parts[0]!;
  const sums = new Map<DataCategory, number>();
  for (const [category, quantity] of parts.flat()) sums.set(category, (sums.get(category) ?? 0) + quantity);
  return [...sums];
}

/**
 * Returned by a pipeline step to discard an event. A value rather than an exception, because the caller counts it in
 * the ledger.
 */
export class Discard {
  /** @param detail one sentence for users who set `debug: true` */
  constructor(
    readonly reason: DiscardReason,
    readonly detail: string,
  ) {}
}
