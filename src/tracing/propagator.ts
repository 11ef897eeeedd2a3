import {
  type Context,
  type SpanContext,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { outgoingTrace } from '../context/outgoing.js';
import { scopesOf, withScopes } from '../context/scoped-context.js';
import { getClient, getScopes } from '../context/storage.js';
import { organizationOf } from '../context/trace.js';
import { mergeBaggage, parseBaggageDsc, parseSentryTrace, parseTraceparent } from '../context/trace-headers.js';
import { type DynamicSamplingContext, type PropagationContext, sampleRandOf } from '../model/trace.js';

const SENTRY_TRACE = 'sentry-trace';
const BAGGAGE = 'baggage';
const TRACEPARENT = 'traceparent';

/**
 * Carries the trace, its decision and its dynamic sampling context across the wire, in the headers that other SDKs of
 * the protocol read and write.
 */
export class FaultlinePropagator implements TextMapPropagator {
  readonly #host: TextMapPropagator | undefined;
  readonly #carriesTraceparent: boolean;

  /** @param options `propagator`: the host's own; it runs first and its headers stay as they are */
  constructor({ propagator }: { propagator?: TextMapPropagator } = {}) {
    this.#host = propagator;
    this.#carriesTraceparent = propagator?.fields().includes(TRACEPARENT) ?? false;
  }

  inject(context: Context, carrier: unknown, setter: TextMapSetter): void {
    this.#host?.inject(context, carrier, setter);
    if (isTracingSuppressed(context)) return;
    const outgoing = outgoingTrace(urlOf(context), context);
    if (!outgoing) return;
    setter.set(carrier, SENTRY_TRACE, outgoing.sentryTrace);
    const baggage = outgoing.dsc && mergeBaggage(presentBaggage(carrier), outgoing.dsc);
    if (baggage) setter.set(carrier, BAGGAGE, baggage);
    if (outgoing.traceparent && !this.#carriesTraceparent) {
      setter.set(carrier, TRACEPARENT, outgoing.traceparent);
    }
  }

  extract(context: Context, carrier: unknown, getter: TextMapGetter): Context {
    const extracted = this.#host?.extract(context, carrier, getter) ?? context;
    const headers = {
      sentryTrace: getter.get(carrier, SENTRY_TRACE),
      baggage: getter.get(carrier, BAGGAGE),
      traceparent: this.#carriesTraceparent ? undefined : getter.get(carrier, TRACEPARENT),
    };
    return continueFrom(extracted, headers) ?? extracted;
  }

  fields(): string[] {
    return [...new Set([...(this.#host?.fields() ?? []), SENTRY_TRACE, BAGGAGE, TRACEPARENT])];
  }
}

type Header = string | string[] | null | undefined;

/** Headers of a request that continues a trace. */
export interface IncomingHeaders {
  readonly sentryTrace?: Header;
  readonly baggage?: Header;
  /** Read only where `sentryTrace` is absent. */
  readonly traceparent?: Header;
}

/**
 * A context in which new root spans, events and outgoing requests continue the trace of the headers.
 *
 * @returns `undefined` when the headers name no trace, or one of another organization
 */
export function continueFrom(context: Context, headers: IncomingHeaders): Context | undefined {
  const propagation = readPropagation(headers);
  if (!propagation) return undefined;
  const { current, isolation } = scopesOf(context) ?? getScopes();
  const forked = withScopes(context, current.clone().setPropagationContext(propagation), isolation);
  // A host's propagator that read the same trace keeps its span context, with its flags and its trace state.
  if (trace.getSpanContext(context)?.traceId === propagation.traceId) return forked;
  return trace.setSpanContext(forked, toSpanContext(propagation));
}

function readPropagation({ sentryTrace, baggage, traceparent }: IncomingHeaders): PropagationContext | undefined {
  const incoming = parseSentryTrace(sentryTrace) ?? parseTraceparent(traceparent);
  if (!incoming?.parentSpanId) return undefined;
  const dsc = parseBaggageDsc(baggage);
  if (!isOurOrganization(dsc)) return undefined;
  const { traceId, parentSpanId, sampled } = incoming;
  return { traceId, parentSpanId, sampled, dsc: dsc ?? {}, sampleRand: readSampleRand(traceId, sampled, dsc) };
}

function toSpanContext({ traceId, parentSpanId, sampled }: PropagationContext): SpanContext {
  return {
    traceId,
    spanId: parentSpanId!,
    isRemote: true,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  };
}

/**
 * The random number that came with the trace, or one that agrees with the decision that did: below the rate where the
 * trace was sampled, above it where it was not.
 */
function readSampleRand(
  traceId: string,
  sampled: boolean | undefined,
  dsc: DynamicSamplingContext | undefined,
): number {
  const given = fractionIn(dsc?.sample_rand);
  if (given !== undefined && given < 1) return given;
  const rand = sampleRandOf(traceId);
  const rate = fractionIn(dsc?.sample_rate);
  if (rate === undefined || sampled === undefined) return rand;
  return sampled ? rand * rate : rate + rand * (1 - rate);
}

function fractionIn(text: string | undefined): number | undefined {
  const value = Number(text);
  return text && value >= 0 && value <= 1 ? value : undefined;
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

/** URL of the request that the active span stands for; unknown for carriers that are no HTTP requests. */
function urlOf(context: Context): string | undefined {
  const attributes = (trace.getSpan(context) as { attributes?: Record<string, unknown> } | undefined)?.attributes;
  const url = attributes?.['url.full'] ?? attributes?.['http.url'];
  return typeof url === 'string' ? url : undefined;
}

function presentBaggage(carrier: unknown): string | undefined {
  const present = (carrier as { [BAGGAGE]?: unknown } | null | undefined)?.[BAGGAGE];
  if (Array.isArray(present)) return present.join(',');
  return typeof present === 'string' ? present : undefined;
}
