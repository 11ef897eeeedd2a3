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
import { guard } from '../internal/guard.js';
import { createSpanId } from '../internal/ids.js';
import { RecentMap } from '../internal/recent-map.js';
import type { Client } from '../model/contracts.js';
import type { TraceContext } from '../model/event.js';
import type { InnerClient } from '../model/inner-client.js';
import type { Scope } from '../model/scope.js';
import { type DynamicSamplingContext, type PropagationContext, sampleRandOf, sanitizeDsc } from '../model/trace.js';
import { getCurrentScope } from './current-scopes.js';
import { localRootOf, localRootOfClient } from './find-local-root.js';
import type { LocalRoot, TraceDecision } from './local-root.js';
import { scopesOf } from './scoped-context.js';

/** Whether a value is a span that can be asked for its ids. */
export function isSpan(value: unknown): value is Span {
  return guard('a span', () => typeof (value as Span).spanContext().traceId === 'string', false);
}

/**
 * Whether a span stands for one of another process. Callers that make a parent by hand may leave `isRemote` out: such a
 * span is sampled, although nothing in this process has recorded it.
 */
export function isRemoteSpan(span: Span): boolean {
  const { isRemote, traceFlags } = span.spanContext();
  if (isRemote) return true;
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return isSampled && !span.isRecording() && !('attributes' in span) && localRootOf(span) === undefined;
}

/** The parent in another process that a context names. */
export function remoteParentOf(context: Context): SpanContext | undefined {
  const parent = trace.getSpan(context);
  const parentContext = parent?.spanContext();
  return parent && parentContext && isSpanContextValid(parentContext) && isRemoteSpan(parent)
    ? parentContext
    : undefined;
}

/** Whether spans are to record at all. */
export function isTracingEnabled({ settings }: Client): boolean {
  return settings.tracesSampler !== undefined || settings.tracesSampleRate !== undefined;
}

/** Whether the application sets OpenTelemetry up, so that OTel's sampled flag is its decision, and not Faultline's. */
export function hasHostSetup({ settings }: Client): boolean {
  return settings.skipOpenTelemetrySetup;
}

/** The scope's trace where it is the trace of a span that came from elsewhere, with what came along. */
export function propagationContextOf(context: Context, traceId: string): PropagationContext | undefined {
  const scope = scopesOf(context)?.current ?? getCurrentScope();
  const propagation = scope.getPropagationContext();
  return propagation.traceId === traceId ? propagation : undefined;
}

/** The trace that something happens in, as it is told to events and to services downstream. */
export interface CurrentTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly sampled: boolean | undefined;
  /** The dynamic sampling context; `undefined` where a trace came in without one. */
  dsc(): DynamicSamplingContext | undefined;
}

/**
 * The trace of a context: that of its span, or of its scope while there is no span.
 *
 * While tracing is off, spans of our own setup say nothing, and the scope's trace connects everything that happens under
 * it. Those of a host's do, whether or not its sampler records them.
 */
export function currentTrace(
  client: InnerClient | undefined,
  scope?: Scope,
  context = contextApi.active(),
): CurrentTrace {
  const span = trace.getSpan(context);
  const spanContext = span?.spanContext();
  const current = scope ?? scopesOf(context)?.current ?? getCurrentScope();
  if (!span || !spanContext || !isSpanContextValid(spanContext)) return traceOfScope(client, current);
  if (isRemoteSpan(span)) {
    const propagation = current.getPropagationContext();
    return traceOfScope(
      client,
      current,
      propagation.traceId === spanContext.traceId ? propagation : fromRemote(client, spanContext),
    );
  }
  const root = localRootOf(span);
  if (!root && !span.isRecording() && client && !isTracingEnabled(client) && !hasHostSetup(client)) {
    return traceOfScope(client, current);
  }
  return {
    traceId: spanContext.traceId,
    spanId: spanContext.spanId,
    parentSpanId: parentSpanIdOf(span),
    sampled: client && isTracingEnabled(client) ? decisionFor(client, span, context).sampled : undefined,
    dsc: () => client && dscOfSpan(client, span, context),
  };
}

/** A trace of which nothing is known but a W3C header: its flag is a decision for us where there is no other. */
function fromRemote(client: InnerClient | undefined, { traceId, spanId, traceFlags }: SpanContext): PropagationContext {
  const undecided = { traceId, parentSpanId: spanId, sampleRand: sampleRandOf(traceId) };
  if (client && (hasHostSetup(client) || client.settings.trustIncomingSampling !== 'always')) return undecided;
  return { ...undecided, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0, dsc: {} };
}

function traceOfScope(
  client: InnerClient | undefined,
  scope: Scope,
  propagation = scope.getPropagationContext(),
): CurrentTrace {
  propagation.spanId ??= createSpanId();
  return {
    traceId: propagation.traceId,
    spanId: propagation.spanId,
    parentSpanId: propagation.parentSpanId,
    sampled: propagation.sampled,
    dsc: () => dscOfPropagation(client, propagation),
  };
}

function parentSpanIdOf(span: Span): string | undefined {
  return (span as { parentSpanContext?: { spanId?: string } }).parentSpanContext?.spanId;
}

/**
 * What was decided for the trace of a span. Roots that do not record leave no trace of themselves; their decision follows
 * from the settings, or was remembered when it does not. Of a span from elsewhere nothing may be known but its flag.
 */
export function decisionFor(client: InnerClient, span: Span, context: Context): TraceDecision {
  const root = localRootOfClient(span, client) ?? localRootOf(span);
  if (root) return root;
  const spanContext = span.spanContext();
  const { traceId } = spanContext;
  const propagation = propagationContextOf(context, traceId);
  if (isRemoteSpan(span)) {
    const { sampled, sampleRand = sampleRandOf(traceId) } = propagation ?? fromRemote(client, spanContext);
    return { sampled, sampleRand, incoming: propagation?.dsc };
  }
  const remembered = client.part(TraceMemory).unrecorded.get(traceId);
  if (remembered) return remembered;
  if (propagation) {
    const { sampleRand = sampleRandOf(traceId), dsc: incoming } = propagation;
    return { sampled: false, sampleRand, incoming };
  }
  return { sampled: false, sampleRate: client.settings.tracesSampleRate, sampleRand: sampleRandOf(traceId) };
}

const MIN_UNRECORDED_DECISIONS = 1000;

/** What a client remembers of traces beyond their spans. */
class TraceMemory {
  /** By trace id. */
  readonly unrecorded = new RecentMap<string, TraceDecision>(MIN_UNRECORDED_DECISIONS);
  /** Whether handlers of `createDsc` are running. */
  isOfferingDsc = false;
}

/**
 * Remembers the decision of a root that does not record, where it cannot be told from the settings: made by a function,
 * left open, or applied to a trace from elsewhere. The oldest are forgotten.
 */
export function rememberUnrecorded(client: InnerClient, traceId: string, decision: TraceDecision): void {
  client.part(TraceMemory).unrecorded.set(traceId, decision);
}

/** The dynamic sampling context of the trace a local span belongs to, in terms of its local root. */
export function dscOfSpan(client: InnerClient, span: Span, context: Context): DynamicSamplingContext | undefined {
  if (!isTracingEnabled(client)) {
    const { traceId } = span.spanContext();
    return dscOfPropagation(client, propagationContextOf(context, traceId) ?? { traceId });
  }
  const route = getRPCMetadata(context)?.route;
  return dscOf(client, span.spanContext().traceId, decisionFor(client, span, context), localRootOf(span), route);
}

/** The dynamic sampling context of a trace without spans of ours. */
function dscOfPropagation(
  client: InnerClient | undefined,
  { traceId, sampleRand = sampleRandOf(traceId), dsc }: PropagationContext,
): DynamicSamplingContext | undefined {
  if (dsc) return continuedDsc(dsc, { sampleRand });
  return client && offerDsc(client, createDsc(client, traceId));
}

/**
 * @param route of the request that the root handles, which frameworks know before the root does
 * @returns a new object, or what came in with the trace plus what was decided here
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

/** Lets the handlers of `createDsc` change what is said about a trace that began here. What they make need none of it. */
function offerDsc(client: InnerClient, dsc: DynamicSamplingContext, rootSpan?: Span): DynamicSamplingContext {
  if (!client.listens('createDsc')) return dsc;
  const memory = client.part(TraceMemory);
  if (memory.isOfferingDsc) return dsc;
  memory.isOfferingDsc = true;
  client.emit('createDsc', dsc, rootSpan);
  memory.isOfferingDsc = false;
  return sanitizeDsc(dsc);
}

/**
 * The incoming context as it is passed on. An empty one means that the first service sends none; then this process sends
 * none either.
 */
function continuedDsc(
  incoming: DynamicSamplingContext,
  { sampleRate, sampleRand }: Pick<TraceDecision, 'sampleRate' | 'sampleRand'>,
): DynamicSamplingContext | undefined {
  if (Object.keys(incoming).length === 0) return undefined;
  return {
    ...incoming,
    ...(sampleRate !== undefined && { sample_rate: String(sampleRate) }),
    sample_rand: incoming.sample_rand ?? String(sampleRand),
  };
}

function createDsc({ settings, dsn }: Client, traceId: string): DynamicSamplingContext {
  const dsc: DynamicSamplingContext = { trace_id: traceId };
  if (dsn) dsc.public_key = dsn.publicKey;
  dsc.environment = settings.environment;
  if (settings.release) dsc.release = settings.release;
  const organization = organizationOf({ settings, dsn });
  if (organization) dsc.org_id = organization;
  return dsc;
}

/** The organization id that the settings name, or else the DSN's host (`o123.…`). */
export function organizationOf({ settings, dsn }: Pick<Client, 'settings' | 'dsn'>): string | undefined {
  if (settings.orgId !== undefined) return String(settings.orgId);
  return dsn && /^o(\d+)\./.exec(dsn.host)?.[1];
}

/** `contexts.trace` of an event that happens in the given trace. */
export function toTraceContext({ traceId, spanId, parentSpanId }: CurrentTrace): TraceContext {
  return { trace_id: traceId, span_id: spanId, ...(parentSpanId && { parent_span_id: parentSpanId }) };
}
