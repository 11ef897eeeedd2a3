import { type Context, context as contextApi, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { ReadableSpan, Span, TimedEvent } from '@opentelemetry/sdk-trace-base';
import { getScopes } from '../context/current-scopes.js';
import { isolationWithin } from '../context/request-isolation.js';
import { type Scopes, scopesOf, withScopes } from '../context/scoped-context.js';
import { dscOfSpan } from '../context/trace.js';
import { guard } from '../internal/guard.js';
import { RecentMap } from '../internal/recent-map.js';
import type { Event } from '../model/event.js';
import type { InnerClient } from '../model/inner-client.js';
import {
  type ExceptionFingerprint,
  fingerprintOf,
  isSameException,
  type RecordedException,
} from '../model/recorded-exception.js';
import { exceptionStringsOf, extraOf, mechanismOf } from './exception-attributes.js';
import { hrTimeToSeconds } from './span-to-json.js';

/** @see https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/ */
const EVENT_NAME = 'exception';

const MIN_SPANS = 1000;
const MAX_SIGHTINGS_PER_SPAN = 10;

/**
 * The exceptions recorded with OpenTelemetry, for one client: each becomes one error event.
 *
 * An exception that is recorded while we observe the span is identified by the thrown value; otherwise by its recorded
 * strings. If a span and one above it record the same strings, the error was rethrown.
 */
export class RecordedExceptions {
  readonly #client: InnerClient;
  /** Span events that were processed already. */
  readonly #taken = new WeakSet<object>();
  /** By span id: exceptions recorded on the span or on a descendant. */
  readonly #sightings = new RecentMap<string, ExceptionFingerprint[]>(MIN_SPANS);

  constructor(client: InnerClient) {
    this.#client = client;
  }

  /** Processes an exception just recorded on a span, together with the thrown value. */
  takeThrown(span: ReadableSpan, event: TimedEvent, thrown: unknown, scopes: Scopes): void {
    this.#taken.add(event);
    this.#takeEvent(span, event, scopes, thrown);
  }

  /** Processes exceptions of an ended span that were recorded without being observed. */
  takeEnded(span: ReadableSpan, scopes: Scopes): void {
    for (const event of span.events) {
      if (event.name !== EVENT_NAME || this.#taken.has(event)) continue;
      this.#taken.add(event);
      this.#takeEvent(span, event, scopes);
    }
    const told = this.#sightings.get(span.spanContext().spanId);
    const parentSpanId = span.parentSpanContext?.spanId;
    if (told && parentSpanId) for (const one of told) this.#remember(parentSpanId, one);
  }

  /** Captures an exception, unless one with the same strings was recorded on the same span or a descendant. */
  take(recorded: RecordedException, spanId: string, parentSpanId: string | undefined): void {
    if (!isObject(recorded.thrown)) {
      const sighting = fingerprintOf(recorded.strings, recorded.atSeconds);
      const isRepeated = this.#sightings.get(spanId)?.some((one) => isSameException(one, sighting));
      this.#remember(spanId, sighting);
      if (parentSpanId) this.#remember(parentSpanId, sighting);
      if (isRepeated) return;
    }
    this.#client.captureRecordedException(recorded);
  }

  #takeEvent(span: ReadableSpan, { attributes = {}, time }: TimedEvent, scopes: Scopes, thrown?: unknown): void {
    const strings = exceptionStringsOf(attributes);
    if (!strings) return;
    const { traceId, spanId } = span.spanContext();
    const parentSpanId = span.parentSpanContext?.spanId;
    const atSeconds = hrTimeToSeconds(time);
    const { current, isolation } = scopesFor(span, scopes);
    const about: Event = {
      timestamp: atSeconds,
      contexts: {
        trace: { trace_id: traceId, span_id: spanId, ...(parentSpanId && { parent_span_id: parentSpanId }) },
      },
      extra: extraOf(attributes, this.#client, span.kind),
      sdkProcessingMetadata: {
        capturedSpanScope: current,
        capturedSpanIsolationScope: isolation,
        dynamicSamplingContext: dscOfSpan(
          this.#client,
          span as ReadableSpan & Span,
          withScopes(ROOT_CONTEXT, current, isolation),
        ),
      },
    };
    const mechanism = mechanismOf('auto.otel.record_exception', attributes);
    this.take(
      { thrown: isObject(thrown) ? thrown : undefined, strings, traceId, atSeconds, mechanism, about },
      spanId,
      parentSpanId,
    );
  }

  #remember(spanId: string, sighting: ExceptionFingerprint): void {
    const told = this.#sightings.get(spanId);
    if (!told) this.#sightings.set(spanId, [sighting]);
    else if (!told.includes(sighting) && told.push(sighting) > MAX_SIGHTINGS_PER_SPAN) told.shift();
  }
}

/** Shared by all parts of a client. */
export const recordedExceptionsOf = (client: InnerClient): RecordedExceptions => client.part(RecordedExceptions);

/**
 * Observes the exceptions recorded on a span. Does not change what the span stores.
 *
 * @param context in which the span was started
 * @param clientOf called at each exception
 */
export function observeExceptions(span: Span, context: Context, clientOf: () => InnerClient | undefined): void {
  const { recordException } = span;
  const scopes = scopesOf(context) ?? getScopes();
  const observed: typeof recordException = function (this: Span, exception, time) {
    const before = span.events.at(-1);
    recordException.call(this, exception, time);
    const event = span.events.at(-1);
    const client = clientOf();
    if (event === undefined || event === before || !client?.settings.captureRecordedExceptions) return;
    const take = () => recordedExceptionsOf(client).takeThrown(span, event, exception, scopes);
    guard('an exception that was recorded', take, undefined);
  };
  Object.defineProperty(span, 'recordException', { value: observed, configurable: true, writable: true });
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/**
 * The active scopes if the running code is in the span's trace, else the span's: requests may share a connection, for
 * example.
 */
function scopesFor(span: ReadableSpan, started: Scopes): Scopes {
  const active = contextApi.active();
  const isOwn = trace.getSpan(active)?.spanContext().traceId === span.spanContext().traceId;
  const { current, isolation } = isOwn ? (scopesOf(active) ?? getScopes()) : started;
  return { current, isolation: isolationWithin(span as ReadableSpan & Span, isolation) };
}
