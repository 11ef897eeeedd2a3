/**
 * The kinds of data the protocol counts separately, in rate limits and in client reports.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/rate-limiting/
 */
export type DataCategory =
  | 'default'
  | 'error'
  | 'transaction'
  | 'span'
  | 'session'
  | 'attachment'
  | 'profile'
  | 'profile_chunk'
  | 'replay'
  | 'monitor'
  | 'feedback'
  | 'security'
  | 'log_item'
  | 'log_byte'
  | 'trace_metric'
  | 'metric_bucket'
  | 'internal'
  | 'unknown';

/**
 * Why captured data did not reach the destination.
 *
 * `disabled` is not part of the protocol and never reported: without a DSN, with `enabled: false` and after `close` there
 * is nowhere to report to.
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
  /** Too much waits for hooks or for the destination. */
  | 'queue_overflow'
  /** Too much waits in another buffer. */
  | 'buffer_overflow'
  /** Too much waits on disk. */
  | 'cache_overflow'
  /** The destination has closed this category for a while. */
  | 'ratelimit_backoff'
  /** The destination gave no answer. */
  | 'network_error'
  /** The destination refused it. */
  | 'send_error'
  /** `onlyIfParent`, or an outgoing request, without a parent. */
  | 'no_parent_span'
  /** The SDK failed. */
  | 'internal_sdk_error'
  | 'disabled';

/** How much one payload holds of each category: a transaction is one `transaction` and a `span` for each of its spans. */
export type Quantities = readonly (readonly [category: DataCategory, quantity: number])[];

/**
 * What a pipeline step returns in place of an event that it discards. A value rather than an exception, because the
 * caller counts it in the ledger.
 */
export class Discard {
  /**
   * @param detail one sentence for people who run with `debug: true`
   */
  constructor(
    readonly reason: DiscardReason,
    readonly detail?: string,
  ) {}
}
