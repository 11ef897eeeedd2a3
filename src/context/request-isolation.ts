import { type Context, type Span, SpanKind, trace } from '@opentelemetry/api';
import { guard } from '../internal/guard.js';
import { RecentMap } from '../internal/recent-map.js';
import type { Scope } from '../model/scope.js';
import { getDefaultIsolationScope, getScopes, setIsolationFinder } from './current-scopes.js';
import { localRootOf, type RequestIsolation } from './local-root.js';
import { scopesOf } from './scoped-context.js';

/** Whether a local root of this kind begins a unit of work. */
export function startsRequest(kind: SpanKind): boolean {
  return kind === SpanKind.SERVER || kind === SpanKind.CONSUMER;
}

/** The outermost scope of the unit that each isolation scope serves. */
const taken = new WeakMap<Scope, Scope>();

/**
 * The unit that a root in the given context begins. An isolation scope that was forked for it already, as for each
 * request of an HTTP server, serves one unit; for further ones it is forked.
 */
export function createRequestIsolation(context: Context): RequestIsolation {
  const outer = (scopesOf(context) ?? getScopes()).isolation;
  const isForked = outer !== getDefaultIsolationScope() && !taken.has(outer);
  const own = isForked ? outer : outer.clone();
  const outermost = taken.get(outer) ?? outer;
  taken.set(own, outermost);
  if (own !== outer) setIsolationFinder(isolationIn);
  return { outer, outermost, own };
}

const MIN_UNRECORDED_UNITS = 5000;
const unrecorded = new RecentMap<string, RequestIsolation>(MIN_UNRECORDED_UNITS);
let hasUnrecorded = false;

/** Remembers the unit of a root that does not record, by its trace; the oldest are forgotten. */
export function rememberIsolation(traceId: string, unit: RequestIsolation): void {
  if (unit.own === unit.outer) return;
  hasUnrecorded = true;
  unrecorded.set(traceId, unit);
}

/** The isolation scope to run in with the given span active: the unit's own in place of the one it began in. */
export function isolationWithin(span: Span | undefined, isolation: Scope): Scope {
  if (!span) return isolation;
  const unit = localRootOf(span)?.request ?? (hasUnrecorded ? unrecordedUnitOf(span) : undefined);
  return unit && (unit.outer === isolation || unit.outermost === isolation) ? unit.own : isolation;
}

/** Spans of the host's own make may fail when they are asked. */
function unrecordedUnitOf(span: Span): RequestIsolation | undefined {
  return guard('a span', () => unrecorded.get(span.spanContext().traceId), undefined);
}

/** As {@link isolationWithin}, for the span that is active in a context. */
export function isolationIn(context: Context, isolation: Scope): Scope {
  return isolationWithin(trace.getSpan(context), isolation);
}
