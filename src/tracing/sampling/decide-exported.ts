import { type Context, context as contextApi, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { withScopes } from '../../context/scoped-context.js';
import { parentOf } from '../../context/trace/span-parent.js';
import { isTracingEnabled, propagationContextOf } from '../../context/trace/trace.js';
import { guardOwn } from '../../internal/guard.js';
import type { InnerClient } from '../../model/inner-client.js';
import { Scope } from '../../model/scope/scope.js';
import { type PropagationContext, sampleRandOf } from '../../model/trace.js';
import { mendSpan } from '../spans/mend-span.js';
import { decideRoot } from './decide-root.js';
import type { RootDecision } from './sampling-rules.js';

/**
 * Decides about a root that has ended, and that the user's sampler has kept. Without `tracesSampleRate` and
 * `tracesSampler`, that decision stands. With one of them, the rules are those of any root. Counts nothing; never throws.
 *
 * @returns a dropped root always has a `discardReason`: its spans exist, so the caller counts them
 */
export function decideExported(client: InnerClient, span: ReadableSpan): RootDecision {
  const decide = (one: ReadableSpan | undefined) =>
    one && guardOwn('sampling of an exported span', () => decideEnded(client, one));
  const decision = decide(span) ?? decide(mendSpan(span));
  if (decision?.verdict === 'send') return decision;
  if (decision) return { ...decision, discardReason: decision.discardReason ?? 'sample_rate' };
  return { verdict: 'drop', reason: 'failed', sampled: false, sampleRand: 0, discardReason: 'internal_sdk_error' };
}

function decideEnded(client: InnerClient, span: ReadableSpan): RootDecision {
  if (!isTracingEnabled(client)) return keep(span);
  const { name, attributes } = span;
  const { traceId } = span.spanContext();
  const parent = parentOf(span);
  const remoteParent = parent?.isRemote ? parent : undefined;
  // A request is not an orphan if its parent is in this process and was not exported.
  const kind = parent && !remoteParent && span.kind === SpanKind.CLIENT ? SpanKind.INTERNAL : span.kind;
  return decideRoot(client, {
    context: contextOf(traceId),
    traceId,
    name,
    kind,
    attributes,
    remoteParent,
    hasExistingSampler: true,
  });
}

function keep(span: ReadableSpan): RootDecision {
  const { traceId } = span.spanContext();
  const isContinued = parentOf(span)?.isRemote;
  const upstream = isContinued ? upstreamOf(traceId) : undefined;
  const incoming = isContinued ? (upstream?.dsc ?? {}) : undefined;
  const sampleRand = upstream?.sampleRand ?? sampleRandOf(traceId);
  return { verdict: 'send', reason: 'recorded', sampled: true, sampleRand, incoming };
}

/** Stands for the context in which the span started, which is gone: has what is known of its trace. */
function contextOf(traceId: string): Context {
  const current = new Scope();
  const upstream = upstreamOf(traceId);
  if (upstream) current.setPropagationContext(upstream);
  return withScopes(ROOT_CONTEXT, current, new Scope());
}

/** The incoming trace, if the span is exported in the context in which it ended. */
function upstreamOf(traceId: string): PropagationContext | undefined {
  return propagationContextOf(contextApi.active(), traceId);
}
