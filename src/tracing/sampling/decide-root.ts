import * as fs from 'node:fs';
import { type Attributes, type Context, type SpanContext, SpanKind, trace } from '@opentelemetry/api';
import { scopesIn } from '../../context/current-scopes.js';
import { observeRoot } from '../../context/observed/observe-root.js';
import { askUserCode } from '../../context/observed/report-hook.js';
import { localRootOf } from '../../context/trace/find-local-root.js';
import { isSampled, propagationContextOf } from '../../context/trace/trace.js';
import { nowMillis } from '../../internal/clock.js';
import { createLogger } from '../../internal/diag.js';
import { drawRandom } from '../../internal/randomness.js';
import { describe } from '../../internal/values/in-message.js';
import type { Ledger } from '../../model/delivery/ledger.js';
import { type DiscardReason, ONE_SPAN, type Quantities } from '../../model/delivery/outcome.js';
import { ATTRIBUTE, type SpanAttributes } from '../../model/event/span-json.js';
import type { InnerClient } from '../../model/inner-client.js';
import type { SamplingContext } from '../../model/options.js';
import { readFraction, sampleRandOf } from '../../model/trace.js';
import { httpMethodOf } from '../describe/attribute-text.js';
import { describeSpan } from '../describe/describe-span.js';
import { isEnvelopeRequest } from '../propagation/envelope-request.js';
import { applyRules, type RootDecision, type Upstream } from './sampling-rules.js';

const log = createLogger('sampler');

/** A span without a parent in this process, as it is about to start. */
interface RootSpan {
  readonly context: Context;
  readonly traceId: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly remoteParent: SpanContext | undefined;
  /** Whether the user's sampler sets OTel's sampled flag: a parent's flag is then not our decision. */
  readonly hasExistingSampler?: boolean;
}

/** Decides about a local root: asks user code, and reads the incoming trace. Counts nothing. */
export function decideRoot(client: InnerClient, root: RootSpan): RootDecision {
  if (isEnvelopeRequest(root.context)) {
    return { verdict: 'drop', reason: 'envelope', sampled: false, sampleRand: sampleRandOf(root.traceId) };
  }
  const upstream = root.remoteParent && limitForced(client, readUpstream(client, root, root.remoteParent));
  const isForced = client.listens('beforeSampling') && askHandlers(client, root, upstream?.sampled);
  const { tracesSampleRate } = client.settings;
  return applyRules({
    sampleRand: upstream?.sampleRand ?? sampleRandOf(root.traceId),
    isForced,
    samplerRate: isForced ? undefined : askSampler(client, root, upstream),
    upstream,
    isOrphan: root.remoteParent === undefined && (isOutgoingRequest(root) || isSideEffect(root)),
    isProbe: isProbe(root),
    tracesSampleRate,
  });
}

/** Decides about a root that is about to start, and counts it if it is dropped. */
export function decideAndCount(client: InnerClient, root: RootSpan): RootDecision {
  observeRoot(root.context, root.kind, root.remoteParent !== undefined);
  const decision = decideRoot(client, root);
  countDiscardedRoot(client.ledger, decision.discardReason);
  return decision;
}

const LOST_TRANSACTION: Quantities = [
  ['transaction', 1],
  ['span', 1],
];

/** Counts a root that does not become a transaction. @param reason `undefined` if an upstream service has counted it */
export function countDiscardedRoot(ledger: Ledger, reason: DiscardReason | undefined): void {
  if (reason) ledger.captureAndDiscard(reason, reason === 'no_parent_span' ? ONE_SPAN : LOST_TRANSACTION);
}

/**
 * The decision made before: by the enclosing root of this process, with `forceTransaction`; by an upstream service, in our
 * headers; or, with a W3C header alone, its sampled flag, unless the user's sampler sets that flag.
 */
function readUpstream(
  { settings }: InnerClient,
  { context, hasExistingSampler }: RootSpan,
  remoteParent: SpanContext,
): Upstream | undefined {
  const parent = trace.getSpan(context);
  const enclosing = parent && localRootOf(parent);
  if (enclosing) {
    const { sampled, sampleRate, sampleRand, incoming } = enclosing.decision;
    return { sampled, sampleRate, sampleRand, dsc: incoming, isLocal: true };
  }
  const propagation = propagationContextOf(context, remoteParent.traceId);
  if (propagation || hasExistingSampler || settings.trustIncomingSampling !== 'always') return propagation;
  return { sampled: isSampled(remoteParent), dsc: {} };
}

/**
 * Counts how many incoming traces may still be kept in this second: the limit, plus the share that `tracesSampleRate` keeps
 * of all incoming traces. Ignores random numbers and trace ids, because callers choose them.
 */
class ForcedTraces {
  #second = 0;
  #credit = 0;

  /** @param isWanted whether another service wants the trace to be kept @returns whether the limit allows that */
  admit(isWanted: boolean, rate: number, maxPerSecond: number, nowMillis: number): boolean {
    const second = Math.floor(nowMillis / 1000);
    if (second !== this.#second) this.#credit = maxPerSecond;
    this.#second = second;
    this.#credit += rate;
    if (!isWanted) return true;
    if (this.#credit < 1) return false;
    this.#credit -= 1;
    return true;
  }
}

/** Ignores the decision of another service to keep a trace, if too many were kept in this second. */
function limitForced(client: InnerClient, upstream: Upstream | undefined): Upstream | undefined {
  const { maxForcedTracesPerSecond: max, tracesSampleRate = 0, tracesSampler } = client.settings;
  if (max === undefined || tracesSampler || !upstream || upstream.isLocal) return upstream;
  const { sampled, sampleRand = 1 } = upstream;
  const isAdmitted = client
    .stateOf(ForcedTraces)
    .admit(sampled ?? sampleRand < tracesSampleRate, tracesSampleRate, max, nowMillis());
  return isAdmitted ? upstream : { sampleRand: drawRandom() };
}

/** @returns the rate that `tracesSampler` returns; 0 for an unusable one; `undefined` without a sampler */
function askSampler(client: InnerClient, root: RootSpan, upstream: Upstream | undefined): number | undefined {
  const { tracesSampler } = client.settings;
  if (!tracesSampler) return undefined;
  const call = () => tracesSampler(createSamplingContext(root, upstream));
  return toRate(askUserCode('tracesSampler', call, SAMPLER_DUTY, client.settings)) ?? 0;
}

function toRate(result: unknown): number | undefined {
  const rate = typeof result === 'string' && result.trim() !== '' ? Number(result) : result;
  if (rate === true) return 1;
  if (rate === false) return 0;
  return typeof rate === 'number' && rate >= 0 && rate <= 1 ? rate : undefined;
}

const SAMPLER_DUTY = {
  consequence: 'such traces are not sampled. It must return a boolean or a number from 0 to 1',
  findProblem(result: unknown): string | undefined {
    if (toRate(result) !== undefined) return undefined;
    if (typeof result === 'number') return `returned ${result}, which is out of range`;
    return `returned ${describe(result)}, which is neither a boolean nor a number`;
  },
};

function createSamplingContext(root: RootSpan, upstream: Upstream | undefined): SamplingContext {
  const { name, kind, attributes, context } = root;
  const { op, description, data } = describeSpan({ name, kind, attributes });
  const parentSampled = upstream?.sampled;
  const parentSampleRate = readFraction(upstream?.dsc?.sample_rate);
  const { isolation } = scopesIn(context);
  const request = isolation.snapshot().sdkProcessingMetadata['normalizedRequest'] as SamplingContext['request'];
  return {
    name: description,
    attributes: { ...data, ...attributes, ...(op && { [ATTRIBUTE.op]: op }) },
    parentSampled,
    parentSampleRate,
    transactionContext: { name: description, op, parentSampled },
    request,
    normalizedRequest: request,
    inheritOrSampleWith: (fallback) =>
      parentSampleRate ?? (parentSampled === undefined ? fallback : Number(parentSampled)),
  };
}

/** @returns whether a `beforeSampling` handler forces the trace to be kept */
function askHandlers(client: InnerClient, root: RootSpan, parentSampled: boolean | undefined): boolean {
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

function isOutgoingRequest(root: RootSpan): boolean {
  return root.kind === SpanKind.CLIENT && httpMethodOf(root) !== undefined;
}

/** Connections, lookups, and schemas that are parsed when the application starts. */
const SIDE_EFFECT =
  /^(?:dns\.lookup\w*|(?:tcp|tls|ipc)\.connect|redis-connect|pg(?:-pool)?\.connect|graphql\.(?:parse|validate)\w*)$/;

/** How OTel's instrumentation of `node:fs` names spans: `fs readFile`. */
const FILE_OPERATION = /^fs (\w+)$/;

/** Whether an instrumentation started the root as a side effect of other work. */
function isSideEffect({ name, attributes }: RootSpan): boolean {
  if (attributes[ATTRIBUTE.op] !== undefined || attributes[ATTRIBUTE.origin] !== undefined) return false;
  if (attributes['nestjs.type'] === 'app_creation' || SIDE_EFFECT.test(name)) return true;
  const operation = FILE_OPERATION.exec(name)?.[1];
  return operation !== undefined && operation in fs;
}

function isProbe(root: RootSpan): boolean {
  const method = httpMethodOf(root);
  return method === 'OPTIONS' || method === 'HEAD';
}
