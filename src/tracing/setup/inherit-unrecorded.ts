import {
  context as contextApi,
  isSpanContextValid,
  SpanKind,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { getInnerClient } from '../../context/current-scopes.js';
import { startsRequest } from '../../context/request/request-isolation.js';
import { isTracingEnabled } from '../../context/trace/trace.js';
import { UnrecordedSpan } from '../spans/unrecorded-span.js';
import { idGenerator } from './id-generator.js';

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
