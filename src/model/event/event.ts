import { traitsOf } from '../delivery/item-types.js';
import type { Quantities } from '../delivery/outcome.js';
import type { RequestSession } from '../request-session.js';
import type { DynamicSamplingContext } from '../trace.js';
import type { Breadcrumb } from './breadcrumb.js';
import type { Exception } from './exception.js';
import type { SeverityLevel } from './severity.js';
import type { Measurements, SpanJSON, SpanLinkJSON, TransactionSource } from './span-json.js';
import { WrittenSpans } from './written-spans.js';

/** The types of tag values. */
export type Primitive = string | number | boolean | null | undefined;

/** Type of an event; `undefined` is an error event. */
export type EventType = 'transaction' | 'profile' | 'replay_event' | 'feedback' | undefined;

/** Of errors and messages. Set explicitly, so that a changed `Object.prototype` cannot supply one. */
export const ERROR_TYPE = undefined;

/** Arbitrary data, cut by `normalizeDepth` and `normalizeMaxBreadth`. */
export type Extras = Record<string, unknown>;

/**
 * The affected user. Further keys are kept as custom data.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/user/
 */
export interface User {
  id?: string | number | undefined;
  email?: string | undefined;
  username?: string | undefined;
  /** IPv4 or IPv6; `{{auto}}` asks the server to use the sender's address. */
  ip_address?: string | null | undefined;
  [key: string]: unknown;
}

/** Members of a user that servers want as strings. */
export const USER_IDENTIFIERS = ['id', 'username', 'email', 'ip_address'] as const;

/**
 * The event's trace; for a transaction, also its root span.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/contexts/
 */
export interface TraceContext {
  /** 32 hex characters. */
  trace_id?: string | undefined;
  /** 16 hex characters. */
  span_id?: string | undefined;
  /** 16 hex characters; a span of another service, or of an enclosing transaction. */
  parent_span_id?: string | undefined;
  /** Kind of work, for example `http.server`. */
  op?: string | undefined;
  /** What created the span: `manual` or `auto.…`. */
  origin?: string | undefined;
  /** `ok`, or the kind of error: `not_found`, `internal_error`, … */
  status?: string | undefined;
  /** All attributes of the span. */
  data?: Record<string, unknown> | undefined;
  links?: SpanLinkJSON[] | undefined;
  [key: string]: unknown;
}

/** Key of a context's own depth, a property that is not enumerable; replaces `normalizeDepth` for this context. */
export const CONTEXT_DEPTH = Symbol('faultline.contextDepth');

/** One named group of facts, cut by `normalizeDepth` and `normalizeMaxBreadth`. */
export type Context = Record<string, unknown>;

/**
 * Named contexts; `trace`, `os`, `device`, `app`, `runtime`, … are known to servers, others are custom.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/contexts/
 */
export interface Contexts extends Record<string, Context | undefined> {
  /** Set by the SDK if absent. */
  trace?: TraceContext | undefined;
}

/**
 * The HTTP request in which an event happened.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/request/
 */
export interface RequestEventData {
  /** Without query and fragment; cut to `maxValueLength` characters. */
  url?: string | undefined;
  /** Upper case. */
  method?: string | undefined;
  /** Names in lower case. */
  headers?: Record<string, string> | undefined;
  /** Without the `?`. */
  query_string?: string | Record<string, string> | undefined;
  /** The body: a string or parsed data. */
  data?: unknown;
  cookies?: Record<string, string> | undefined;
  /** Facts about the server, for example `REMOTE_ADDR` and `SERVER_NAME`. */
  env?: Record<string, string> | undefined;
}

/**
 * The SDK that created an event; absent members are set to this SDK's.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/sdk/
 */
export interface SdkInfo {
  name?: string | undefined;
  /** Semantic version. */
  version?: string | undefined;
  /** Names of the integrations in use; existing entries stay before the SDK's own. */
  integrations?: string[] | undefined;
  /** `npm:` and the package; existing entries stay before the SDK's own. */
  packages?: { name: string; version: string }[] | undefined;
  /** `infer_ip`: whether the server may use the sender's address as the user's. @default `auto` with `sendDefaultPii` */
  settings?: { infer_ip?: 'auto' | 'never' | undefined } | undefined;
}

/** Data for the SDK's own steps; never sent. */
export interface SdkProcessingMetadata {
  /** Sent in the header of the event's envelope. */
  dynamicSamplingContext?: DynamicSamplingContext | undefined;
  /** Session of the request in whose isolation scope the event happened. */
  requestSession?: RequestSession | undefined;
  [key: string]: unknown;
}

/**
 * An event as sent. All fields are optional; a field that is `undefined` is absent on the wire.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/
 */
export interface Event {
  /** A UUID without dashes, 32 hex characters. @default a new one, which the capture returns */
  event_id?: string | undefined;
  /** Cut to `maxValueLength` characters. */
  message?: string | undefined;
  /** A message as its template with `%s`, and its parameters. */
  logentry?: { message?: string | undefined; params?: unknown[] | undefined } | undefined;
  /** Unix seconds, fractions allowed; for a transaction, its end. @default now */
  timestamp?: number | undefined;
  /** Unix seconds, fractions allowed; the start of a transaction. */
  start_timestamp?: number | undefined;
  /** @default the scopes' level, else `error` with an exception and `info` without */
  level?: SeverityLevel | undefined;
  /** @default 'node' */
  platform?: string | undefined;
  /** Name of the logger that created the event. */
  logger?: string | undefined;
  /** @default the option `serverName` */
  server_name?: string | undefined;
  /** @default the option `release` */
  release?: string | undefined;
  /** @default the option `dist` */
  dist?: string | undefined;
  /** @default the option `environment` */
  environment?: string | undefined;
  sdk?: SdkInfo | undefined;
  request?: RequestEventData | undefined;
  /** Name of the transaction, or of the transaction in which an error happened. */
  transaction?: string | undefined;
  /** Source of the transaction name. */
  transaction_info?: { source?: TransactionSource | undefined } | undefined;
  /** Versions by package. */
  modules?: Record<string, string> | undefined;
  /** Groups events; `{{ default }}` stands for the server's default grouping. */
  fingerprint?: string[] | undefined;
  /** The oldest cause first, the caught exception last. */
  exception?: { values?: Exception[] | undefined } | undefined;
  /** Breadcrumbs, oldest first. */
  breadcrumbs?: Breadcrumb[] | undefined;
  contexts?: Contexts | undefined;
  /** Searchable; servers keep 200 characters of each. */
  tags?: Record<string, Primitive> | undefined;
  extra?: Extras | undefined;
  user?: User | undefined;
  type?: EventType | undefined;
  /** The finished spans below the root of a transaction. */
  spans?: SpanJSON[] | undefined;
  measurements?: Measurements | undefined;
  /** Files that the server needs to read a stack, for example source maps by their debug ids. */
  debug_meta?: { images?: unknown[] | undefined } | undefined;
  /** Never sent. */
  sdkProcessingMetadata?: SdkProcessingMetadata | undefined;
}

/** An event about an exception or a message. */
export interface ErrorEvent extends Event {
  type?: undefined;
}

/**
 * A finished root span with its descendants.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/transaction/
 */
export interface TransactionEvent extends Event {
  type: 'transaction';
  /** Name of the root span. */
  transaction: string;
  /** Start of the root, Unix seconds. */
  start_timestamp: number;
  /** End of the root, Unix seconds. */
  timestamp: number;
}

export function exceptionsOf({ exception }: Pick<Event, 'exception'>): readonly Exception[] {
  return exception?.values ?? [];
}

/** The quantities lost with an event: a transaction includes its root span and its children. */
export function quantitiesOf(event: { readonly type?: unknown; readonly spans?: unknown }): Quantities {
  const { category } = traitsOf(event.type ?? 'event');
  if (category !== 'transaction') return [[category, 1]];
  return [
    ['transaction', 1],
    ['span', 1 + (Array.isArray(event.spans) || WrittenSpans.is(event.spans) ? event.spans.length : 0)],
  ];
}
