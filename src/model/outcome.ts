/** The kinds of data the protocol counts separately, in rate limits and in client reports. */
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
 */
export type DiscardReason =
  | 'sample_rate'
  | 'before_send'
  | 'event_processor'
  | 'queue_overflow'
  | 'buffer_overflow'
  | 'cache_overflow'
  | 'ratelimit_backoff'
  | 'network_error'
  | 'send_error'
  | 'no_parent_span'
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
