import type {
  Span as OtelSpan,
  SpanStatus as OtelSpanStatus,
  SpanStatusCode as OtelSpanStatusCode,
  TraceFlags as OtelTraceFlags,
  SpanContext,
} from '@opentelemetry/api';
import type { SpanAttributes, SpanAttributeValue, SpanTimeInput } from './event/span-json.js';

/**
 * A unit of work: any OTel span, whether an OTel tracer or `startSpan` made it. Setters return the span and never throw;
 * they have no effect on a span that has ended or does not record.
 *
 * @see https://opentelemetry.io/docs/specs/otel/trace/api/#span
 */
export interface Span extends OtelSpan {
  /** The ids and flags that identify the span, also in other services. */
  spanContext(): SpanContextData;
  /** `undefined` has no effect. */
  setAttribute(key: string, value: SpanAttributeValue | undefined): this;
  setAttributes(attributes: SpanAttributes): this;
  /** On spans made by `startSpan*`, an error may replace OK. On other spans, OK is final. */
  setStatus(status: SpanStatus): this;
  /** An instrumentation may rename the span later; use `updateSpanName` for a name that stays. */
  updateName(name: string): this;
  /** @param endTime default: now */
  end(endTime?: SpanTimeInput): void;
  /** True while the trace is recorded and the span has not ended. */
  isRecording(): boolean;
}

/**
 * `traceId` (32 hex characters), `spanId` (16 hex characters) and `traceFlags` (1 sampled, 0 not sampled) of a span.
 *
 * @see https://opentelemetry.io/docs/specs/otel/trace/api/#spancontext
 */
export type SpanContextData = SpanContext;

/** Status of a span: `code` and, for an error, `message`: a canonical status (`not_found`) or any string. */
export type SpanStatus = OtelSpanStatus;

/** 0 unset, 1 OK, 2 error. */
export type SpanStatusCode = OtelSpanStatusCode;

/** 0 not sampled, 1 sampled. */
export type TraceFlags = OtelTraceFlags;
