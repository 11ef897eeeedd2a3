import { type Context, context as contextApi, TraceFlags, trace } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { matchesAny } from '../internal/match.js';
import type { DynamicSamplingContext } from '../model/trace.js';
import { getInnerClient } from './current-scopes.js';
import { type CurrentTrace, currentTrace } from './trace.js';
import { formatDsc, formatSentryTrace, formatTraceparent } from './trace-headers.js';

/** What an outgoing request is to carry. */
export interface OutgoingTrace {
  /** Value of the `sentry-trace` header. */
  readonly sentryTrace: string;
  /** To be merged into the `baggage` header. */
  readonly dsc: DynamicSamplingContext | undefined;
  /** Value of the W3C `traceparent` header, where the settings ask for it. */
  readonly traceparent?: string;
}

/**
 * The trace to send along with an outgoing request.
 *
 * @param url full URL of the request, where known; matched against `tracePropagationTargets`
 * @returns `undefined` when the request is to carry nothing
 */
export function outgoingTrace(url?: string, context = contextApi.active()): OutgoingTrace | undefined {
  const client = getInnerClient();
  if (!client?.settings.enabled || isTracingSuppressed(context)) return undefined;
  const { tracePropagationTargets, propagateTraceparent } = client.settings;
  if (tracePropagationTargets && url !== undefined && !matchesAny(url, tracePropagationTargets)) return undefined;
  const current = currentTrace(client, undefined, context);
  const { traceId, spanId, sampled, dsc } = current;
  return {
    sentryTrace: formatSentryTrace(traceId, spanId, sampled),
    dsc: dsc(),
    traceparent: propagateTraceparent ? traceparentOf(current, context) : undefined,
  };
}

/** With OTel's own flag where OTel knows the trace: beside a sampler of the host it is not our decision. */
function traceparentOf({ traceId, spanId, sampled }: CurrentTrace, context: Context): string {
  const spanContext = trace.getSpanContext(context);
  const isFlagged = spanContext?.traceId === traceId ? (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0 : sampled;
  return formatTraceparent(traceId, spanId, isFlagged);
}

/** The headers, or the HTML meta values, with which another service continues the present trace. */
export interface TraceData {
  /** Trace id, span id and, where it is decided, 1 or 0 for sampled. */
  'sentry-trace'?: string | undefined;
  /** The dynamic sampling context; of baggage of others nothing is in it. */
  baggage?: string | undefined;
  /** W3C Trace Context; with the option `propagateTraceparent`. */
  traceparent?: string | undefined;
}

/** The present trace as header values; empty before `init`. */
export function getTraceData(): TraceData {
  const outgoing = outgoingTrace();
  if (!outgoing) return {};
  const { sentryTrace, dsc, traceparent } = outgoing;
  const baggage = dsc && formatDsc(dsc);
  return { 'sentry-trace': sentryTrace, ...(baggage && { baggage }), ...(traceparent && { traceparent }) };
}
