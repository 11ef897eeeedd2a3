import {
  type Context,
  context as contextApi,
  isSpanContextValid,
  type Span,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import { RecentMap } from '../../internal/collections/recent-map.js';
import { guardOwn } from '../../internal/guard.js';
import { createSpanId } from '../../internal/ids.js';
import { isObject } from '../../internal/values/read.js';
import type { Client } from '../../model/contracts.js';
import type { TraceContext } from '../../model/event/event.js';
import type { InnerClient } from '../../model/inner-client.js';
import type { Scope } from '../../model/scope/scope.js';
import {
  type DynamicSamplingContext,
  type PropagationContext,
  readSampleRand,
  sampleRandOf,
  sanitizeDsc,
  toWireId,
} from '../../model/trace.js';
import { scopesIn } from '../current-scopes.js';
import { localRootOf, localRootOfClient } from './find-local-root.js';
import type { LocalRoot, TraceDecision } from './local-root.js';
import { parentOf } from './span-parent.js';

/** Whether a value is a span with a span context. */
export function isSpan(value: unknown): value is Span {
  return isObject(value) && guardOwn('a span', () => typeof (value as Span).spanContext().traceId === 'string', false);
}

export function isSampled({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

/**
 * Whether a span represents one of another process. Callers that create a parent themselves may omit `isRemote`: such a
 * span is sampled, although nothing in this process has recorded it.
 */
export function isRemoteSpan(span: Span): boolean {
  const spanContext = span.spanContext();
  if (spanContext.isRemote) return true;
  return isSampled(spanContext) && !span.isRecording() && !('attributes' in span) && localRootOf(span) === undefined;
}

export function remoteParentOf(context: Context): SpanContext | undefined {
  const parent = trace.getSpan(context);
  const parentContext = parent?.spanContext();
  return parent && parentContext && isSpanContextValid(parentContext) && isRemoteSpan(parent)
    ? parentContext
    : undefined;
}

/** Whether the options turn tracing on. */
export function isTracingEnabled({ settings }: Client): boolean {
  return settings.tracesSampler !== undefined || settings.tracesSampleRate !== undefined;
}

/**
 * Whether the application sets up OpenTelemetry: OTel's sampled flag is then the application's decision, not
 * Faultline's.
 */
export function hasExistingSetup({ settings }: Client): boolean {
  return settings.skipOpenTelemetrySetup;
}

/** The scope's propagation context if it belongs to this trace. */
export function propagationContextOf(context: Context, traceId: string): PropagationContext | undefined {
  return propagationIn(scopesIn(context).current, traceId);
}

function propagationIn(scope: Scope, traceId: string): PropagationContext | undefined {
  const propagation = scope.getPropagationContext();
  return propagation.traceId === toWireId(traceId) ? propagation : undefined;
}

export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
}

/** The ids of a span as they leave the process. */
export function wireIdsOf({ traceId, spanId }: SpanContext, parent: SpanContext | undefined): TraceIds {
  return { traceId: toWireId(traceId), spanId: toWireId(spanId), parentSpanId: parent && toWireId(parent.spanId) };
}

/** The current trace, as sent with events and to downstream services. */
export interface CurrentTrace extends TraceIds {
  readonly sampled: boolean | undefined;
  /** The dynamic sampling context; `undefined` if the incoming trace had none. */
  dsc(): DynamicSamplingContext | undefined;
}

/**
 * The trace of a context: its span's, or its scope's while there is no span.
 *
 * While tracing is off, spans of our own setup give their ids only: the scope's trace connects everything under it. Spans of an
 * existing OpenTelemetry setup count, whether or not its sampler records them.
 */
export function currentTrace(
  client: InnerClient | undefined,
  scope?: Scope,
  context = contextApi.active(),
): CurrentTrace {
  const current = scope ?? scopesIn(context).current;
  try {
    return traceIn(client, current, context);
  } catch {
    // What is active is not a span, but an object that the application made.
    return traceOfPropagation(client, current.getPropagationContext());
  }
}

function traceIn(client: InnerClient | undefined, current: Scope, context: Context): CurrentTrace {
  const span = trace.getSpan(context);
  const spanContext = span?.spanContext();
  if (!span || !spanContext || !isSpanContextValid(spanContext)) {
    return traceOfPropagation(client, current.getPropagationContext());
  }
  const ids = wireIdsOf(spanContext, parentOf(span));
  const { traceId, spanId } = ids;
  if (isRemoteSpan(span)) {
    return traceOfPropagation(client, propagationIn(current, traceId) ?? fromRemote(client, spanContext));
  }
  const root = localRootOf(span);
  if (!root && !span.isRecording() && client && !isTracingEnabled(client) && !hasExistingSetup(client)) {
    // Its parent stays the caller's, the nearest span that may have been sent.
    return { ...traceOfPropagation(client, propagationIn(current, traceId) ?? { traceId, spanId }), spanId };
  }
  return {
    ...ids,
    sampled: client && isTracingEnabled(client) ? decisionFor(client, span, context).sampled : undefined,
    dsc: () => client && dscOfSpan(client, span, context),
  };
}

/** A trace known only from a W3C header: its flag counts as our decision unless there is another. */
function fromRemote(client: InnerClient | undefined, spanContext: SpanContext): PropagationContext {
  const { traceId, spanId } = wireIdsOf(spanContext, undefined);
  const undecided = { traceId, parentSpanId: spanId, sampleRand: sampleRandOf(traceId) };
  if (client && (hasExistingSetup(client) || client.settings.trustIncomingSampling !== 'always')) return undecided;
  return { ...undecided, sampled: isSampled(spanContext), dsc: {} };
}

function traceOfPropagation(client: InnerClient | undefined, propagation: PropagationContext): CurrentTrace {
  propagation.spanId ??= createSpanId();
  return {
    traceId: propagation.traceId,
    spanId: propagation.spanId,
    parentSpanId: propagation.parentSpanId,
    sampled: propagation.sampled,
    dsc: () => dscOfPropagation(client, propagation),
  };
}

/**
 * The sampling decision of a span's trace. Non-recording roots store nothing; their decision is derived from the
 * settings or, if that is impossible, was remembered. For a remote span, only its flag may be known.
 */
export function decisionFor(client: InnerClient, span: Span, context: Context): TraceDecision {
  const root = localRootOfClient(span, client) ?? localRootOf(span);
  if (root) return root.decision;
  const spanContext = span.spanContext();
  const { traceId } = spanContext;
  const propagation = propagationContextOf(context, traceId);
  if (isRemoteSpan(span)) {
    const { sampled, sampleRand = sampleRandOf(traceId) } = propagation ?? fromRemote(client, spanContext);
    return { sampled, sampleRand, incoming: propagation?.dsc };
  }
  const remembered = client.stateOf(TraceMemory).unrecorded.get(traceId);
  if (remembered) return remembered;
  // Without our processor, the exporter decides about a recorded root, once it has ended.
  const sampled = isSampled(spanContext) ? propagation?.sampled : false;
  if (propagation) {
    const { sampleRand = sampleRandOf(traceId), dsc: incoming } = propagation;
    return { sampled, sampleRand, incoming };
  }
  return { sampled, sampleRate: client.settings.tracesSampleRate, sampleRand: sampleRandOf(traceId) };
}

const MIN_UNRECORDED_DECISIONS = 1000;

/** State that a client keeps about traces, beyond their spans. */
class TraceMemory {
  /** By trace id. */
  readonly unrecorded = new RecentMap<string, TraceDecision>(MIN_UNRECORDED_DECISIONS);
  /** Whether handlers of `createDsc` are running. */
  isOfferingDsc = false;
}

/**
 * Remembers the decision of a non-recording root if it cannot be derived from the settings: made by a function,
 * deferred, or made for an incoming trace. The oldest are forgotten.
 */
export function rememberUnrecorded(client: InnerClient, traceId: string, decision: TraceDecision): void {
  client.stateOf(TraceMemory).unrecorded.set(traceId, decision);
}

/** The dynamic sampling context of a local span's trace, derived from its local root. */
export function dscOfSpan(client: InnerClient, span: Span, context: Context): DynamicSamplingContext | undefined {
  if (!isTracingEnabled(client)) {
    const { traceId } = span.spanContext();
    return dscOfPropagation(client, propagationContextOf(context, traceId) ?? { traceId });
  }
  const route = getRPCMetadata(context)?.route;
  return dscOf(client, span.spanContext().traceId, decisionFor(client, span, context), localRootOf(span), route);
}

/** The dynamic sampling context of a trace without our spans. */
function dscOfPropagation(
  client: InnerClient | undefined,
  { traceId, sampleRand = sampleRandOf(traceId), dsc }: PropagationContext,
): DynamicSamplingContext | undefined {
  if (dsc) return continuedDsc(dsc, { sampleRand });
  return client && offerDsc(client, createDsc(client, traceId));
}

/**
 * @param route the route of the request that the root handles, which frameworks know before the root does
 * @returns a new object, or the incoming context plus this process's decision
 */
export function dscOf(
  client: InnerClient,
  traceId: string,
  decision: TraceDecision,
  root?: Pick<LocalRoot, 'span' | 'describe'>,
  route?: string,
): DynamicSamplingContext | undefined {
  const { incoming, sampleRate, sampleRand, sampled } = decision;
  if (incoming) return continuedDsc(incoming, decision);
  const dsc = createDsc(client, traceId);
  if (sampleRate !== undefined) dsc.sample_rate = String(sampleRate);
  dsc.sample_rand = String(sampleRand);
  if (root) {
    const { description, source } = root.describe(route);
    if (source !== 'url') dsc.transaction = description;
  }
  if (sampled !== undefined) dsc.sampled = String(sampled);
  return offerDsc(client, dsc, root?.span);
}

/** Lets `createDsc` handlers change the dynamic sampling context of a trace that began here. Handlers do not nest. */
function offerDsc(client: InnerClient, dsc: DynamicSamplingContext, rootSpan?: Span): DynamicSamplingContext {
  if (!client.listens('createDsc')) return dsc;
  const memory = client.stateOf(TraceMemory);
  if (memory.isOfferingDsc) return dsc;
  memory.isOfferingDsc = true;
  client.emit('createDsc', dsc, rootSpan);
  memory.isOfferingDsc = false;
  return sanitizeDsc(dsc);
}

/** The incoming context to pass on. If it is empty, the first service sends none, and so does this process. */
function continuedDsc(
  incoming: DynamicSamplingContext,
  { sampleRate, sampleRand }: Pick<TraceDecision, 'sampleRate' | 'sampleRand'>,
): DynamicSamplingContext | undefined {
  if (Object.keys(incoming).length === 0) return undefined;
  return {
    ...incoming,
    ...(sampleRate !== undefined && { sample_rate: String(sampleRate) }),
    // Other services would read an invalid one as they like, and decide otherwise.
    ...(readSampleRand(incoming.sample_rand) === undefined && { sample_rand: String(sampleRand) }),
  };
}

function createDsc({ settings, dsn }: Client, traceId: string): DynamicSamplingContext {
  const dsc: DynamicSamplingContext = { trace_id: toWireId(traceId) };
  if (dsn) dsc.public_key = dsn.publicKey;
  dsc.environment = settings.environment;
  if (settings.release) dsc.release = settings.release;
  const organization = organizationOf({ settings, dsn });
  if (organization) dsc.org_id = organization;
  return dsc;
}

/** The organization id from the settings, else from the DSN's host (`o123.…`). */
export function organizationOf({ settings, dsn }: Pick<Client, 'settings' | 'dsn'>): string | undefined {
  if (settings.orgId !== undefined) return String(settings.orgId);
  return dsn?.host.startsWith('o') ? /^o(\d+)\./.exec(dsn.host)?.[1] : undefined;
}

/** These ids as an event's `contexts.trace`. */
export function toTraceContext({ traceId, spanId, parentSpanId }: TraceIds): TraceContext {
  return { trace_id: traceId, span_id: spanId, ...(parentSpanId && { parent_span_id: parentSpanId }) };
}
