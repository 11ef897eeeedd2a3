import { type Context, INVALID_TRACEID, type Span, type SpanContext, trace } from '@opentelemetry/api';
import { processWide } from '../context/process-wide.js';
import { isRemoteSpan, propagationContextOf } from '../context/trace.js';

/*
 * Frameworks that bring instrumentation of their own read the headers of a request which instrumentation of the server
 * has read before. The span that they start is no local root: it belongs below the one that handles the request.
 */

/**
 * The span under which a request is handled already.
 *
 * @param context in which headers are read
 * @param remote the parent that they name; `undefined` is returned where it is not the one that came with the request
 */
export function handlingSpanOf(context: Context, remote: SpanContext | undefined): Span | undefined {
  if (!remote?.isRemote) return undefined;
  const span = trace.getSpan(context);
  const own = span?.spanContext();
  if (!own || own.isRemote || own.traceId !== remote.traceId) return undefined;
  return propagationContextOf(context, remote.traceId)?.parentSpanId === remote.spanId ? span : undefined;
}

/** Remembers what spans with this remote parent belong below, where the parent is not ours to change. */
export function rememberHandlingSpan(remote: SpanContext, handler: Span): void {
  processWide().handlingSpans.set(remote, handler);
}

/** The span of this process that one with the given parent belongs below, although the parent is remote. */
export function rememberedHandlingSpan(parent: SpanContext | undefined): Span | undefined {
  return parent?.isRemote ? processWide().handlingSpans.get(parent) : undefined;
}

/** The parent in this process. OTel makes invalid parents with one constant id, so that comparing with it is enough. */
export function localParentOf(context: Context): Span | undefined {
  const parent = trace.getSpan(context);
  const parentContext = parent?.spanContext();
  if (!parent || !parentContext || parentContext.traceId === INVALID_TRACEID) return undefined;
  return isRemoteSpan(parent) ? rememberedHandlingSpan(parentContext) : parent;
}
