import { type Attributes, type Context, type SpanContext, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { getIsolationScope } from '../../context/current-scopes.js';
import { scopesOf } from '../../context/scoped-context.js';
import { type LocalRoot, localRootOf, propagationContextOf, type TraceDecision } from '../../context/trace.js';
import { createLogger } from '../../internal/diag.js';
import { guard, reportFailure } from '../../internal/guard.js';
import type { InnerClient } from '../../model/inner-client.js';
import type { SamplingContext } from '../../model/options.js';
import type { Quantities } from '../../model/outcome.js';
import { ATTRIBUTE, type SpanAttributes } from '../../model/span-json.js';
import { type PropagationContext, sampleRandOf } from '../../model/trace.js';
import { describeSpan } from '../describe/describe-span.js';

const log = createLogger('sampler');

/** A span without a parent in this process, as it is about to start. */
export interface RootSpan {
  readonly context: Context;
  readonly traceId: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly remoteParent: SpanContext | undefined;
  /** Whether a sampler of the host sets OTel's sampled flag, so that the flag of a parent is no decision of ours. */
  readonly isHostFlag?: boolean;
}

const LOST_ROOT: Quantities = [
  ['transaction', 1],
  ['span', 1],
];
const LOST_SPAN: Quantities = [['span', 1]];

/**
 * The one decision of a trace, in order of precedence: a `beforeSampling` handler may force the trace; `tracesSampler`;
 * an orphaned outgoing request is not traced; the upstream decision; preflights and probes are not traced;
 * `tracesSampleRate`.
 */
export function decideRoot(client: InnerClient, root: RootSpan): TraceDecision {
  const upstream = root.remoteParent && readUpstream(root, root.remoteParent);
  const sampleRand = upstream?.sampleRand ?? sampleRandOf(root.traceId);
  const incoming = upstream?.dsc;
  if (client.listens('beforeSampling') && isForced(client, root, upstream?.sampled)) {
    return { sampled: true, sampleRate: 1, sampleRand, incoming };
  }
  if (!client.settings.tracesSampler && !root.remoteParent && isOutgoingRequest(root)) {
    client.ledger.captureAndDiscard('no_parent_span', LOST_SPAN);
    return { sampled: undefined, sampleRand, incoming };
  }
  const sampleRate = rateFor(client, root, upstream);
  const sampled = sampleRate === undefined ? upstream?.sampled === true : sampleRand < sampleRate;
  if (!sampled && upstream?.sampled === undefined) client.ledger.captureAndDiscard('sample_rate', LOST_ROOT);
  return { sampled, sampleRate: sampleRate ?? upstream?.sampleRate, sampleRand, incoming };
}

interface Upstream extends PropagationContext {
  /** The rate that decided, where that was in this process. */
  readonly sampleRate?: number;
}

/** The root of a span in this process that was given as a parent of elsewhere, to begin another transaction below it. */
function enclosingRoot(context: Context): LocalRoot | undefined {
  const parent = trace.getSpan(context);
  return parent && localRootOf(parent);
}

/** What came in with the trace: through our headers, or, with a W3C header alone, its sampled flag where that is ours. */
function readUpstream(
  { context, isHostFlag }: RootSpan,
  { traceId, spanId, traceFlags }: SpanContext,
): Upstream | undefined {
  const enclosing = enclosingRoot(context);
  if (enclosing) {
    const { sampled, sampleRate, sampleRand, incoming } = enclosing;
    return { traceId, parentSpanId: spanId, sampled, sampleRate, sampleRand, dsc: incoming };
  }
  const propagation = propagationContextOf(context, traceId);
  if (propagation || isHostFlag) return propagation;
  const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return { traceId, parentSpanId: spanId, sampled, sampleRand: sampleRandOf(traceId), dsc: {} };
}

/** @returns the rate to apply, or `undefined` where the upstream decision stands; an unusable rate counts as 0 */
function rateFor(client: InnerClient, root: RootSpan, upstream: PropagationContext | undefined): number | undefined {
  const { tracesSampler, tracesSampleRate } = client.settings;
  if (tracesSampler) {
    const given = guard('tracesSampler', () => tracesSampler(createSamplingContext(root, upstream)), 0);
    return toRate(given);
  }
  if (upstream?.sampled !== undefined) return undefined;
  return isProbe(root) ? 0 : (tracesSampleRate ?? 0);
}

function toRate(given: unknown): number {
  const rate = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (rate === true) return 1;
  if (rate === false) return 0;
  if (typeof rate === 'number' && rate >= 0 && rate <= 1) return rate;
  reportFailure(
    'tracesSampler',
    new TypeError(`it must return a boolean or a number from 0 to 1, not ${typeof given}`),
  );
  return 0;
}

function createSamplingContext(root: RootSpan, upstream: PropagationContext | undefined): SamplingContext {
  const { name, kind, attributes, context } = root;
  const { op, description, data } = describeSpan({ name, kind, attributes });
  const parentSampled = upstream?.sampled;
  const parentSampleRate = numberIn(upstream?.dsc?.sample_rate);
  const isolation = scopesOf(context)?.isolation ?? getIsolationScope();
  const request = isolation.snapshot().sdkProcessingMetadata['normalizedRequest'];
  return {
    name: description,
    attributes: { ...(data as SpanAttributes), ...attributes, ...(op && { [ATTRIBUTE.op]: op }) },
    parentSampled,
    parentSampleRate,
    transactionContext: { name: description, op, parentSampled },
    request: request as Record<string, unknown> | undefined,
    inheritOrSampleWith: (fallback) =>
      parentSampleRate ?? (parentSampled === undefined ? fallback : Number(parentSampled)),
  };
}

function isForced(client: InnerClient, root: RootSpan, parentSampled: boolean | undefined): boolean {
  const verdict = { decision: false };
  const { name, kind, attributes, context } = root;
  client.emit(
    'beforeSampling',
    {
      spanName: describeSpan({ name, kind, attributes }).description,
      spanAttributes: attributes as SpanAttributes,
      parentSampled,
      parentContext: context,
    },
    verdict,
  );
  if (verdict.decision === true) log.debug('a beforeSampling handler forced a trace to be sampled');
  return verdict.decision === true;
}

function isOutgoingRequest({ kind, attributes }: RootSpan): boolean {
  return kind === SpanKind.CLIENT && httpMethodOf(attributes) !== undefined;
}

function isProbe({ kind, attributes }: RootSpan): boolean {
  if (kind !== SpanKind.SERVER) return false;
  const method = httpMethodOf(attributes);
  return method === 'OPTIONS' || method === 'HEAD';
}

function httpMethodOf(attributes: Attributes): unknown {
  return attributes['http.request.method'] ?? attributes['http.method'];
}

function numberIn(text: string | undefined): number | undefined {
  const value = Number(text);
  return text !== undefined && text !== '' && value >= 0 && value <= 1 ? value : undefined;
}
