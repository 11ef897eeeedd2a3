import { type Context, context as contextApi, type Span, trace } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { guardOwn } from '../../internal/guard.js';
import { matchesAny } from '../../internal/options/match.js';
import { Scope } from '../../model/scope/scope.js';
import { toWireId } from '../../model/trace.js';
import { getInnerClient, getScopes } from '../current-scopes.js';
import { processWide } from '../process-wide.js';
import { withSpanOfScope } from '../scope-span.js';
import { withScopes } from '../scoped-context.js';
import type { OutgoingTrace, RequestInCreation } from './outgoing-trace.js';
import { type CurrentTrace, currentTrace, isSampled, isSpan } from './trace.js';
import { formatDsc, formatSentryTrace, formatTraceparent, SENTRY_TRACE } from './trace-headers.js';

/** The trace to send with an outgoing request; `undefined` if the request must not carry one. */
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

/** Runs the code that creates a request. */
export function whileCreating(request: RequestInCreation, create: () => void): void {
  const shared = processWide();
  const outer = shared.requestInCreation;
  shared.requestInCreation = request;
  try {
    create();
  } finally {
    shared.requestInCreation = outer;
  }
}

/** OTel's own flag wins if OTel knows the trace: in an existing OpenTelemetry setup, the decision is not ours. */
function traceparentOf({ traceId, spanId, sampled }: CurrentTrace, context: Context): string {
  const spanContext = trace.getSpanContext(context);
  const isOfSpan = spanContext !== undefined && toWireId(spanContext.traceId) === traceId;
  const isFlagged = isOfSpan ? isSampled(spanContext) : sampled;
  return formatTraceparent(traceId, spanId, isFlagged);
}

/** Values of headers or HTML meta tags with which another service continues the current trace. */
export interface TraceData {
  /** Trace id, span id and, if decided, 1 for sampled or 0. */
  'sentry-trace'?: string | undefined;
  /** The dynamic sampling context, without OTel's baggage. */
  baggage?: string | undefined;
  /** W3C Trace Context; with the option `propagateTraceparent`. */
  traceparent?: string | undefined;
}

/** Selects the trace for {@link getTraceData}. */
export interface TraceDataOptions {
  /** @default the active span */
  readonly span?: Span | undefined;
  /** Uses the span that was active when the scope was forked, else the scope's trace. @default the current scope */
  readonly scope?: Scope | undefined;
}

/** The current trace as header values, regardless of `tracePropagationTargets`; empty before `init`. */
export function getTraceData(options?: TraceDataOptions): TraceData {
  return guardOwn('getTraceData', () => readTraceData(options), {});
}

function readTraceData(options: TraceDataOptions | undefined): TraceData {
  const outgoing = outgoingTrace(contextOf(options));
  if (!outgoing) return {};
  const { sentryTrace, dsc, traceparent } = outgoing;
  const baggage = dsc && formatDsc(dsc);
  return { [SENTRY_TRACE]: sentryTrace, ...(baggage && { baggage }), ...(traceparent && { traceparent }) };
}

function contextOf(options: TraceDataOptions | undefined): Context {
  const { span, scope } = options ?? {};
  const active = contextApi.active();
  const { current, isolation } = getScopes();
  const ofScope =
    Scope.is(scope) && scope !== current
      ? withScopes(withSpanOfScope(trace.deleteSpan(active), scope, current), scope, isolation)
      : active;
  return span && isSpan(span) ? trace.setSpan(ofScope, span) : ofScope;
}
