import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Breadcrumb, BreadcrumbHint } from './breadcrumb.js';
import type { Integration, TransportFactory, TransportOptions } from './contracts.js';
import type { ErrorEvent, Event, TransactionEvent } from './event.js';
import type { EventHint } from './hint.js';
import type { SpanAttributes, SpanAttributeValue, SpanJSON } from './span-json.js';

/** Text that contains a string, or that a pattern matches. */
export type StringMatcher = string | RegExp;

/** A span by its name, or by all of what is given. */
export type SpanMatcher =
  | StringMatcher
  | { name?: StringMatcher; op?: StringMatcher; attributes?: Record<string, SpanAttributeValue | RegExp> };

/** Which outgoing requests get trace headers, matched against the full URL; an empty list means none, no list all. */
export type TracePropagationTargets = StringMatcher[];

/** What a `tracesSampler` decides on, known when the root span starts. */
export interface SamplingContext {
  /** Name of the span. */
  name: string;
  attributes: SpanAttributes;
  /** The upstream decision; `undefined` for a trace that begins here, or whose decision was left to us. */
  parentSampled?: boolean;
  /** The rate the upstream service decided with. */
  parentSampleRate?: number;
  transactionContext: { name: string; op?: string; parentSampled?: boolean };
  /** The HTTP request the span belongs to, on servers. */
  request?: Record<string, unknown>;
  /** The upstream rate or decision where there is one, else the given rate. */
  inheritOrSampleWith(fallbackSampleRate: number): number;
}

type HookResult<T> = T | null | PromiseLike<T | null>;

/** What `init` takes. Every option may be left out; a bad value is reported once through `diag` and replaced by the default. */
export interface Options {
  /** Where events go: `{protocol}://{publicKey}@{host}[:{port}][/{path}]/{projectId}`. Without it nothing is sent. */
  dsn?: string;
  /** @default 'production' */
  environment?: string;
  /** Version of the application. */
  release?: string;
  /** Build or deployment variant. */
  dist?: string;
  /** Fraction of error events kept, 0 to 1. @default 1 */
  sampleRate?: number;
  /** Fraction of traces kept, 0 to 1. Unset (and without `tracesSampler`) spans do not record. */
  tracesSampleRate?: number;
  /** Decides per trace: a rate from 0 to 1, or a boolean. Wins over `tracesSampleRate`. */
  tracesSampler?: (context: SamplingContext) => number | boolean;
  /** Sees each error event last; `null` drops it. */
  beforeSend?: (event: ErrorEvent, hint: EventHint) => HookResult<Event>;
  /** Sees each transaction last; `null` drops it. */
  beforeSendTransaction?: (event: TransactionEvent, hint: EventHint) => HookResult<Event>;
  /** Sees each span of a transaction, the root included, before `beforeSendTransaction`, and may change it. */
  beforeSendSpan?: (span: SpanJSON) => SpanJSON;
  /** Sees each breadcrumb before it is kept; `null` drops it. */
  beforeBreadcrumb?: (breadcrumb: Breadcrumb, hint: BreadcrumbHint) => Breadcrumb | null;
  /** Added to the default ones, or a function from these to the whole list. */
  integrations?: Integration[] | ((defaults: Integration[]) => Integration[]);
  /** `false` leaves the default integrations out; a list replaces them. */
  defaultIntegrations?: false | Integration[];
  /** @default 100 */
  maxBreadcrumbs?: number;
  /** Characters after which messages, exception values and URLs are cut; 0 means never. @default 250 */
  maxValueLength?: number;
  /** Levels of nesting kept; 0 turns normalization off. @default 3 */
  normalizeDepth?: number;
  /** Properties or elements kept per object or array. @default 1000 */
  normalizeMaxBreadth?: number;
  /** Error events whose message or type matches are not sent. */
  ignoreErrors?: StringMatcher[];
  /** Transactions whose name matches are not sent. */
  ignoreTransactions?: StringMatcher[];
  /** Matching spans are taken out of transactions, and their children move up; a matching root drops its transaction. */
  ignoreSpans?: SpanMatcher[];
  /** When not empty, only errors thrown from a matching file are sent. */
  allowUrls?: StringMatcher[];
  /** Errors thrown from a matching file are not sent. */
  denyUrls?: StringMatcher[];
  tracePropagationTargets?: TracePropagationTargets;
  /** Adds the W3C `traceparent` header to outgoing requests. @default false */
  propagateTraceparent?: boolean;
  /** Replaces the HTTP transport. */
  transport?: TransportFactory;
  transportOptions?: Partial<TransportOptions>;
  /** URL that events are posted to in place of the DSN's host; it forwards them. */
  tunnel?: string;
  /** Copies every envelope to a Spotlight sidecar on this machine, with or without a DSN: true, or its URL. @default false */
  spotlight?: boolean | string;
  /** Writes to stderr what the SDK does. @default false */
  debug?: boolean;
  /** @default true */
  enabled?: boolean;
  /** Lets personal data (addresses, cookies, …) leave. @default false */
  sendDefaultPii?: boolean;
  /** Name of the server or device. */
  serverName?: string;
  /** Milliseconds that the end of the process may wait for what is still unsent. @default 2000 */
  shutdownTimeout?: number;
  /** Adds a stack trace to messages. @default false */
  attachStacktrace?: boolean;
  /** Reports what was discarded, and why, to the destination. @default true */
  sendClientReports?: boolean;
  /** Captures what a `startSpan` callback throws. @default true */
  captureSpanErrors?: boolean;
  /** Leaves provider, context manager and propagator to the caller. @default false */
  skipOpenTelemetrySetup?: boolean;
  /** Span processors beside the SDK's own, where it sets OpenTelemetry up. */
  openTelemetrySpanProcessors?: SpanProcessor[];
  /** Continues only traces of the same organization. @default false */
  strictTraceContinuation?: boolean;
  /** Organization id; taken from the DSN's host where that carries it. */
  orgId?: string | number;
}

type Defaulted =
  | 'environment'
  | 'sampleRate'
  | 'maxBreadcrumbs'
  | 'maxValueLength'
  | 'normalizeDepth'
  | 'normalizeMaxBreadth'
  | 'ignoreErrors'
  | 'ignoreTransactions'
  | 'ignoreSpans'
  | 'allowUrls'
  | 'denyUrls'
  | 'propagateTraceparent'
  | 'debug'
  | 'enabled'
  | 'sendDefaultPii'
  | 'shutdownTimeout'
  | 'attachStacktrace'
  | 'sendClientReports'
  | 'captureSpanErrors'
  | 'skipOpenTelemetrySetup'
  | 'openTelemetrySpanProcessors'
  | 'strictTraceContinuation'
  | 'transportOptions';

/** Options as the inside reads them: checked, defaults filled in, frozen. */
export type Settings = Readonly<Omit<Options, Defaulted> & Required<Pick<Options, Defaulted>>>;
