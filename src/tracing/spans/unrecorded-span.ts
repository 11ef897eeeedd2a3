import { INVALID_SPAN_CONTEXT, type Span, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { createSpanId } from '../../internal/ids.js';
import type { Scope } from '../../model/scope/scope.js';

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
