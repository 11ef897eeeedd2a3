import type {
  Span as OtelSpan,
  SpanStatus as OtelSpanStatus,
  SpanStatusCode as OtelSpanStatusCode,
  TraceFlags as OtelTraceFlags,
  SpanContext,
} from '@opentelemetry/api';
import type { SpanAttributes, SpanAttributeValue, SpanTimeInput } from './span-json.js';

/**
 * A unit of work: OTel's span, whoever made it. Its setters return the span; nothing throws, and nothing has an effect
 * once the span has ended, or where it does not record.
 *
 * @see https://opentelemetry.io/docs/specs/otel/trace/api/#span
 */
export interface Span extends OtelSpan {
  /** What identifies the span, also on the wire. */
  spanContext(): SpanContextData;
  /** `undefined` sets nothing. */
  setAttribute(key: string, value: SpanAttributeValue | undefined): this;
  setAttributes(attributes: SpanAttributes): this;
  /** Of spans made by `startSpan` and its like, an error may follow OK; of others, OK is final. */
  setStatus(status: SpanStatus): this;
  /** Instrumentation may rename the span again; a name given by `updateSpanName` stays. */
  updateName(name: string): this;
  /** @param endTime now, when absent */
  end(endTime?: SpanTimeInput): void;
  /** Whether the trace was sampled, and the span has not ended. */
  isRecording(): boolean;
}

/**
 * `traceId` (32 hex characters), `spanId` (16 hex characters) and `traceFlags` (1 sampled, 0 not sampled) of a span.
 *
 * @see https://opentelemetry.io/docs/specs/otel/trace/api/#spancontext
 */
export type SpanContextData = SpanContext;

/** How a span went: `code`, and for an error `message`, one of the canonical words (`not_found`) or any text. */
export type SpanStatus = OtelSpanStatus;

/** 0 unset, 1 OK, 2 error. */
export type SpanStatusCode = OtelSpanStatusCode;

/** 0 not sampled, 1 sampled. */
export type TraceFlags = OtelTraceFlags;
