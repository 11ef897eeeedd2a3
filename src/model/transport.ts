import type { Envelope } from './envelope.js';

/** The answer of the destination. */
export interface TransportResponse {
  /** Absent when the destination gave none. */
  statusCode?: number | undefined;
  /** Lower-case names; `x-sentry-rate-limits` and `retry-after` are read. */
  headers?: Record<string, string | null> | undefined;
}

/** Takes envelopes to the destination. What its methods throw counts as a rejection. */
export interface Transport {
  /** Called once per envelope. Resolves with the answer; rejects when the destination could not be reached. */
  send(envelope: Envelope): PromiseLike<TransportResponse>;
  /** Resolves to whether everything sent so far has been answered in time; without a timeout, waits until it has. */
  flush(timeoutMillis?: number): PromiseLike<boolean>;
}

/** What a transport factory gets. */
export interface TransportOptions {
  /** Where envelopes are posted, authentication included; empty without a DSN. */
  url: string;
  /** Added to each request; win over the SDK's own. */
  headers: Record<string, string>;
  /** Envelopes waiting or in flight at most; further ones are dropped as `queue_overflow`. @default 1000 */
  bufferSize: number;
  /** Milliseconds a request may take. @default 10000 */
  timeoutMillis: number;
  /** Called by the transport for each item that it drops by itself. */
  recordDroppedEvent(reason: 'ratelimit_backoff' | 'queue_overflow' | 'network_error', item: Envelope[1][number]): void;
}

/** Makes a transport; called once, by `init`. One that throws is replaced by the SDK's own. */
export type TransportFactory = (options: TransportOptions) => Transport;
