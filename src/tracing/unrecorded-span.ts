import { INVALID_SPAN_CONTEXT, type Span, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { createSpanId } from '../internal/ids.js';
import type { Scope } from '../model/scope.js';

/** The class of OTel's spans that do not record, which the API does not export. */
const NonRecordingSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT).constructor as new (context: SpanContext) => Span;

/**
 * A span that does not record, and under which no span of `startSpan*` will. Those get their ids when somebody asks for
 * them, which is rare.
 */
export class UnrecordedSpan extends NonRecordingSpan {
  readonly #outermost: SpanContext;
  #own: SpanContext | undefined;

  /** @param outermost the span context of the first unrecorded span; all those below it are in its trace */
  constructor(outermost: SpanContext, own?: SpanContext) {
    super(outermost);
    this.#outermost = outermost;
    this.#own = own;
  }

  override spanContext(): SpanContext {
    this.#own ??= { ...this.#outermost, spanId: createSpanId() };
    return this.#own;
  }

  createChild(): UnrecordedSpan {
    return new UnrecordedSpan(this.#outermost);
  }
}

/** A non-recording span in the scope's trace, to which surrounding errors belong. */
export function createUnrecordedSpan(scope: Scope): UnrecordedSpan {
  const propagation = scope.getPropagationContext();
  propagation.spanId ??= createSpanId();
  const { traceId, spanId } = propagation;
  const spanContext = { traceId, spanId, traceFlags: TraceFlags.NONE };
  return new UnrecordedSpan(spanContext, spanContext);
}

/** The same span as one under which none of ours records. @param span does not record, and is in this process */
export function markUnrecorded(span: Span): UnrecordedSpan {
  const spanContext = span.spanContext();
  return new UnrecordedSpan(spanContext, spanContext);
}
