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
import { getInnerClient } from '../../context/current-scopes.js';
import { startsRequest } from '../../context/request/request-isolation.js';
import { isTracingEnabled } from '../../context/trace/trace.js';
import { createSpanId } from '../../internal/ids.js';
import type { Scope } from '../../model/scope/scope.js';
import { idGenerator } from '../setup/id-generator.js';

/** The class of OTel's spans that do not record, which the API does not export. */
const NonRecordingSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT).constructor as new (context: SpanContext) => Span;

/** Names that the application gave unrecorded roots, by the span context that their descendants share. */
const rootNames = new WeakMap<SpanContext, string>();

/**
 * A non-recording span. Children that `startSpan*` creates do not record either. A child's id is drawn when it is first read,
 * which is rare.
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

  /** The name that the application has given the outermost span. */
  get rootName(): string | undefined {
    return rootNames.get(this.#outermost);
  }

  /** Renames the outermost span, whose name its errors get; other unrecorded spans keep no name. */
  rename(name: string): void {
    if (this.#own === this.#outermost) rootNames.set(this.#outermost, name);
  }

  sharesRootWith(other: UnrecordedSpan): boolean {
    return this.#outermost === other.#outermost;
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
 * Makes a tracer skip the sampler for spans that will not be recorded: those below an unrecorded span, and all spans while
 * tracing is off.
 *
 * @param tracer of the provider that `init` registers: other providers may have other samplers
 */
export function inheritUnrecorded(tracer: Tracer): void {
  const startSpan = tracer.startSpan.bind(tracer);
  tracer.startSpan = (name, options, context = contextApi.active()) => {
    const parent = options?.root ? undefined : trace.getSpan(context);
    // The sampler must see a span that may begin a request, even if it will not be recorded.
    if (!startsRequest(options?.kind ?? SpanKind.INTERNAL) && !isTracingSuppressed(context)) {
      if (parent instanceof UnrecordedSpan) return parent.createChild();
      if (!parent && !isTracing()) return startUntracedRoot();
    }
    const span = startSpan(name, options, context);
    const spanContext = span.spanContext();
    return span.isRecording() || !isSpanContextValid(spanContext) ? span : new UnrecordedSpan(spanContext, spanContext);
  };
}

function isTracing(): boolean {
  const client = getInnerClient();
  return client?.settings.enabled === true && isTracingEnabled(client);
}

function startUntracedRoot(): UnrecordedSpan {
  const traceId = idGenerator.generateTraceId();
  const spanContext = { traceId, spanId: idGenerator.generateSpanId(), traceFlags: TraceFlags.NONE };
  return new UnrecordedSpan(spanContext, spanContext);
}
