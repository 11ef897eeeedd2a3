import { type Context, type Span, SpanKind } from '@opentelemetry/api';
import { guardOwn } from '../../internal/guard.js';
import type { Scope } from '../../model/scope/scope.js';
import { processWide } from '../process-wide.js';
import { type Scopes, scopesOf, spanIn } from '../scoped-context.js';
import { localRootOf } from '../trace/find-local-root.js';
import type { RequestIsolation } from '../trace/local-root.js';
import { joinUnit } from '../unit-of-work.js';

/** Whether a local root of this kind handles a request or message. */
export function startsRequest(kind: SpanKind): boolean {
  return kind === SpanKind.SERVER || kind === SpanKind.CONSUMER;
}

/**
 * Assigns an isolation scope to a request. A scope that an HTTP server has forked for the request is used by the first request
 * that starts in it; later ones get forks of it.
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
  if (own !== outer) {
    shared.hasRequestScopes = true;
    joinUnit(own, outer);
  }
  return { outer, outermost, own };
}

/**
 * Remembers the isolation of a request with a non-recording root: by trace id, of which the oldest are forgotten, and by the
 * current scope, which is forked where the headers of a request are read. Several requests may continue one trace.
 */
export function rememberIsolation(traceId: string, { current, isolation }: Scopes): void {
  const ofRequest = createRequestIsolation(isolation);
  if (ofRequest.own === ofRequest.outer) return;
  const { unrecordedRequests, requestsOfForks } = processWide();
  const isOnly = unrecordedRequests.get(traceId) === undefined;
  unrecordedRequests.set(traceId, { traceId, isolation: ofRequest, isOnly, isTaken: false });
  const isOnlyOfFork = requestsOfForks.get(current) === undefined;
  requestsOfForks.set(current, { traceId, isolation: ofRequest, isOnly: isOnlyOfFork, isTaken: false });
}

/**
 * The isolation scope to use while the span is active: the request's own instead of the scope in which it began.
 *
 * @param current the current scope there, if known
 */
export function isolationWithin(span: Span | undefined, isolation: Scope, current?: Scope): Scope {
  if (!span || !processWide().hasRequestScopes) return isolation;
  const request = localRootOf(span)?.request;
  if (request) return isReplaced(isolation, request) ? request.own : isolation;
  // User-implemented spans may throw.
  return guardOwn('a span', () => unrecordedRequestOf(span, isolation, current))?.own ?? isolation;
}

function isReplaced(isolation: Scope, { outer, outermost }: RequestIsolation): boolean {
  return outer === isolation || outermost === isolation;
}

/**
 * The request of a span that does not record, if it replaces the isolation scope. Several requests may continue one trace:
 * each further span then gets a scope of its own, because sharing one would mix the data of requests.
 */
function unrecordedRequestOf(span: Span, isolation: Scope, current?: Scope): RequestIsolation | undefined {
  const { unrecordedRequests, requestsOfUnrecorded, requestsOfForks } = processWide();
  const known = requestsOfUnrecorded.get(span);
  if (known) return isReplaced(isolation, known) ? known : undefined;
  const { traceId } = span.spanContext();
  const latestOfTrace = unrecordedRequests.get(traceId);
  const latestOfFork = current && requestsOfForks.get(current);
  const isOfFork = latestOfFork?.isOnly && latestOfFork.traceId === traceId;
  const latest = isOfFork ? latestOfFork : latestOfTrace;
  if (!latest || !isReplaced(isolation, latest.isolation)) return undefined;
  const isFree = latest.isOnly || !latest.isTaken;
  const assigned = isFree ? latest.isolation : createRequestIsolation(isolation);
  if (latest.isolation === latestOfTrace?.isolation) latestOfTrace.isTaken = true;
  requestsOfUnrecorded.set(span, assigned);
  return assigned;
}

/** Like {@link isolationWithin}, for a context's active span. */
export function isolationIn(context: Context, isolation: Scope): Scope {
  return isolationWithin(spanIn(context), isolation, scopesOf(context)?.current);
}
