import { type Context, context as contextApi, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { withScopes } from '../../context/scoped-context.js';
import { isTracingEnabled, propagationContextOf, type TraceDecision } from '../../context/trace.js';
import { guard } from '../../internal/guard.js';
import type { InnerClient } from '../../model/inner-client.js';
import { Ledger } from '../../model/ledger.js';
import type { DiscardReason, Quantities } from '../../model/outcome.js';
import { Scope } from '../../model/scope.js';
import { type PropagationContext, sampleRandOf } from '../../model/trace.js';
import { decideRoot } from './sampling-decision.js';

const ONE_TRANSACTION: Quantities = [
  ['transaction', 1],
  ['span', 1],
];
const ONE_SPAN: Quantities = [['span', 1]];

/** A decision about a root that has ended. */
export interface ExportDecision extends TraceDecision {
  /** Why it and the spans below it are not sent; `undefined` when they are. */
  readonly lostAs: DiscardReason | undefined;
}

/**
 * Decides about roots that the host's sampler has kept. Without `tracesSampleRate` and `tracesSampler` all of them
 * become transactions: whoever registers the exporter has decided. With one of the two the rules are those of any root.
 */
export class ExportSampler {
  readonly #client: InnerClient;
  readonly #discards = new Ledger();
  readonly #rules: InnerClient;

  constructor(client: InnerClient) {
    this.#client = client;
    // The rules count a lost root without its spans, which elsewhere never begin. Here they are known and counted as well.
    this.#rules = {
      settings: client.settings,
      ledger: this.#discards,
      listens: (hook) => client.listens(hook),
      emit: (hook, ...args) => client.emit(hook, ...args),
    } as InnerClient;
  }

  /** Decides, and counts the root where it is lost; the spans below it are the caller's to count. Never throws. */
  decide(span: ReadableSpan): ExportDecision {
    const decision = guard('sampling of an exported span', () => this.#decide(span), undefined);
    if (decision?.sampled) return { ...decision, lostAs: undefined };
    const [discard] = this.#discards.takeUnreported();
    const lostAs = decision ? (discard?.reason ?? 'sample_rate') : 'internal_sdk_error';
    this.#client.ledger.captureAndDiscard(lostAs, lostAs === 'no_parent_span' ? ONE_SPAN : ONE_TRANSACTION);
    return { sampled: false, sampleRand: 0, ...decision, lostAs };
  }

  #decide(span: ReadableSpan): TraceDecision {
    return isTracingEnabled(this.#client) ? this.#decideByRules(span) : keep(span);
  }

  #decideByRules(span: ReadableSpan): TraceDecision {
    const { name, attributes, parentSpanContext } = span;
    const { traceId } = span.spanContext();
    const remoteParent = parentSpanContext?.isRemote ? parentSpanContext : undefined;
    // A request whose parent is of this process, but has not come, is no request without a parent.
    const kind = parentSpanContext && !remoteParent && span.kind === SpanKind.CLIENT ? SpanKind.INTERNAL : span.kind;
    const context = contextOf(traceId);
    return decideRoot(this.#rules, { context, traceId, name, kind, attributes, remoteParent, isHostFlag: true });
  }
}

function keep(span: ReadableSpan): TraceDecision {
  const { traceId } = span.spanContext();
  const upstream = span.parentSpanContext?.isRemote ? upstreamOf(traceId) : undefined;
  const incoming = span.parentSpanContext?.isRemote ? (upstream?.dsc ?? {}) : undefined;
  return { sampled: true, sampleRand: upstream?.sampleRand ?? sampleRandOf(traceId), incoming };
}

/** A context with nothing in it but what is known of the trace: that of the span's start is gone. */
function contextOf(traceId: string): Context {
  const current = new Scope();
  const upstream = upstreamOf(traceId);
  if (upstream) current.setPropagationContext(upstream);
  return withScopes(ROOT_CONTEXT, current, new Scope());
}

/** What came in with the trace, where the span is exported in the context of its end. */
function upstreamOf(traceId: string): PropagationContext | undefined {
  return propagationContextOf(contextApi.active(), traceId);
}
