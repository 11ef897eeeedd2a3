import type { DynamicSamplingContext } from '../../model/trace.js';

/** The trace headers of an outgoing request. */
export interface OutgoingTrace {
  /** Value of the `sentry-trace` header. */
  readonly sentryTrace: string;
  /** To merge into the `baggage` header. */
  readonly dsc: DynamicSamplingContext | undefined;
  /** Value of the W3C `traceparent` header, with `propagateTraceparent`. */
  readonly traceparent?: string;
}

/**
 * A request under construction. Other instrumentation injects headers for it into an empty carrier, so the propagator
 * would know neither its URL nor its headers. The propagator stores the trace here instead, and the integration adds
 * the headers once, after all instrumentation.
 */
export interface RequestInCreation {
  /** Whether the application has set `sentry-trace`. */
  readonly hasTrace: boolean;
  /** The trace to send: that of the span that other instrumentation started for the request. */
  trace?: OutgoingTrace | undefined;
  /** Whether other instrumentation injects headers, as it does for its own span of the request. */
  isInstrumented?: boolean;
}
