import type { Context as OtelContext, Span } from '@opentelemetry/api';
import type { Dsn } from './delivery/dsn.js';
import type { Envelope } from './delivery/envelope.js';
import type { LedgerView } from './delivery/ledger.js';
import type { Transport, TransportResponse } from './delivery/transport.js';
import type { Breadcrumb, BreadcrumbHint } from './event/breadcrumb.js';
import type { Event } from './event/event.js';
import type { SeverityLevel } from './event/severity.js';
import type { SpanAttributes } from './event/span-json.js';
import type { EventHint, EventProcessor } from './hint.js';
import type { OpenTelemetryStatus } from './open-telemetry-status.js';
import type { Settings } from './options.js';
import type { Scope } from './scope/scope.js';
import type { Session } from './session.js';
import type { DynamicSamplingContext } from './trace.js';

/** Data passed to a `beforeSampling` handler. */
export interface SamplingData {
  readonly spanName: string;
  /** The attributes passed to the start of the span. */
  readonly spanAttributes: SpanAttributes;
  /**
   * The upstream decision; `undefined` for a trace that begins here, or if the upstream service deferred the decision.
   */
  readonly parentSampled: boolean | undefined;
  /** The OTel context in which the span starts. */
  readonly parentContext: OtelContext;
}

/** Data that a `beforeSampling` handler may change: `true` forces the trace to be sampled, `false` has no effect. */
export interface SamplingVerdict {
  /** @default false */
  decision: boolean;
}

/** The hooks of `client.on` and their handlers, which are called in the order in which they were added. */
export interface ClientHooks {
  /** Once per root span, before the decision. */
  beforeSampling(data: SamplingData, verdict: SamplingVerdict): void;
  /** A span that is recorded has started, whoever created it. */
  spanStart(span: Span): void;
  /** A span that is recorded has ended. */
  spanEnd(span: Span): void;
  /**
   * A dynamic sampling context was created for a trace that began here; it may be changed. Numbers and booleans are
   * sent as strings, other values are omitted.
   *
   * @param rootSpan absent while the trace has no span
   */
  createDsc(dsc: DynamicSamplingContext, rootSpan: Span | undefined): void;
  /** Before scopes are merged into an event; the event may be changed. */
  preprocessEvent(event: Event, hint: EventHint): void;
  /** A breadcrumb is about to be added to its scope. */
  beforeAddBreadcrumb(breadcrumb: Breadcrumb, hint: BreadcrumbHint): void;
  /** An event has passed the pipeline and is about to be put into its envelope. */
  beforeSendEvent(event: Event, hint: EventHint): void;
  /** An envelope is about to be sent. */
  beforeEnvelope(envelope: Envelope): void;
  /** The destination has responded to an event; `statusCode` is absent if it could not be reached. */
  afterSendEvent(event: Event, response: TransportResponse): void;
  /** `flush` was called: buffered data must be captured now. */
  flush(): void;
  /** The client is about to close; data captured now is still sent. */
  close(): void;
}

/**
 * Sends events to the destination. Each `init` creates one; its methods never throw.
 *
 * `captureException`, `captureMessage` and `captureEvent` return the event's id, 32 hex characters, even if the event
 * is discarded. Their `scope` replaces the current scope.
 */
export interface Client {
  /** The validated options, with defaults. */
  readonly settings: Settings;
  /** The destination; `undefined` without a valid DSN. */
  readonly dsn: Dsn | undefined;
  /** Counts all captured data by outcome. */
  readonly ledger: LedgerView;

  captureException(exception: unknown, hint?: EventHint, scope?: Scope): string;
  /** @param level default: the scopes' level, else `info` */
  captureMessage(message: string, level?: SeverityLevel, hint?: EventHint, scope?: Scope): string;
  captureEvent(event: Event, hint?: EventHint, scope?: Scope): string;
  /** Sends an update of a session. Without a release, in the session or the settings, nothing is sent. */
  captureSession(session: Session): void;

  /** Adds a handler; the returned function removes it. */
  on<Hook extends keyof ClientHooks>(hook: Hook, handler: ClientHooks[Hook]): () => void;
  /** Calls the handlers; exceptions are reported through OTel's `diag`. */
  emit<Hook extends keyof ClientHooks>(hook: Hook, ...args: Parameters<ClientHooks[Hook]>): void;
  /** Whether the hook has a handler. */
  listens(hook: keyof ClientHooks): boolean;

  /** The processors added with `addEventProcessor`; they run before those of the scopes. */
  readonly eventProcessors: readonly EventProcessor[];
  /** Adds a processor for every event of this client. */
  addEventProcessor(processor: EventProcessor): void;
  /** Finds an integration by its name, for example `Console`; `undefined` if it is not in use. */
  getIntegration(name: string): Integration | undefined;
  /** The same as `getIntegration`. */
  getIntegrationByName(name: string): Integration | undefined;
  /** Sets up an integration and uses it for later events, unless one with its name is in use. */
  addIntegration(integration: Integration): void;

  /** The same as `settings`. */
  getOptions(): Settings;
  /** The same as `dsn`. */
  getDsn(): Dsn | undefined;
  /** Sends envelopes; `undefined` without a destination. The ledger does not count what is sent with it directly. */
  getTransport(): Transport | undefined;

  /**
   * Reports who registered OpenTelemetry's globals, which versions are loaded, and which features lack what. Best
   * called when the application has started, because it reports the state at that moment.
   */
  openTelemetryStatus(): OpenTelemetryStatus;

  /**
   * Waits until everything captured so far is delivered or discarded.
   *
   * @param timeoutMillis maximum wait; 0 does not wait; default: no limit
   * @returns false on timeout, or if data captured since the last flush was lost; never rejects
   */
  flush(timeoutMillis?: number): Promise<boolean>;
  /**
   * Flushes, and accepts nothing afterwards: captures still return ids.
   *
   * @param timeoutMillis maximum wait; 0 does not wait; default: no limit
   * @returns like `flush`, the same promise at each call; never rejects
   */
  close(timeoutMillis?: number): Promise<boolean>;
}

/** An extension of a client. Only the SDK calls its methods. They may throw, which is reported, and must not block. */
export interface Integration {
  /** Unique: a later integration replaces an earlier one with the same name, and the user's replaces a default one. */
  readonly name: string;
  /** Called once, when the client is created; the place to subscribe. `close` calls the function it returns. */
  setup?(client: Client): void | (() => void);
  /** Called with each event before scopes are merged into it; the event may be changed. */
  preprocessEvent?(event: Event, hint: EventHint, client: Client): void;
  /** Called with each event, before the event processors of the scopes. */
  processEvent?(event: Event, hint: EventHint, client: Client): Event | null | PromiseLike<Event | null>;
  /**
   * Called with each event that passed the filters, after normalization; the event may be changed. The place for slow
   * work or I/O.
   */
  enrichEvent?(event: Event, hint: EventHint, client: Client): void | PromiseLike<void>;
  /**
   * The synchronous form of `enrichEvent`: adds what is available without waiting. Called in its place in worker threads and
   * once the process is ending; an `enrichEvent` that was interrupted may already have changed part of the event.
   */
  enrichEventSync?(event: Event, hint: EventHint, client: Client): void;
}
