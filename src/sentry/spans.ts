import { context, SpanStatusCode } from '@opentelemetry/api';
import {
  getActiveSpan,
  getIsolationScope,
  getRootSpan,
  getTraceData,
  type Scope,
  type Span,
  type SpanStatus,
  withScope,
} from '../index.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { ATTRIBUTE } from '../model/event/span-json.js';
import { statusFromHttpCode } from '../tracing/describe/status.js';

export const SEMANTIC_ATTRIBUTE_SENTRY_OP = ATTRIBUTE.op;
export const SEMANTIC_ATTRIBUTE_SENTRY_ORIGIN = ATTRIBUTE.origin;
export const SEMANTIC_ATTRIBUTE_SENTRY_SOURCE = ATTRIBUTE.source;
export const SEMANTIC_ATTRIBUTE_SENTRY_SAMPLE_RATE = ATTRIBUTE.sampleRate;

/** The value of a `sentry-trace` header. */
export function spanToTraceHeader(span: Span): string {
  return getTraceData({ span })['sentry-trace'] ?? '';
}

/** The value of a `baggage` header. */
export function spanToBaggageHeader(span: Span): string | undefined {
  return getTraceData({ span }).baggage;
}

/** The tags that a page needs to go on with the trace in the browser. */
export function getTraceMetaTags(traceData: object = getTraceData()): string {
  return Object.entries(copyOwn(traceData))
    .map(([name, content]) => `<meta name="${name}" content="${escapeAttribute(String(content))}"/>`)
    .join('\n');
}

export function getSpanStatusFromHttpCode(httpStatus: number): SpanStatus {
  const message = statusFromHttpCode(typeof httpStatus === 'number' ? httpStatus : Number.NaN);
  return message === 'ok' ? { code: SpanStatusCode.OK } : { code: SpanStatusCode.ERROR, message };
}

/** Adds a measurement to the transaction. */
export function setMeasurement(name: string, value: number, unit: string, span = getActiveSpan()): void {
  if (!span) return;
  const attributes = { [ATTRIBUTE.measurementUnit]: unit, [ATTRIBUTE.measurementValue]: value };
  getRootSpan(span).addEvent(name, attributes);
}

export function setConversationId(conversationId: string | null | undefined): void {
  getIsolationScope().setConversationId(conversationId);
}

/** Runs the listeners of an emitter with the span, the isolation scope, and the scope that are current now. */
export function bindScopeToEmitter<Emitter extends object>(emitter: Emitter, scope?: Scope): Emitter {
  return withScope(scope, () => context.bind(context.active(), emitter));
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
