import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Breadcrumb, BreadcrumbHint } from './breadcrumb.js';
import type { Integration, TransportFactory, TransportOptions } from './contracts.js';
import type { ErrorEvent, Event, TransactionEvent } from './event.js';
import type { Given } from './given.js';
import type { EventHint } from './hint.js';
import type { SpanAttributes, SpanAttributeValue, SpanJSON } from './span-json.js';

/** Text that contains a string, or that a pattern matches. */
export type StringMatcher = string | RegExp;

/** A span by its name, or by all of what is given; attributes by their values, texts by a pattern, too. */
export type SpanMatcher =
  | StringMatcher
  | {
      name?: StringMatcher | undefined;
      op?: StringMatcher | undefined;
      attributes?: Record<string, SpanAttributeValue | RegExp> | undefined;
    };

/** Which outgoing requests get trace headers, matched against the full URL; an empty list means none, no list all. */
export type TracePropagationTargets = StringMatcher[];

/** What a `tracesSampler` decides on, known when the root span starts. */
export interface SamplingContext {
  /** Name of the span. */
  name: string;
  /** Those given at the start of the span, with `svc.op` and what was inferred from them. */
  attributes: SpanAttributes;
  /** The upstream decision; `undefined` for a trace that begins here, or whose decision was left to us. */
  parentSampled?: boolean | undefined;
  /** The rate the upstream service decided with. */
  parentSampleRate?: number | undefined;
  /** The same facts once more, under the names of older SDKs. */
  transactionContext: { name: string; op?: string | undefined; parentSampled?: boolean | undefined };
  /** The HTTP request the span belongs to, on servers. */
  request?: Record<string, unknown> | undefined;
  /** Of browsers only; absent here. */
  location?: Record<string, unknown> | undefined;
  /** The upstream rate or decision where there is one, else the given rate. */
  inheritOrSampleWith(fallbackSampleRate: number): number;
}

type HookResult<T> = T | null | PromiseLike<T | null>;

/**
 * What `init` takes. Every option may be left out, or be `undefined`; a bad value is reported once through OTel's `diag`
 * and replaced by the default.
 */
export interface Options {
  /**
   * Where events go: `{protocol}://{publicKey}@{host}[:{port}][/{path}]/{projectId}`. Without it nothing is sent.
   * @default the variable `FAULTLINE_DSN`
   */
  dsn?: string | undefined;
  /** @default the variable `FAULTLINE_ENVIRONMENT`, else 'production' */
  environment?: string | undefined;
  /** Version of the application. @default the variable `FAULTLINE_RELEASE` */
  release?: string | undefined;
  /** Build or deployment variant. */
  dist?: string | undefined;
  /** Fraction of error events kept, 0 to 1. @default 1 */
  sampleRate?: number | undefined;
  /**
   * Fraction of traces kept, 0 to 1; a bad value means 0. Unset (and without `tracesSampler`) spans do not record.
   * @default the variable `FAULTLINE_TRACES_SAMPLE_RATE`
   */
  tracesSampleRate?: number | undefined;
  /**
   * Decides per trace: a rate from 0 to 1, or a boolean. Wins over `tracesSampleRate`. A bad rate drops the trace, and
   * so does a sampler that throws.
   */
  tracesSampler?: ((context: SamplingContext) => number | boolean) | undefined;
  /** Sees each error event last; `null`, anything that is no event, a throw, a rejection, or 10 seconds drop it. */
  beforeSend?: ((event: ErrorEvent, hint: EventHint) => HookResult<Event>) | undefined;
  /** Sees each transaction last; drops it as `beforeSend` does an error. */
  beforeSendTransaction?: ((event: TransactionEvent, hint: EventHint) => HookResult<Event>) | undefined;
  /** May change each span of a transaction, the root included, before `beforeSendTransaction`; cannot drop it. */
  beforeSendSpan?: ((span: SpanJSON) => SpanJSON) | undefined;
  /** Sees each breadcrumb before it is kept; `null`, or a throw, drops it. */
  beforeBreadcrumb?: ((breadcrumb: Breadcrumb, hint: BreadcrumbHint) => Breadcrumb | null) | undefined;
  /** Added to the default ones, or a function from these to the whole list. */
  integrations?: Integration[] | ((defaults: Integration[]) => Integration[]) | undefined;
  /** `false` leaves the default integrations out; a list replaces them. */
  defaultIntegrations?: false | Integration[] | undefined;
  /** Breadcrumbs kept per scope; 0 keeps none. @default 100 */
  maxBreadcrumbs?: number | undefined;
  /** Characters after which messages, exception values and URLs are cut; 0 means never. @default 250 */
  maxValueLength?: number | undefined;
  /** Levels of nesting kept; 0 turns normalization off. @default 3 */
  normalizeDepth?: number | undefined;
  /** Properties or elements kept per object or array. @default 1000 */
  normalizeMaxBreadth?: number | undefined;
  /** Error events whose message, exception value or `type: value` matches are not sent. @default [] */
  ignoreErrors?: StringMatcher[] | undefined;
  /** Transactions whose name matches are not sent. @default [] */
  ignoreTransactions?: StringMatcher[] | undefined;
  /**
   * Matching spans are taken out of transactions, and their children move up; a matching root drops its transaction.
   * @default []
   */
  ignoreSpans?: SpanMatcher[] | undefined;
  /** When not empty, only errors thrown from a matching file, or from none, are sent. @default [] */
  allowUrls?: StringMatcher[] | undefined;
  /** Errors thrown from a matching file are not sent. @default [] */
  denyUrls?: StringMatcher[] | undefined;
  /** Outgoing requests that get trace headers. @default all */
  tracePropagationTargets?: TracePropagationTargets | undefined;
  /** Adds the W3C `traceparent` header to outgoing requests. @default false */
  propagateTraceparent?: boolean | undefined;
  /** Replaces the HTTP transport. @see {@link createTransport} */
  transport?: TransportFactory | undefined;
  /** Settings of the transport: `headers`, `bufferSize`, `timeoutMillis`. */
  transportOptions?: Given<Omit<TransportOptions, 'url' | 'recordDroppedEvent'>> | undefined;
  /** Absolute URL that events are posted to in place of the DSN's host; it forwards them. */
  tunnel?: string | undefined;
  /**
   * Copies every envelope to a Spotlight sidecar on this machine, with or without a DSN: true, or its URL.
   * @default the variable `FAULTLINE_SPOTLIGHT`, else false
   */
  spotlight?: boolean | string | undefined;
  /** Writes to stderr what the SDK does. @default the variable `FAULTLINE_DEBUG`, else false */
  debug?: boolean | undefined;
  /** Whether anything is set up and sent. @default true */
  enabled?: boolean | undefined;
  /** Lets personal data (addresses, cookies, …) leave. @default false */
  sendDefaultPii?: boolean | undefined;
  /** Name of the server or device. @default none, and not the name of the host either */
  serverName?: string | undefined;
  /** Milliseconds that the end of the process may wait for what is still unsent. @default 2000 */
  shutdownTimeout?: number | undefined;
  /** Adds a stack trace to messages. @default false */
  attachStacktrace?: boolean | undefined;
  /** Reports what was discarded, and why, to the destination. @default true */
  sendClientReports?: boolean | undefined;
  /** Captures what a `startSpan` callback throws. @default true */
  captureSpanErrors?: boolean | undefined;
  /**
   * Captures what is told to OpenTelemetry, by `span.recordException` or in log records, and was not captured another
   * way. @default false
   */
  captureRecordedExceptions?: boolean | undefined;
  /** Leaves provider, context manager and propagator to the caller. @default false */
  skipOpenTelemetrySetup?: boolean | undefined;
  /** Span processors beside the SDK's own, where it sets OpenTelemetry up. @default [] */
  openTelemetrySpanProcessors?: SpanProcessor[] | undefined;
  /** Continues only traces of the same organization. @default false */
  strictTraceContinuation?: boolean | undefined;
  /** Organization id. @default that in the DSN's host, where it carries one */
  orgId?: string | number | undefined;
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
  | 'captureRecordedExceptions'
  | 'skipOpenTelemetrySetup'
  | 'openTelemetrySpanProcessors'
  | 'strictTraceContinuation'
  | 'transportOptions';

/** Options as the inside reads them: checked, defaults filled in, frozen. */
export type Settings = Readonly<Omit<Options, Defaulted> & { [Name in Defaulted]: NonNullable<Options[Name]> }>;
