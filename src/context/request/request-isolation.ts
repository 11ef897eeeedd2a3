import { type Context, type Span, SpanKind } from '@opentelemetry/api';
import { guard } from '../../internal/guard.js';
import type { Scope } from '../../model/scope/scope.js';
import { processWide } from '../process-wide.js';
import { spanIn } from '../scoped-context.js';
import { localRootOf } from '../trace/find-local-root.js';
import type { RequestIsolation } from '../trace/local-root.js';

/** Whether a local root of this kind handles a request or message. */
export function startsRequest(kind: SpanKind): boolean {
  return kind === SpanKind.SERVER || kind === SpanKind.CONSUMER;
}

/**
 * Assigns an isolation scope to a request. If one was already forked for it, as an HTTP server does for each request,
 * the first request uses that one; further requests get forks.
 *
 * @param outer the isolation scope in which the root is started
 */
export function createRequestIsolation(outer: Scope): RequestIsolation {
  const shared = processWide();
  const { outermostScopes } = shared;
  const isForked = outer !== shared.fallback.isolation && !outermostScopes.get(outer);
  const own = isForked ? outer : outer.clone();
  const outermost = outermostScopes.get(outer) ?? outer;
  outermostScopes.set(own, outermost);
  if (own !== outer) shared.hasRequestScopes = true;
  return { outer, outermost, own };
}

/** Remembers the isolation of a request with a non-recording root, by trace id; the oldest are forgotten. */
export function rememberIsolation(traceId: string, request: RequestIsolation): void {
  if (request.own === request.outer) return;
  const { unrecordedRequests } = processWide();
  const isOnly = unrecordedRequests.get(traceId) === undefined;
  unrecordedRequests.set(traceId, { latest: request, isOnly, isTaken: false });
}

/** The isolation scope to use while the span is active: the request's own instead of the scope in which it began. */
export function isolationWithin(span: Span | undefined, isolation: Scope): Scope {
  if (!span || !processWide().hasRequestScopes) return isolation;
  const request = localRootOf(span)?.request;
  if (request) return isReplaced(isolation, request) ? request.own : isolation;
  // User-implemented spans may throw.
  return guard('a span', () => unrecordedRequestOf(span, isolation))?.own ?? isolation;
}

function isReplaced(isolation: Scope, { outer, outermost }: RequestIsolation): boolean {
  return outer === isolation || outermost === isolation;
}

/**
 * The request of a span that does not record, if it replaces the isolation scope. Several requests may continue one trace:
 * each further span then gets a scope of its own, because sharing one would mix the data of requests.
 */
function unrecordedRequestOf(span: Span, isolation: Scope): RequestIsolation | undefined {
  const { unrecordedRequests, requestsOfUnrecorded } = processWide();
  const own = requestsOfUnrecorded.get(span);
  if (own) return isReplaced(isolation, own) ? own : undefined;
  const requests = unrecordedRequests.get(span.spanContext().traceId);
  if (!requests || !isReplaced(isolation, requests.latest)) return undefined;
  const isFree = requests.isOnly || !requests.isTaken;
  const request = isFree ? requests.latest : createRequestIsolation(isolation);
  requests.isTaken = true;
  requestsOfUnrecorded.set(span, request);
  return request;
}

/** Like {@link isolationWithin}, for a context's active span. */
export function isolationIn(context: Context, isolation: Scope): Scope {
  return isolationWithin(spanIn(context), isolation);
}
