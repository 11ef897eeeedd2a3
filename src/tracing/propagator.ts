import {
  type Context,
  context as contextApi,
  propagation,
  type SpanContext,
  SpanKind,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { W3CBaggagePropagator } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { getClient, scopesIn } from '../context/current-scopes.js';
import { isPropagationTarget, outgoingTrace } from '../context/outgoing.js';
import type { OutgoingTrace } from '../context/outgoing-trace.js';
import { registerPart } from '../context/parts.js';
import { processWide } from '../context/process-wide.js';
import { withForkedScope } from '../context/scope-span.js';
import { scopesOf, withScopes } from '../context/scoped-context.js';
import { hasExistingSetup, organizationOf } from '../context/trace.js';
import {
  BAGGAGE,
  DSC_PREFIX,
  mergeBaggage,
  parseBaggageDsc,
  parseSentryTrace,
  parseTraceparent,
  SENTRY_TRACE,
  TRACEPARENT,
} from '../context/trace-headers.js';
import { guard } from '../internal/guard.js';
import { drawRandom } from '../internal/randomness.js';
import { readList, readProperty } from '../internal/read.js';
import { type DynamicSamplingContext, type PropagationContext, readFraction, sampleRandOf } from '../model/trace.js';
import { BaggageHolder, hasForeignHeader, headerIn, rememberCarrier } from './carrier.js';
import { markEnvelopeRequest } from './envelope-request.js';
import { handlingSpanOf, rememberHandlingSpan } from './nested-server-span.js';

/**
 * Propagates the trace, its sampling decision and its dynamic sampling context in the headers that other SDKs of the
 * protocol read and write.
 *
 * If the application has its own propagator (passed to ours, or before it in a composite), that one determines the
 * remote parent, and its headers are sent unchanged.
 */
export class FaultlinePropagator implements TextMapPropagator {
  readonly #inner: TextMapPropagator | undefined;
  readonly #isBesideExisting: boolean;

  /**
   * @param options `propagator`: your own, which runs first; `baggage`: without `propagator`, also propagate the
   *   entries of OTel's baggage
   */
  constructor(options?: { propagator?: TextMapPropagator | undefined; baggage?: boolean | undefined }) {
    const propagator = readProperty(options, 'propagator');
    this.#isBesideExisting = ['inject', 'extract', 'fields'].every(
      (method) => typeof readProperty(propagator, method) === 'function',
    );
    const baggage = readProperty(options, 'baggage') === true ? new W3CBaggagePropagator() : undefined;
    this.#inner = this.#isBesideExisting ? (propagator as TextMapPropagator) : baggage;
    registerPart(this, 'FaultlinePropagator');
  }

  inject(context: Context, carrier: unknown, setter: TextMapSetter): void {
    const request = processWide().createdRequest;
    if (request) request.isInstrumented = true;
    const isTaken = request ? request.hasTrace : hasForeignHeader(carrier, SENTRY_TRACE);
    // If the user has no propagator, the inner one is ours for baggage.
    if (isTaken && !this.#isBesideExisting) return;
    const isTarget = () => request !== undefined || isPropagationTarget(urlOf(context));
    const read = () => (!isTaken && isTarget() ? outgoingTrace(context) : undefined);
    const outgoing = guard('reading the trace of a context', read, undefined);
    const theirs = outgoing && !request && this.#inner ? new BaggageHolder(setter) : undefined;
    guard('inject of a propagator', () => this.#inner?.inject(context, carrier, theirs ?? setter), undefined);
    if (request) request.trace = outgoing;
    else if (outgoing)
      guard('the setter of a carrier', () => this.#inject(outgoing, carrier, setter, theirs), undefined);
  }

  #inject(outgoing: OutgoingTrace, carrier: unknown, setter: TextMapSetter, theirs: BaggageHolder | undefined): void {
    setter.set(carrier, SENTRY_TRACE, outgoing.sentryTrace);
    rememberCarrier(carrier);
    const present = theirs?.baggage ?? headerIn(carrier, BAGGAGE);
    const baggage = outgoing.dsc ? mergeBaggage(present, outgoing.dsc) : theirs?.baggage;
    if (baggage) setter.set(carrier, BAGGAGE, baggage);
    if (outgoing.traceparent && !this.#innerFields().includes(TRACEPARENT)) {
      setter.set(carrier, TRACEPARENT, outgoing.traceparent);
    }
  }

  extract(context: Context, carrier: unknown, getter: TextMapGetter): Context {
    const result = guard('extract of a propagator', () => this.#inner?.extract(context, carrier, getter), undefined);
    const extracted = typeof readProperty(result, 'getValue') === 'function' ? (result as Context) : context;
    const continued = guard(
      'the getter of a carrier',
      () => this.#extract(context, extracted, carrier, getter),
      extracted,
    );
    return markEnvelopeRequest(continued, carrier, getter);
  }

  /** @param extracted the context returned by the inner propagator */
  #extract(context: Context, extracted: Context, carrier: unknown, getter: TextMapGetter): Context {
    const isBesideExisting = this.#isBesideExisting || isParentKnown(context);
    const headers = {
      sentryTrace: getter.get(carrier, SENTRY_TRACE),
      baggage: getter.get(carrier, BAGGAGE),
      traceparent: isBesideExisting ? undefined : getter.get(carrier, TRACEPARENT),
    };
    const entered = isBesideExisting ? extracted : withoutOwnBaggage(extracted);
    const rules = isBesideExisting ? BESIDE_EXISTING : ALONE;
    const continued = continueFrom(entered, headers, rules) ?? withActiveScopes(entered);
    const remote = trace.getSpanContext(continued);
    const handler = handlingSpanOf(context, remote);
    if (!remote || !handler) return continued;
    if (!isBesideExisting) return entered;
    rememberHandlingSpan(remote, handler);
    return continued;
  }

  fields(): string[] {
    return [...new Set([...this.#innerFields(), SENTRY_TRACE, BAGGAGE, TRACEPARENT])];
  }

  #innerFields(): string[] {
    return readList(guard('fields of a propagator', () => this.#inner?.fields(), [])) as string[];
  }
}

/** One value, or all values of a repeated header. */
type Header = string | string[] | null | undefined;

/** Headers of a request that continues a trace. */
export interface IncomingHeaders {
  /** Of `sentry-trace`. */
  readonly sentryTrace?: Header;
  /** Supplies the dynamic sampling context; members of other vendors are ignored. */
  readonly baggage?: Header;
  /** Used only if `sentryTrace` is absent. */
  readonly traceparent?: Header;
}

/** Options for reading headers. */
interface ContinuationRules {
  /** Keeps the context's existing parent of spans. @default false */
  readonly keepsParent?: boolean;
  /** Whether the application's sampler sets OTel's sampled flag. @default with `skipOpenTelemetrySetup` */
  readonly hasExistingSampler?: boolean;
}

const BESIDE_EXISTING: ContinuationRules = { keepsParent: true, hasExistingSampler: true };
const ALONE: ContinuationRules = { hasExistingSampler: false };

/**
 * Returns a context in which new root spans, events and outgoing requests continue the trace of the headers.
 *
 * @returns `undefined` if the headers contain no trace, or a trace of another organization
 */
export function continueFrom(
  context: Context,
  headers: IncomingHeaders,
  { keepsParent = false, hasExistingSampler = isBesideExistingSetup() }: ContinuationRules = {},
): Context | undefined {
  const propagation = readPropagation(headers, hasExistingSampler);
  if (!propagation) return undefined;
  const { current, isolation } = scopesIn(context);
  const fork = current.clone().setPropagationContext(propagation);
  if (keepsParent) return withForkedScope(context, fork, isolation);
  const parent = hasExistingSampler ? parentForExistingSampler(propagation, headers) : ownParent(propagation);
  return withForkedScope(trace.setSpanContext(context, parent), fork, isolation);
}

/** In a composite propagator of the application, an earlier propagator has already set the remote parent. */
function isParentKnown(context: Context): boolean {
  const parent = trace.getSpanContext(context);
  return parent?.isRemote === true && isBesideExistingSetup() && parent !== trace.getSpanContext(contextApi.active());
}

function isBesideExistingSetup(): boolean {
  const client = getClient();
  return client !== undefined && hasExistingSetup(client);
}

function readPropagation(
  { sentryTrace, baggage, traceparent }: IncomingHeaders,
  hasExistingSampler: boolean,
): PropagationContext | undefined {
  const ours = parseSentryTrace(sentryTrace);
  const incoming = ours ?? parseTraceparent(traceparent);
  if (!incoming?.parentSpanId) return undefined;
  const dsc = parseBaggageDsc(baggage);
  if (!isOurOrganization(dsc)) return undefined;
  const { traceId, parentSpanId } = incoming;
  // With only a W3C header, the application's sampler decided upstream, but Faultline's did not: the decision is open.
  const isUndecided = !ours && hasExistingSampler;
  // Not derived from the trace id, which the caller has chosen.
  if (!trustsSamplingOf(dsc)) return { traceId, parentSpanId, sampleRand: drawRandom() };
  const sampled = isUndecided ? undefined : incoming.sampled;
  const sampleRand = readSampleRand(traceId, sampled, dsc);
  return { traceId, parentSpanId, sampled, sampleRand, dsc: dsc ?? (isUndecided ? undefined : {}) };
}

function ownParent({ traceId, parentSpanId, sampled }: PropagationContext): SpanContext {
  return {
    traceId,
    spanId: parentSpanId!,
    isRemote: true,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  };
}

/** If the application has its own sampler: only a W3C header carries that sampler's upstream decision. */
function parentForExistingSampler(propagation: PropagationContext, { traceparent }: IncomingHeaders): SpanContext {
  const w3c = parseTraceparent(traceparent);
  const isKnown = w3c?.traceId === propagation.traceId;
  return isKnown ? ownParent({ ...propagation, sampled: w3c?.sampled }) : undecidedParent(propagation);
}

/** A remote parent without a known upstream decision of the user's sampler. */
export function undecidedParent(propagation: PropagationContext): SpanContext {
  const parent = ownParent({ ...propagation, sampled: undefined });
  processWide().undecidedParents.set(parent, true);
  return parent;
}

/** Whether a remote parent came only with our headers: its flag is then no decision of the application's sampler. */
export function isUndecidedParent(parent: SpanContext): boolean {
  return parent.isRemote === true && processWide().undecidedParents.get(parent) === true;
}

/** The largest number below 1: rounding must not reach 1, which no service accepts as a random number. */
const MAX_SAMPLE_RAND = 1 - Number.EPSILON / 2;

/**
 * The incoming random number, or else one that agrees with the incoming decision: below the rate if the trace was
 * sampled, above the rate if it was not.
 */
function readSampleRand(
  traceId: string,
  sampled: boolean | undefined,
  dsc: DynamicSamplingContext | undefined,
): number {
  const incoming = readFraction(dsc?.sample_rand);
  if (incoming !== undefined && incoming < 1) return incoming;
  const rand = sampleRandOf(traceId);
  const rate = readFraction(dsc?.sample_rate);
  if (rate === undefined || sampled === undefined) return rand;
  return Math.min(sampled ? rand * rate : rate + rand * (1 - rate), MAX_SAMPLE_RAND);
}

function isOurOrganization(dsc: DynamicSamplingContext | undefined): boolean {
  const client = getClient();
  if (!client) return true;
  const own = organizationOf(client);
  const theirs = dsc?.org_id;
  if (own === theirs) return true;
  if (own !== undefined && theirs !== undefined) return false;
  return !client.settings.strictTraceContinuation;
}

/** Whether to trust the decision that came with a dynamic sampling context. */
function trustsSamplingOf(dsc: DynamicSamplingContext | undefined): boolean {
  const client = getClient();
  switch (client?.settings.trustIncomingSampling) {
    case 'never':
      return false;
    case 'own': {
      const organization = organizationOf(client);
      const isOwnOrganization = organization !== undefined && dsc?.org_id === organization;
      return isOwnOrganization || (client.dsn !== undefined && dsc?.public_key === client.dsn.publicKey);
    }
    default:
      return true;
  }
}

/** Removes our members of the `baggage` header from OTel's baggage, which would be sent to every target. */
function withoutOwnBaggage(context: Context): Context {
  const baggage = propagation.getBaggage(context);
  const own = baggage?.getAllEntries().flatMap(([key]) => (key.startsWith(DSC_PREFIX) ? [key] : []));
  return baggage && own?.length ? propagation.setBaggage(context, baggage.removeEntries(...own)) : context;
}

/**
 * Instrumentation extracts into an empty context. Our context manager adds the request's scopes to it when it is
 * entered; other context managers do not, so the scopes must already be in it.
 */
function withActiveScopes(context: Context): Context {
  if (scopesOf(context)) return context;
  const active = scopesOf(contextApi.active());
  return active ? withScopes(context, active.current.clone(), active.isolation) : context;
}

/** URL of the request that the active span represents. Unknown if the span does not record, and for messages. */
function urlOf(context: Context): string | undefined {
  const span = trace.getSpan(context) as Partial<Pick<ReadableSpan, 'attributes' | 'kind'>> | undefined;
  // A server span names the URL of the incoming request.
  if (span?.kind === SpanKind.SERVER) return undefined;
  const url = span?.attributes?.['url.full'] ?? span?.attributes?.['http.url'];
  return typeof url === 'string' ? url : undefined;
}
