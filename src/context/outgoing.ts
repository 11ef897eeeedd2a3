import { type Context, context as contextApi, TraceFlags, trace } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { matchesAny } from '../internal/match.js';
import type { DynamicSamplingContext } from '../model/trace.js';
import { getInnerClient } from './current-scopes.js';
import { processWide } from './process-wide.js';
import { type CurrentTrace, currentTrace } from './trace.js';
import { formatDsc, formatSentryTrace, formatTraceparent } from './trace-headers.js';

/** The trace headers of an outgoing request. */
export interface OutgoingTrace {
  /** Value of the `sentry-trace` header. */
  readonly sentryTrace: string;
  /** To be merged into the `baggage` header. */
  readonly dsc: DynamicSamplingContext | undefined;
  /** Value of the W3C `traceparent` header, with `propagateTraceparent`. */
  readonly traceparent?: string;
}

/** The trace to send with an outgoing request; `undefined` when the request must carry none. */
export function outgoingTrace(context = contextApi.active()): OutgoingTrace | undefined {
  const client = getInnerClient();
  if (!client?.settings.enabled || isTracingSuppressed(context)) return undefined;
  const current = currentTrace(client, undefined, context);
  const { traceId, spanId, sampled, dsc } = current;
  return {
    sentryTrace: formatSentryTrace(traceId, spanId, sampled),
    dsc: dsc(),
    traceparent: client.settings.propagateTraceparent ? traceparentOf(current, context) : undefined,
  };
}

/** Whether `tracePropagationTargets` allows trace headers for a URL. An unknown URL matches no target. */
export function isPropagationTarget(url: string | undefined): boolean {
  const targets = getInnerClient()?.settings.tracePropagationTargets;
  return targets === undefined || (url !== undefined && matchesAny(url, targets));
}

/**
 * A request that is being created. Other instrumentation injects headers for it into an empty carrier, so that the
 * propagator would know neither its URL nor its headers. The propagator leaves the trace here instead, and the
 * integration adds the headers once, after all instrumentation.
 */
export interface CreatedRequest {
  /** Whether the application has set `sentry-trace`. */
  readonly hasTrace: boolean;
  /** The trace to send, of the span that other instrumentation has started for the request. */
  trace?: OutgoingTrace | undefined;
}

/** The request that is being created right now. */
export function createdRequest(): CreatedRequest | undefined {
  return processWide().createdRequest;
}

/** Runs the code that creates a request. */
export function whileCreating(request: CreatedRequest, create: () => void): void {
  const shared = processWide();
  const outer = shared.createdRequest;
  shared.createdRequest = request;
  try {
    create();
  } finally {
    shared.createdRequest = outer;
  }
}

/** OTel's own flag wins when OTel knows the trace: beside an existing setup, it is not our decision. */
function traceparentOf({ traceId, spanId, sampled }: CurrentTrace, context: Context): string {
  const spanContext = trace.getSpanContext(context);
  const isFlagged = spanContext?.traceId === traceId ? (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0 : sampled;
  return formatTraceparent(traceId, spanId, isFlagged);
}

/** Headers, or values of HTML meta tags, with which another service continues the current trace. */
export interface TraceData {
  /** Trace id, span id and, once decided, 1 for sampled or 0. */
  'sentry-trace'?: string | undefined;
  /** The dynamic sampling context, without OTel's baggage. */
  baggage?: string | undefined;
  /** W3C Trace Context; with the option `propagateTraceparent`. */
  traceparent?: string | undefined;
}

/** The current trace as header values, whatever `tracePropagationTargets` says; empty before `init`. */
export function getTraceData(): TraceData {
  const outgoing = outgoingTrace();
  if (!outgoing) return {};
  const { sentryTrace, dsc, traceparent } = outgoing;
  const baggage = dsc && formatDsc(dsc);
  return { 'sentry-trace': sentryTrace, ...(baggage && { baggage }), ...(traceparent && { traceparent }) };
}
