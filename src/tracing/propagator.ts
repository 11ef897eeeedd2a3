import {
  type Context,
  propagation,
  type SpanContext,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { isTracingSuppressed, W3CBaggagePropagator } from '@opentelemetry/core';
import { outgoingTrace } from '../context/outgoing.js';
import { scopesOf, withScopes } from '../context/scoped-context.js';
import { getClient, getScopes } from '../context/storage.js';
import { organizationOf } from '../context/trace.js';
import {
  DSC_PREFIX,
  mergeBaggage,
  parseBaggageDsc,
  parseSentryTrace,
  parseTraceparent,
} from '../context/trace-headers.js';
import { type DynamicSamplingContext, type PropagationContext, sampleRandOf } from '../model/trace.js';

const SENTRY_TRACE = 'sentry-trace';
const BAGGAGE = 'baggage';
const TRACEPARENT = 'traceparent';

/**
 * Carries the trace, its decision and its dynamic sampling context across the wire, in the headers that other SDKs of
 * the protocol read and write.
 *
 * Beside a propagator of the host, that one alone decides which span is the parent of what comes in, and its headers go
 * out as they are.
 */
export class FaultlinePropagator implements TextMapPropagator {
  readonly #inner: TextMapPropagator | undefined;
  readonly #isBesideHost: boolean;

  /**
   * @param options `propagator`: the host's own; `baggage`: without one, carries the entries of OTel's baggage along
   */
  constructor({ propagator, baggage = false }: { propagator?: TextMapPropagator; baggage?: boolean } = {}) {
    this.#inner = propagator ?? (baggage ? new W3CBaggagePropagator() : undefined);
    this.#isBesideHost = propagator !== undefined;
  }

  inject(context: Context, carrier: unknown, setter: TextMapSetter): void {
    this.#inner?.inject(context, carrier, setter);
    if (isTracingSuppressed(context)) return;
    const outgoing = outgoingTrace(urlOf(context), context);
    if (!outgoing) return;
    setter.set(carrier, SENTRY_TRACE, outgoing.sentryTrace);
    const baggage = outgoing.dsc && mergeBaggage(presentBaggage(carrier), outgoing.dsc);
    if (baggage) setter.set(carrier, BAGGAGE, baggage);
    if (outgoing.traceparent && !this.#inner?.fields().includes(TRACEPARENT)) {
      setter.set(carrier, TRACEPARENT, outgoing.traceparent);
    }
  }

  extract(context: Context, carrier: unknown, getter: TextMapGetter): Context {
    const extracted = this.#inner?.extract(context, carrier, getter) ?? context;
    const headers = {
      sentryTrace: getter.get(carrier, SENTRY_TRACE),
      baggage: getter.get(carrier, BAGGAGE),
      traceparent: this.#isBesideHost ? undefined : getter.get(carrier, TRACEPARENT),
    };
    const entered = this.#isBesideHost ? extracted : withoutOwnBaggage(extracted);
    return continueFrom(entered, headers, this.#isBesideHost) ?? entered;
  }

  fields(): string[] {
    return [...new Set([...(this.#inner?.fields() ?? []), SENTRY_TRACE, BAGGAGE, TRACEPARENT])];
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
 * @param keepParent leaves the parent of spans to what the context already says
 * @returns `undefined` when the headers name no trace, or one of another organization
 */
export function continueFrom(context: Context, headers: IncomingHeaders, keepParent = false): Context | undefined {
  const propagation = readPropagation(headers);
  if (!propagation) return undefined;
  const { current, isolation } = scopesOf(context) ?? getScopes();
  const forked = withScopes(context, current.clone().setPropagationContext(propagation), isolation);
  return keepParent ? forked : trace.setSpanContext(forked, toSpanContext(propagation));
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

/** Our members of the `baggage` header are no entries of OTel's baggage: as such they would go to every target. */
function withoutOwnBaggage(context: Context): Context {
  const baggage = propagation.getBaggage(context);
  const own = baggage?.getAllEntries().flatMap(([key]) => (key.startsWith(DSC_PREFIX) ? [key] : []));
  return baggage && own?.length ? propagation.setBaggage(context, baggage.removeEntries(...own)) : context;
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
