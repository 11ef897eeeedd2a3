import type { Context as OtelContext, Span } from '@opentelemetry/api';
import type { Breadcrumb, BreadcrumbHint } from './breadcrumb.js';
import type { Dsn } from './dsn.js';
import type { Envelope } from './envelope.js';
import type { Event } from './event.js';
import type { EventHint, EventProcessor } from './hint.js';
import type { LedgerView } from './ledger.js';
import type { OpenTelemetryStatus } from './open-telemetry-status.js';
import type { Settings } from './options.js';
import type { Scope } from './scope.js';
import type { Session } from './session.js';
import type { SeverityLevel } from './severity.js';
import type { SpanAttributes } from './span-json.js';
import type { DynamicSamplingContext } from './trace.js';
import type { TransportResponse } from './transport.js';

/** What a `beforeSampling` handler may look at. */
export interface SamplingData {
  readonly spanName: string;
  /** Those given at the start of the span. */
  readonly spanAttributes: SpanAttributes;
  /** The upstream decision; `undefined` for a trace that begins here, or whose decision was left to us. */
  readonly parentSampled: boolean | undefined;
  /** OTel's context that the span starts in. */
  readonly parentContext: OtelContext;
}

/** What a `beforeSampling` handler may change: `true` forces the trace to be kept, `false` leaves the decision to others. */
export interface SamplingVerdict {
  /** @default false */
  decision: boolean;
}

/** What `client.on` takes: handlers by hook, called in the order in which they were added. */
export interface ClientHooks {
  /** Once per root span, before the decision. */
  beforeSampling(data: SamplingData, verdict: SamplingVerdict): void;
  /**
   * A dynamic sampling context was made for a trace that began here; it may be changed. Values that are no text leave as
   * text, or not at all.
   *
   * @param rootSpan absent while the trace has no span
   */
  createDsc(dsc: DynamicSamplingContext, rootSpan: Span | undefined): void;
  /** Before scopes are merged into an event; the event may be changed. */
  preprocessEvent(event: Event, hint: EventHint): void;
  /** A breadcrumb is about to be kept. */
  beforeAddBreadcrumb(breadcrumb: Breadcrumb, hint: BreadcrumbHint): void;
  /** An event has passed everything and is about to be put into its envelope. */
  beforeSendEvent(event: Event, hint: EventHint): void;
  /** An envelope is about to leave. */
  beforeEnvelope(envelope: Envelope): void;
  /** The destination has answered for an event, or it could not be reached; `statusCode` is absent then. */
  afterSendEvent(event: Event, response: TransportResponse): void;
  /** Buffers are to be emptied into the pipeline now. */
  flush(): void;
  /** The client is about to close; what is put in now still leaves. */
  close(): void;
}

/**
 * Takes events to the destination. One is made by each `init`; its methods never throw.
 *
 * The three captures return the id of the event, 32 hex characters, whatever becomes of it. Their `scope` takes the
 * place of the current one.
 */
export interface Client {
  /** The options as they were understood. */
  readonly settings: Settings;
  /** Where events go; `undefined` when there is none, or it is malformed. */
  readonly dsn: Dsn | undefined;
  /** The count of everything captured, by what became of it. */
  readonly ledger: LedgerView;

  captureException(exception: unknown, hint?: EventHint, scope?: Scope): string;
  /** @param level `info` when absent, unless a scope has one */
  captureMessage(message: string, level?: SeverityLevel, hint?: EventHint, scope?: Scope): string;
  captureEvent(event: Event, hint?: EventHint, scope?: Scope): string;
  /** Sends where a session stands, if it or the settings name a release, else nothing. */
  captureSession(session: Session): void;

  /** Adds a handler; the returned function removes it. */
  on<Hook extends keyof ClientHooks>(hook: Hook, handler: ClientHooks[Hook]): () => void;
  /** Calls the handlers; what they throw is reported through OTel's `diag`. */
  emit<Hook extends keyof ClientHooks>(hook: Hook, ...args: Parameters<ClientHooks[Hook]>): void;
  /** Whether anybody listens. */
  listens(hook: keyof ClientHooks): boolean;

  /** Added with `addEventProcessor`; run before those of the scopes. */
  readonly eventProcessors: readonly EventProcessor[];
  /** For every event of this client. */
  addEventProcessor(processor: EventProcessor): void;
  /** By its name, for example `Console`; `undefined` when it is not in use. */
  getIntegration(name: string): Integration | undefined;

  /**
   * Tells who owns the globals of OpenTelemetry, which versions are in the process, and what is missing for which
   * feature. Looks when it is called: best when the application has started.
   */
  openTelemetryStatus(): OpenTelemetryStatus;

  /**
   * Waits until everything captured so far is delivered or discarded.
   *
   * @param timeoutMillis how long to wait at most; without it, until done
   * @returns whether everything was settled in time; never rejects
   */
  flush(timeoutMillis?: number): Promise<boolean>;
  /**
   * Flushes, and accepts nothing from then on: captures still return ids.
   *
   * @param timeoutMillis how long to wait at most; without it, until done
   * @returns whether everything was settled in time, the same promise at each call; never rejects
   */
  close(timeoutMillis?: number): Promise<boolean>;
}

/**
 * A part that can be added to a client. Its methods are called by the SDK only, may throw without harm, and must not
 * block.
 */
export interface Integration {
  /** Unique; of two with the same name the later one is used, and one given by the user before a default one. */
  readonly name: string;
  /** Called once, when the client is made; the place to subscribe. What it returns is called when the client closes. */
  setup?(client: Client): void | (() => void);
  /** Called with each event before scopes are merged into it; the event may be changed. */
  preprocessEvent?(event: Event, hint: EventHint, client: Client): void;
  /** Called with each event, before the event processors of the scopes. */
  processEvent?(event: Event, hint: EventHint, client: Client): Event | null | PromiseLike<Event | null>;
  /**
   * Called with each event that the filters let through, after normalization; the event may be changed. The place for
   * what costs time or I/O.
   */
  enrichEvent?(event: Event, hint: EventHint, client: Client): void | PromiseLike<void>;
}
