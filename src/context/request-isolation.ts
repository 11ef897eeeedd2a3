import { type Context, type Span, SpanKind, trace } from '@opentelemetry/api';
import { guard } from '../internal/guard.js';
import type { Scope } from '../model/scope.js';
import { localRootOf } from './find-local-root.js';
import type { RequestIsolation } from './local-root.js';
import { processWide } from './process-wide.js';

/** Whether a local root of this kind begins a request or message that is handled here. */
export function startsRequest(kind: SpanKind): boolean {
  return kind === SpanKind.SERVER || kind === SpanKind.CONSUMER;
}

/**
 * Gives a request an isolation scope. One that was forked for it already, as for each request of an HTTP server, serves
 * one request; for further ones it is forked.
 *
 * @param outer the isolation scope in which the root is started
 */
export function createRequestIsolation(outer: Scope): RequestIsolation {
  const shared = processWide();
  const { outermostScopes } = shared;
  const isForked = outer !== shared.fallback.isolation && !outermostScopes.has(outer);
  const own = isForked ? outer : outer.clone();
  const outermost = outermostScopes.get(outer) ?? outer;
  outermostScopes.set(own, outermost);
  if (own !== outer) shared.hasRequestScopes = true;
  return { outer, outermost, own };
}

/** Remembers the isolation of a request whose root does not record, by its trace; the oldest are forgotten. */
export function rememberIsolation(traceId: string, request: RequestIsolation): void {
  if (request.own !== request.outer) processWide().unrecordedRequests.set(traceId, request);
}

/** The isolation scope to run in with the given span active: the request's own in place of the one that it began in. */
export function isolationWithin(span: Span | undefined, isolation: Scope): Scope {
  if (!span || !processWide().hasRequestScopes) return isolation;
  const request = localRootOf(span)?.request ?? unrecordedRequestOf(span);
  return request && (request.outer === isolation || request.outermost === isolation) ? request.own : isolation;
}

/** Spans of the user's own make may throw. */
function unrecordedRequestOf(span: Span): RequestIsolation | undefined {
  const { unrecordedRequests } = processWide();
  return guard('a span', () => unrecordedRequests.get(span.spanContext().traceId), undefined);
}

/** As {@link isolationWithin}, for the span that is active in a context. */
export function isolationIn(context: Context, isolation: Scope): Scope {
  return isolationWithin(trace.getSpan(context), isolation);
}
