import { type Span, TraceFlags, trace } from '@opentelemetry/api';
import { createSpanId } from '../internal/ids.js';
import type { Scope } from '../model/scope.js';

/** A non-recording span in the scope's trace, to which surrounding errors belong. */
export function createUnrecordedSpan(scope: Scope): Span {
  const propagation = scope.getPropagationContext();
  propagation.spanId ??= createSpanId();
  const { traceId, spanId } = propagation;
  return trace.wrapSpanContext({ traceId, spanId, traceFlags: TraceFlags.NONE });
}
