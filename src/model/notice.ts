import type { Settings } from './options.js';

/** Mistakes that lose much of what is captured. Each is written to stderr once per process, unless `quiet`. */
export type NoticeCode =
  | 'invalid-dsn'
  | 'invalid-tunnel'
  | 'unknown-option'
  | 'bad-value'
  | 'destination-refuses'
  | 'destination-unreachable'
  | 'destination-is-web-page'
  | 'init-without-dsn'
  | 'late-dsn'
  | 'store-unusable'
  | 'provider-refused'
  | 'provider-without-parts'
  | 'no-init'
  | 'no-init-in-thread'
  | 'spans-without-client'
  | 'loaded-twice'
  | 'copy-without-init'
  | 'captured-before-init'
  | 'failure-without-error'
  /** One for each list of names of the peer that have no effect. */
  | `without-effect:${string}`
  /** One for each message about a wrong argument. */
  | `mistake:${string}`
  /** One for each problem of the OpenTelemetry setup that loses data. */
  | `setup:${string}`
  /** One for each hook. */
  | `hook-fails:${string}`;

/** Writes a mistake to stderr, unless the client is quiet or off; never throws. The caller logs it to `diag` itself. */
export type Notify = (
  code: NoticeCode,
  message: string,
  settings: Partial<Pick<Settings, 'quiet' | 'enabled'>>,
) => void;
