import { type Context, INVALID_TRACEID, type Span, type SpanContext, trace } from '@opentelemetry/api';
import { processWide } from '../../context/process-wide.js';
import { isRemoteSpan, propagationContextOf } from '../../context/trace/trace.js';

/*
 * A framework's own instrumentation may read a request's headers after the server instrumentation has. The span that
 * it starts is not a local root, but a child of the span that handles the request.
 */

/**
 * The span that already handles the request.
 *
 * @param context in which headers are read
 * @param remote the parent in the headers; `undefined` is returned if it did not come with the request
 */
export function handlingSpanOf(context: Context, remote: SpanContext | undefined): Span | undefined {
  if (!remote?.isRemote) return undefined;
  const span = trace.getSpan(context);
  const own = span?.spanContext();
  if (!own || own.isRemote || own.traceId !== remote.traceId) return undefined;
  return propagationContextOf(context, remote.traceId)?.parentSpanId === remote.spanId ? span : undefined;
}

/** Remembers the actual parent of spans with this remote parent, where the parent itself cannot be changed. */
export function rememberHandlingSpan(remote: SpanContext, handler: Span): void {
  processWide().handlingSpans.set(remote, handler);
}

/** The span of this process to use as parent in place of the remote one. */
export function rememberedHandlingSpan(parent: SpanContext | undefined): Span | undefined {
  return parent?.isRemote ? processWide().handlingSpans.get(parent) : undefined;
}

/** The parent in this process. OTel gives all invalid parents the same id, so comparing with it is enough. */
export function localParentOf(context: Context): Span | undefined {
  const parent = trace.getSpan(context);
  const parentContext = parent?.spanContext();
  if (!parent || !parentContext || parentContext.traceId === INVALID_TRACEID) return undefined;
  return isRemoteSpan(parent) ? rememberedHandlingSpan(parentContext) : parent;
}
