import type { Envelope } from './envelope.js';

/** The destination's response. */
export interface TransportResponse {
  /** Absent if there was no response. */
  statusCode?: number | undefined;
  /** Lower-case names; `x-sentry-rate-limits` and `retry-after` are read. */
  headers?: Record<string, string | null> | undefined;
  /** Why the destination refused the envelope, as its answer says; for messages only. */
  reason?: string | undefined;
  /** Whether the body of a 2xx is a web page: the destination has not got the envelope. */
  isWebPage?: boolean | undefined;
}

/** Sends envelopes to the destination. Exceptions count as rejections. */
export interface Transport {
  /** Called once per envelope. Resolves with the response; rejects if the destination could not be reached. */
  send(envelope: Envelope): PromiseLike<TransportResponse>;
  /** Resolves to whether everything sent so far was answered in time; without a timeout, waits until it was. */
  flush(timeoutMillis?: number): PromiseLike<boolean>;
}

/** Options of a transport factory. */
export interface TransportOptions {
  /** URL to which envelopes are posted, including authentication; empty without a DSN. */
  url: string;
  /** Added to each request; override the SDK's own headers. */
  headers: Record<string, string>;
  /** Maximum number of envelopes waiting or in flight; further ones are dropped as `queue_overflow`. @default 1000 */
  bufferSize: number;
  /** Milliseconds a request may take. @default 10000 */
  timeoutMillis: number;
  /**
   * URL of the HTTP proxy, with user and password if it wants them; `false` connects directly, whatever the environment
   * says. @default the variables `https_proxy`, `http_proxy` and `no_proxy`, in lower or upper case
   */
  proxy?: string | false | undefined;
  /** Certificates (PEM) of the authorities to trust in place of Node's, for the destination and an `https` proxy. */
  caCerts?: string | Uint8Array | (string | Uint8Array)[] | undefined;
  /** Called by the transport for each item that it drops itself. */
  recordDroppedEvent(
    reason: 'ratelimit_backoff' | 'queue_overflow' | 'network_error' | 'internal_sdk_error',
    item: Envelope[1][number],
  ): void;
}

/** Creates a transport; called once, by `init`. If it throws, the SDK's own transport is used. */
export type TransportFactory = (options: TransportOptions) => Transport;
