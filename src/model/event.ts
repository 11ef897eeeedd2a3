import type { Breadcrumb } from './breadcrumb.js';
import type { Exception } from './exception.js';
import type { DataCategory, Quantities } from './outcome.js';
import type { RequestSession } from './request-session.js';
import type { SeverityLevel } from './severity.js';
import type { Measurements, SpanJSON, SpanLinkJSON, TransactionSource } from './span-json.js';
import type { DynamicSamplingContext } from './trace.js';

export type Primitive = string | number | boolean | null | undefined;

/** Kind of an event; `undefined` is an error event. */
export type EventType = 'transaction' | 'profile' | 'replay_event' | 'feedback' | undefined;

/** Arbitrary data, kept as given and cut by the normalization limits. */
export type Extras = Record<string, unknown>;

/** Who was affected. Further keys are kept as custom data. */
export interface User {
  id?: string | number;
  email?: string;
  username?: string;
  /** `{{auto}}` asks the server to take the address of the sender. */
  ip_address?: string | null;
  [key: string]: unknown;
}

/** The trace an event belongs to. */
export interface TraceContext {
  trace_id?: string;
  span_id?: string;
  parent_span_id?: string;
  op?: string;
  origin?: string;
  status?: string;
  data?: Record<string, unknown>;
  links?: SpanLinkJSON[];
  [key: string]: unknown;
}

export type Context = Record<string, unknown>;

/** Named contexts; `trace`, `os`, `device`, `app`, `runtime`, … are known to servers, others are custom. */
export interface Contexts extends Record<string, Context | undefined> {
  trace?: TraceContext;
}

/** The HTTP request an event happened in. */
export interface RequestEventData {
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  query_string?: string | Record<string, string>;
  data?: unknown;
  cookies?: Record<string, string>;
  env?: Record<string, string>;
}

/** Which SDK made an event. */
export interface SdkInfo {
  name?: string;
  version?: string;
  integrations?: string[];
  packages?: { name: string; version: string }[];
  settings?: { infer_ip?: 'auto' | 'never' };
}

/** Data for the SDK's own steps; never sent. */
export interface SdkProcessingMetadata {
  dynamicSamplingContext?: DynamicSamplingContext;
  /** Of the request in whose isolation scope the event happened. */
  requestSession?: RequestSession;
  [key: string]: unknown;
}

/** What is sent. All fields optional; times in Unix seconds, fractions allowed. */
export interface Event {
  event_id?: string;
  message?: string;
  logentry?: { message?: string; params?: unknown[] };
  timestamp?: number;
  start_timestamp?: number;
  level?: SeverityLevel;
  platform?: string;
  logger?: string;
  server_name?: string;
  release?: string;
  dist?: string;
  environment?: string;
  sdk?: SdkInfo;
  request?: RequestEventData;
  transaction?: string;
  transaction_info?: { source?: TransactionSource };
  modules?: Record<string, string>;
  fingerprint?: string[];
  exception?: { values?: Exception[] };
  breadcrumbs?: Breadcrumb[];
  contexts?: Contexts;
  tags?: Record<string, Primitive>;
  extra?: Extras;
  user?: User;
  type?: EventType;
  spans?: SpanJSON[];
  measurements?: Measurements;
  debug_meta?: { images?: unknown[] };
  sdkProcessingMetadata?: SdkProcessingMetadata;
}

/** An event about an exception or a message. */
export interface ErrorEvent extends Event {
  type?: undefined;
}

/** A finished root span with its descendants. */
export interface TransactionEvent extends Event {
  type: 'transaction';
  transaction: string;
  start_timestamp: number;
  timestamp: number;
}

/** The category an event is rate limited and counted under. */
export function categoryOf(event: { readonly type?: unknown }): DataCategory {
  switch (event.type) {
    case undefined:
      return 'error';
    case 'transaction':
    case 'feedback':
    case 'profile':
      return event.type;
    case 'replay_event':
      return 'replay';
    default:
      return 'unknown';
  }
}

/** What is lost when the event is lost: a transaction takes its root span and its children with it. */
export function quantitiesOf(event: { readonly type?: unknown; readonly spans?: unknown }): Quantities {
  const category = categoryOf(event);
  if (category !== 'transaction') return [[category, 1]];
  return [
    ['transaction', 1],
    ['span', 1 + (Array.isArray(event.spans) ? event.spans.length : 0)],
  ];
}
