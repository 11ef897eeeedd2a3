import type { ReadableSpan, Span } from '@opentelemetry/sdk-trace-base';
import type { TransactionSource } from '../../model/event/span-json.js';
import type { InnerClient } from '../../model/inner-client.js';
import type { Scope } from '../../model/scope/scope.js';
import type { DynamicSamplingContext } from '../../model/trace.js';

/** The rule that decided about a local root. */
export type DecisionReason =
  | 'forced'
  | 'traces_sampler'
  | 'orphan'
  /** The root is a request that brings an envelope. */
  | 'envelope'
  | 'parent'
  | 'probe'
  | 'traces_sample_rate'
  /** Tracing is off, and the user's own sampler has recorded the trace. */
  | 'recorded'
  /** User code failed. */
  | 'failed';

/** The known sampling decision of a trace, which is sent to downstream services. */
export interface TraceDecision {
  /** The rule that decided, if one did. */
  readonly reason?: DecisionReason;
  /** `undefined` leaves the decision to downstream services. */
  readonly sampled: boolean | undefined;
  /** The rate applied here, if any. */
  readonly sampleRate?: number | undefined;
  /** The trace's random number in [0, 1). */
  readonly sampleRand: number;
  /** The incoming dynamic sampling context, passed on unchanged. */
  readonly incoming?: DynamicSamplingContext | undefined;
}

/** The isolation scope of a request or message, which begins with a local root of kind SERVER or CONSUMER. */
export interface RequestIsolation {
  /** The isolation scope in which the root was started. */
  readonly outer: Scope;
  /** The outermost request's starting isolation scope, if this request began within others. */
  readonly outermost: Scope;
  /** The isolation scope in which the request is handled. */
  readonly own: Scope;
}

/**
 * The latest request of one trace, or of one current scope, whose root does not record. A sampler knows the trace of such a root
 * and the context around it, and not the span.
 */
export interface LatestUnrecordedRequest {
  readonly traceId: string;
  readonly isolation: RequestIsolation;
  /** Whether it is the only one so far: then all spans of the trace there belong to it. */
  readonly isOnly: boolean;
  /** Whether a span has got its scope. */
  isTaken: boolean;
}

/** The first span of a trace in this process, and the decision that all spans below it share. */
export interface LocalRoot {
  readonly span: Span;
  readonly decision: TraceDecision;
  /** The client that sends the root's transaction. */
  readonly client: InnerClient;
  /** The client that the observing part was created for; `undefined` if the part serves the current client. */
  readonly owner: InnerClient | undefined;
  /** Whether the spans below the root are recorded for the client. */
  readonly isRecorded: boolean;
  /** The scopes at the root's start. */
  readonly current: Scope;
  readonly isolation: Scope;
  /** Present if the root begins a request or message. */
  readonly request?: RequestIsolation | undefined;
  /**
   * The root's current name.
   *
   * @param route route of the request that the root handles, if known; used while the root itself has no route
   */
  describe(route?: string): { description: string; source: TransactionSource };
  /** Counts a started span: the root or a descendant. */
  begin(): void;
  /** Adds an ended span: the root or a descendant. */
  add(span: ReadableSpan): void;
}
