import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Integration } from './contracts.js';
import type { StoreOptions } from './delivery/store.js';
import type { TransportFactory, TransportOptions } from './delivery/transport.js';
import type { Breadcrumb, BreadcrumbHint } from './event/breadcrumb.js';
import type { ErrorEvent, Event, TransactionEvent } from './event/event.js';
import type { SpanAttributes, SpanAttributeValue, SpanJSON } from './event/span-json.js';
import type { EventHint } from './hint.js';
import type { Optional } from './optional.js';

/** Matches strings that contain a string or match a pattern. */
export type StringMatcher = string | RegExp;

/** Matches spans by name, or by all members present. Patterns can match string attributes. */
export type SpanMatcher =
  | StringMatcher
  | {
      name?: StringMatcher | undefined;
      op?: StringMatcher | undefined;
      attributes?: Record<string, SpanAttributeValue | RegExp> | undefined;
    };

/**
 * Adds to what is filtered as a credential, and exempts from it. A string stands for a whole name in any spelling
 * (`employeeNo` is `employee_no`) or for the last words of one. Flags `g` and `y` of patterns have no effect, and a pattern
 * that takes too long is interrupted.
 */
export interface ScrubbingOptions {
  /** Names of fields, parameters, variables and attributes whose values are filtered, also in data that the application sets. */
  fields?: StringMatcher[] | undefined;
  /** Names of headers whose values are filtered, on requests and in span attributes; not in text that quotes a header. */
  headers?: StringMatcher[] | undefined;
  /** Texts to replace wherever they appear in an event. */
  patterns?: StringMatcher[] | undefined;
  /** Names of fields and headers that are not filtered; patterns also exempt tokens, by their value. Wins over the others. */
  allow?: StringMatcher[] | undefined;
}

/** Outgoing requests that get trace headers, by full URL. An empty list means none, no list means all. */
export type TracePropagationTargets = StringMatcher[];

/** Argument of `tracesSampler`: the data available when the root span starts. */
export interface SamplingContext {
  /** Name of the span. */
  name: string;
  /** Attributes set at the start of the span, with `svc.op` and inferred ones. */
  attributes: SpanAttributes;
  /** The upstream decision; `undefined` for a trace that begins here, or if the upstream service did not decide. */
  parentSampled?: boolean | undefined;
  /** The sample rate of the upstream service. */
  parentSampleRate?: number | undefined;
  /** The same values under the names of older SDKs. */
  transactionContext: { name: string; op?: string | undefined; parentSampled?: boolean | undefined };
  /** The HTTP request the span belongs to, on servers. */
  request?: Record<string, unknown> | undefined;
  /** The same, under the name that other SDKs use. */
  normalizedRequest?: Record<string, unknown> | undefined;
  /** Never set: other SDKs set it in browsers. */
  location?: Record<string, unknown> | undefined;
  /** Returns the upstream rate or decision if there is one, else `fallbackSampleRate`. */
  inheritOrSampleWith(fallbackSampleRate: number): number;
}

type HookResult<T> = T | null | PromiseLike<T | null>;

/**
 * Options of `init`. Each may be absent or `undefined`. An invalid value is replaced by the default, or by what its option
 * says here, and reported: once on stderr or, with `debug`, through OTel's `diag`. Each option with a plain value has a variable, which is read if the
 * option is absent: `FAULTLINE_SAMPLE_RATE` for `sampleRate`.
 */
export interface Options {
  /**
   * Where events go: `{protocol}://{publicKey}@{host}[:{port}][/{path}]/{projectId}`. Without it nothing is sent, unless
   * `transport` or `spotlight` is set.
   */
  dsn?: string | undefined;
  /** @default 'production' */
  environment?: string | undefined;
  /** Version of the application. */
  release?: string | undefined;
  /** Build or deployment variant. */
  dist?: string | undefined;
  /** Fraction of error events kept, 0 to 1. @default 1 */
  sampleRate?: number | undefined;
  /**
   * How many errors with the same name and message are sent within a second. Beyond that, only the first from each new place
   * and the last of the second are sent; the last says how many were left out. `Infinity` sends all. @default 100
   */
  maxSameErrorsPerSecond?: number | undefined;
  /** Fraction of traces kept, 0 to 1; a bad value means 0. Unset (and without `tracesSampler`) spans do not record. */
  tracesSampleRate?: number | undefined;
  /**
   * Decides per trace: a rate from 0 to 1, or a boolean. Wins over `tracesSampleRate`. A bad rate drops the trace, and
   * so does a sampler that throws.
   */
  tracesSampler?: ((context: SamplingContext) => number | boolean) | undefined;
  /**
   * Called last with each error event. Returning `null` or no event, throwing, rejecting or taking 10 seconds drops it.
   */
  beforeSend?: ((event: ErrorEvent, hint: EventHint) => HookResult<Event>) | undefined;
  /** Called last with each transaction; drops it in the same cases as `beforeSend`. */
  beforeSendTransaction?: ((event: TransactionEvent, hint: EventHint) => HookResult<Event>) | undefined;
  /** Called with each span of a transaction, also the root, before `beforeSendTransaction`. Cannot drop spans. */
  beforeSendSpan?: ((span: SpanJSON) => SpanJSON) | undefined;
  /** Called with each breadcrumb before it is added. Returning `null` or throwing drops it. */
  beforeBreadcrumb?: ((breadcrumb: Breadcrumb, hint: BreadcrumbHint) => Breadcrumb | null) | undefined;
  /** Integrations to add to the default ones, or a function that gets the default ones and returns the list to use. */
  integrations?: Integration[] | ((defaults: Integration[]) => Integration[]) | undefined;
  /** `false` turns the default integrations off; a list replaces them. */
  defaultIntegrations?: false | Integration[] | undefined;
  /** Breadcrumbs kept per scope; 0 keeps none. @default 100 */
  maxBreadcrumbs?: number | undefined;
  /** Maximum characters of messages, exception values and URLs; 0 means 16384, as for any string. @default 250 */
  maxValueLength?: number | undefined;
  /** Levels of nested objects to keep; 0 keeps all. @default 3 */
  normalizeDepth?: number | undefined;
  /** Properties or elements to keep per object or array. @default 1000 */
  normalizeMaxBreadth?: number | undefined;
  /** Error events whose message, exception value or `type: value` matches are not sent. @default [] */
  ignoreErrors?: StringMatcher[] | undefined;
  /** Transactions whose name matches are not sent. @default [] */
  ignoreTransactions?: StringMatcher[] | undefined;
  /**
   * Matching spans are removed from transactions, and their children move up to the parent. A matching root drops the
   * transaction. @default []
   */
  ignoreSpans?: SpanMatcher[] | undefined;
  /** If not empty, only errors thrown in a matching file, or without a stack, are sent. @default [] */
  allowUrls?: StringMatcher[] | undefined;
  /** Errors thrown in a matching file are not sent. @default [] */
  denyUrls?: StringMatcher[] | undefined;
  /** Outgoing requests that get trace headers. @default all */
  tracePropagationTargets?: TracePropagationTargets | undefined;
  /** Adds the W3C `traceparent` header to outgoing requests. @default false */
  propagateTraceparent?: boolean | undefined;
  /** Replaces the HTTP transport; works without a DSN, too. `createTransport` makes one. */
  transport?: TransportFactory | undefined;
  /** Settings of the transport: `headers`, `bufferSize`, `timeoutMillis`, `proxy`, `caCerts`, `store`. */
  transportOptions?: OwnTransportOptions | undefined;
  /** Absolute URL of a proxy that forwards events; they are posted there instead of to the DSN's host. */
  tunnel?: string | undefined;
  /**
   * Copies every envelope to a Spotlight sidecar on this machine, with or without a DSN: `true`, or its URL.
   */
  spotlight?: boolean | string | undefined;
  /** Writes to stderr what the SDK does. @default false */
  debug?: boolean | undefined;
  /**
   * Writes nothing to stderr about mistakes with which nothing arrives: an invalid DSN, unknown options, a destination
   * that refuses everything. @default false
   */
  quiet?: boolean | undefined;
  /** `false` sets nothing up and sends nothing. @default true */
  enabled?: boolean | undefined;
  /** Sends personal data (IP addresses, cookies, …) too. Credentials are still filtered, except in cookies. @default false */
  sendDefaultPii?: boolean | undefined;
  /** Names, headers and patterns to filter besides the built-in ones, and names to exempt. @default none */
  scrubbing?: ScrubbingOptions | undefined;
  /** Name of the server or device. @default none; the host name is not used */
  serverName?: string | undefined;
  /** Milliseconds by which the end of the process may be delayed to send pending data. @default 2000 */
  shutdownTimeout?: number | undefined;
  /** Adds a stack trace to messages. @default false */
  attachStacktrace?: boolean | undefined;
  /**
   * Frames that V8 records for an error, `Error.stackTraceLimit`, until the client is closed. Never lowers the limit, so that 0
   * leaves it alone. Captured errors are sent with at most 50 frames.
   * @default 50
   */
  stackTraceLimit?: number | undefined;
  /** Reports what was discarded, and why, to the destination. @default true */
  sendClientReports?: boolean | undefined;
  /**
   * Milliseconds between two client reports, at most 86 400 000; without discards, none is sent. A flush sends one at
   * once.
   * @default 60 000
   */
  clientReportIntervalMillis?: number | undefined;
  /**
   * Milliseconds from the first counted request until the counts of requests are sent, at most 86 400 000. A flush
   * sends them at once.
   * @default 60 000
   */
  sessionIntervalMillis?: number | undefined;
  /** Captures errors that a `startSpan` callback throws. @default true */
  captureSpanErrors?: boolean | undefined;
  /**
   * Captures exceptions recorded with OpenTelemetry (`span.recordException`, log records) that were not captured
   * otherwise, also on spans that are not sampled; errors whose `status` or `statusCode` says 4xx are left out. Beside an
   * existing OpenTelemetry setup, it needs a `FaultlineSpanProcessor` there.
   * @default false
   */
  captureRecordedExceptions?: boolean | undefined;
  /** Registers no OpenTelemetry provider, context manager or propagator. @default false */
  skipOpenTelemetrySetup?: boolean | undefined;
  /** Span processors to add beside the SDK's own. @default [] */
  openTelemetrySpanProcessors?: SpanProcessor[] | undefined;
  /** Continues only traces of the same organization. @default false */
  strictTraceContinuation?: boolean | undefined;
  /**
   * Whose sampling decision to inherit with an incoming trace: `always` everyone's; `own` that of services with the
   * same organization id or public key in their `baggage`; `never` nobody's. A trace whose decision is not trusted is
   * sampled anew by `tracesSampleRate`, and `tracesSampler` does not get the decision. Headers can be forged: restrict
   * this for public services. @default 'always'
   */
  trustIncomingSampling?: 'always' | 'own' | 'never' | undefined;
  /**
   * How many incoming traces per second may be kept because another service decided so or chose the random number, in addition
   * to the share that `tracesSampleRate` keeps. For further ones, `tracesSampleRate` decides anew. Not applied with a
   * `tracesSampler`. @default no limit
   */
  maxForcedTracesPerSecond?: number | undefined;
  /** Organization id. @default the one in the DSN's host, if any */
  orgId?: string | number | undefined;
}

type OwnTransportOptions = Optional<Omit<TransportOptions, 'url' | 'recordDroppedEvent'>> & {
  /** Where what cannot be sent is kept for a later process; `false` keeps nothing. Not used by a `transport` of yours. */
  store?: StoreOptions | false | undefined;
};

/** Options without a default. */
type Unset =
  | 'dsn'
  | 'release'
  | 'dist'
  | 'tracesSampleRate'
  | 'tracesSampler'
  | 'beforeSend'
  | 'beforeSendTransaction'
  | 'beforeSendSpan'
  | 'beforeBreadcrumb'
  | 'integrations'
  | 'defaultIntegrations'
  | 'tracePropagationTargets'
  | 'transport'
  | 'tunnel'
  | 'spotlight'
  | 'scrubbing'
  | 'serverName'
  | 'maxForcedTracesPerSecond'
  | 'orgId';

/** Options after `resolveOptions`: checked, with defaults, frozen. */
export type Settings = Readonly<
  Pick<Options, Unset> & { [Name in Exclude<keyof Options, Unset>]-?: NonNullable<Options[Name]> }
>;
