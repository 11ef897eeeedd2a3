import {
  type Context,
  context as contextApi,
  propagation,
  SpanKind,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  trace,
} from '@opentelemetry/api';
import { W3CBaggagePropagator } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { getScopes } from '../context/current-scopes.js';
import { registerPart } from '../context/parts.js';
import { processWide } from '../context/process-wide.js';
import { scopesOf, withScopes } from '../context/scoped-context.js';
import { isPropagationTarget, outgoingTrace } from '../context/trace/outgoing.js';
import type { OutgoingTrace } from '../context/trace/outgoing-trace.js';
import { BAGGAGE, DSC_PREFIX, mergeBaggage, SENTRY_TRACE, TRACEPARENT } from '../context/trace/trace-headers.js';
import { guard, guardOwn } from '../internal/guard.js';
import { readList, readProperty } from '../internal/values/read.js';
import { BaggageHolder, hasForeignTrace, headerIn, rememberCarrier } from './propagation/carrier.js';
import { markEnvelopeRequest } from './propagation/envelope-request.js';
import { continueFrom, isBesideExistingSetup } from './propagation/incoming-trace.js';
import { handlingSpanOf, rememberHandlingSpan } from './spans/nested-server-span.js';

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
    const request = processWide().requestInCreation;
    if (request) request.isInstrumented = true;
    const isTaken = request ? request.hasTrace : hasForeignTrace(carrier);
    // If the user has no propagator, the inner one is ours for baggage.
    if (isTaken && !this.#isBesideExisting) return;
    const isTarget = () => request !== undefined || isPropagationTarget(urlOf(context));
    const read = () => (!isTaken && isTarget() ? outgoingTrace(context) : undefined);
    const outgoing = guardOwn('reading the trace of a context', read);
    const theirs = outgoing && !request && this.#inner ? new BaggageHolder(setter) : undefined;
    guard('inject of a propagator', () => this.#inner?.inject(context, carrier, theirs ?? setter));
    if (request) request.trace = outgoing;
    else if (outgoing) guard('the setter of a carrier', () => this.#inject(outgoing, carrier, setter, theirs));
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
    const result = guard('extract of a propagator', () => this.#inner?.extract(context, carrier, getter));
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

const BESIDE_EXISTING = { keepsParent: true, hasExistingSampler: true };
const ALONE = { hasExistingSampler: false };

/** In a composite propagator of the application, an earlier propagator has already set the remote parent. */
function isParentKnown(context: Context): boolean {
  const parent = trace.getSpanContext(context);
  return parent?.isRemote === true && isBesideExistingSetup() && parent !== trace.getSpanContext(contextApi.active());
}

/** Removes our members of the `baggage` header from OTel's baggage, which would be sent to every target. */
function withoutOwnBaggage(context: Context): Context {
  const baggage = propagation.getBaggage(context);
  const own = baggage?.getAllEntries().flatMap(([key]) => (key.startsWith(DSC_PREFIX) ? [key] : []));
  return baggage && own?.length ? propagation.setBaggage(context, baggage.removeEntries(...own)) : context;
}

/**
 * Instrumentation extracts into an empty context. Our context manager adds the request's scopes to it when it is
 * entered; other context managers do not, so the scopes must already be in it. A request that continues a trace gets a
 * current scope of its own, which tells it from others of its trace.
 */
function withActiveScopes(context: Context): Context {
  if (scopesOf(context)) return context;
  const active = scopesOf(contextApi.active()) ?? (trace.getSpan(context) && getScopes());
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
