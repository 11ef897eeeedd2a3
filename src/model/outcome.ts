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
 * Why something handed to the SDK did not reach the destination.
 *
 * `disabled` is ours alone and never reported: there is nowhere to report to (no DSN, `enabled: false`, closed client).
 *
 * @see https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export type DiscardReason =
  /** Not drawn by `sampleRate`, `tracesSampleRate` or `tracesSampler`. */
  | 'sample_rate'
  /** A `beforeSend…` hook dropped it, or threw; `ignoreSpans` took it out. */
  | 'before_send'
  /** A processor, an integration or a filter (`ignoreErrors`, `denyUrls`, …) dropped it, or threw. */
  | 'event_processor'
  /** Too much waits for hooks, or for the destination. */
  | 'queue_overflow'
  /** Too much waits elsewhere. */
  | 'buffer_overflow'
  /** Too much is stored. */
  | 'cache_overflow'
  /** The destination has asked for a pause. */
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

/** How many of each category one payload holds: a transaction is one `transaction` and one `span` for each of its spans. */
export type Quantities = readonly (readonly [category: DataCategory, quantity: number])[];

/**
 * What a pipeline step returns in place of the event when the event ends there. A value, not an exception: it travels
 * to the one ledger, which alone records it.
 */
export class Discard {
  /**
   * @param reason the counted reason
   * @param detail one sentence for people who run with `debug: true`
   */
  constructor(
    readonly reason: DiscardReason,
    readonly detail?: string,
  ) {}
}
