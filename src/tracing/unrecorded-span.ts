import {
  context as contextApi,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanKind,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { startsRequest } from '../context/request-isolation.js';
import { createSpanId } from '../internal/ids.js';
import type { Scope } from '../model/scope.js';

/** The class of OTel's spans that do not record, which the API does not export. */
const NonRecordingSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT).constructor as new (context: SpanContext) => Span;

/**
 * A span that does not record, and whose children of `startSpan*` do not either. The ids of these children are drawn when
 * they are read, which is rare.
 */
export class UnrecordedSpan extends NonRecordingSpan {
  readonly #outermost: SpanContext;
  #own: SpanContext | undefined;

  /**
   * @param outermost the span context of the outermost unrecorded span, whose trace its descendants share
   * @param own the span's own context; drawn when it is read if absent
   */
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

/** An unrecorded span with the ids of the scope's trace, to which errors around it belong. */
export function createUnrecordedSpan(scope: Scope): UnrecordedSpan {
  const propagation = scope.getPropagationContext();
  propagation.spanId ??= createSpanId();
  const { traceId, spanId } = propagation;
  const spanContext = { traceId, spanId, traceFlags: TraceFlags.NONE };
  return new UnrecordedSpan(spanContext, spanContext);
}

/**
 * Makes a tracer start the spans below an unrecorded one without asking the sampler, which would not record them either.
 *
 * @param tracer of the provider that `init` registers: other providers may have other samplers
 */
export function inheritUnrecorded(tracer: Tracer): void {
  const startSpan = tracer.startSpan.bind(tracer);
  tracer.startSpan = (name, options, context = contextApi.active()) => {
    const parent = options?.root ? undefined : trace.getSpan(context);
    if (parent instanceof UnrecordedSpan && !isTracingSuppressed(context)) {
      // The sampler has to see what may begin a request, although it has a parent.
      if (!startsRequest(options?.kind ?? SpanKind.INTERNAL)) return parent.createChild();
    }
    const span = startSpan(name, options, context);
    const spanContext = span.spanContext();
    return span.isRecording() || !isSpanContextValid(spanContext) ? span : new UnrecordedSpan(spanContext, spanContext);
  };
}
