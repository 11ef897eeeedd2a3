import { type Context, context as contextApi, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { ReadableSpan, Span, TimedEvent } from '@opentelemetry/sdk-trace-base';
import { scopesIn } from '../../context/current-scopes.js';
import { KnownErrors } from '../../context/known-errors.js';
import { isolationIn, isolationWithin } from '../../context/request/request-isolation.js';
import { type Scopes, withScopes } from '../../context/scoped-context.js';
import { parentOf } from '../../context/trace/span-parent.js';
import { dscOfSpan, type TraceIds, toTraceContext, wireIdsOf } from '../../context/trace/trace.js';
import { guardOwn } from '../../internal/guard.js';
import { readStatus } from '../../internal/http-status.js';
import { isObjectOrFunction, readProperty } from '../../internal/values/read.js';
import type { Event } from '../../model/event/event.js';
import type { RecordedException } from '../../model/event/recorded-exception.js';
import type { InnerClient } from '../../model/inner-client.js';
import type { DynamicSamplingContext } from '../../model/trace.js';
import { runsHandlers } from '../describe/instrumentation.js';
import { hrTimeToSeconds } from '../spans/span-time.js';
import { exceptionStringsOf, extraOf, mechanismOf } from './exception-attributes.js';

/** @see https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/ */
const EVENT_NAME = 'exception';

export const MECHANISM = 'auto.otel.record_exception';

/**
 * Processes the exceptions of an ended span that were recorded without being observed.
 *
 * @param scopes of the span: what is active may belong to another request, whose spans are exported in the same batch
 */
export function takeExceptions(client: InnerClient, span: ReadableSpan, scopes: Scopes): void {
  const known = client.stateOf(KnownErrors);
  for (const event of span.events) {
    if (event.name === EVENT_NAME && !known.noteObject(event)) takeEvent(client, span, event, scopes);
  }
  const { spanId, parentSpanId } = wireIdsOf(span.spanContext(), parentOf(span));
  known.noteSpanEnd(spanId, parentSpanId);
}

/**
 * Captures a recorded exception, unless it is known. Without the thrown value, it is known if one with the same strings
 * was recorded on the same span or on a descendant.
 */
export function takeException(
  client: InnerClient,
  recorded: RecordedException,
  spanId: string,
  parentSpanId: string | undefined,
): void {
  if (recorded.thrown === undefined && client.stateOf(KnownErrors).noteOnSpan(recorded, spanId, parentSpanId)) return;
  client.captureRecordedException(recorded);
}

/** The event of a recorded exception, without the exception: the time, the trace and the scopes that it was recorded in. */
export function createEventAt(
  atSeconds: number,
  ids: TraceIds,
  { current, isolation }: Scopes,
  dsc: DynamicSamplingContext | undefined,
): Event {
  return {
    timestamp: atSeconds,
    contexts: { trace: toTraceContext(ids) },
    sdkProcessingMetadata: {
      capturedSpanScope: current,
      capturedSpanIsolationScope: isolation,
      dynamicSamplingContext: dsc,
    },
  };
}

/**
 * @param scopes in which it was recorded
 * @param thrown the value that was recorded, if it was observed
 */
function takeEvent(
  client: InnerClient,
  span: ReadableSpan,
  { attributes = {}, time }: TimedEvent,
  { current, isolation }: Scopes,
  thrown?: unknown,
): void {
  const strings = exceptionStringsOf(attributes);
  if (!strings || isAnswer(thrown)) return;
  const ids = wireIdsOf(span.spanContext(), parentOf(span));
  const { traceId, spanId, parentSpanId } = ids;
  const atSeconds = hrTimeToSeconds(time);
  const own = { current, isolation: isolationWithin(span as ReadableSpan & Span, isolation) };
  const dsc = dscOfSpan(client, span as ReadableSpan & Span, withScopes(ROOT_CONTEXT, own.current, own.isolation));
  const about = { ...createEventAt(atSeconds, ids, own, dsc), extra: extraOf(attributes, client, span.kind) };
  const mechanism = mechanismOf(MECHANISM, attributes, runsHandlers(span, span.kind));
  const observed = isObjectOrFunction(thrown) ? thrown : undefined;
  takeException(client, { thrown: observed, strings, traceId, atSeconds, mechanism, about }, spanId, parentSpanId);
}

/**
 * Observes the exceptions recorded on a span, because a span does not keep the thrown values. What it keeps stays the
 * same.
 *
 * @param context in which the span was started
 * @param clientOf called at each exception
 */
export function observeExceptions(span: Span, context: Context, clientOf: () => InnerClient | undefined): void {
  const { recordException } = span;
  const scopes = scopesIn(context);
  const observed: typeof recordException = function (this: Span, exception, time) {
    const before = span.events.at(-1);
    recordException.call(this, exception, time);
    const event = span.events.at(-1);
    const client = clientOf();
    if (event === undefined || event === before || !client?.settings.captureRecordedExceptions) return;
    client.stateOf(KnownErrors).noteObject(event);
    guardOwn('an exception that was recorded', () =>
      takeEvent(client, span, event, scopesFor(span, scopes), exception),
    );
  };
  Object.defineProperty(span, 'recordException', { value: observed, configurable: true, writable: true });
}

/** Whether an error has a 4xx status: it is an answer to the client of a request, and is not captured. */
export function isAnswer(error: unknown): boolean {
  // Errors of Boom have it in their output.
  const status = readStatus(error) ?? readStatus(readProperty(error, 'output'));
  return status !== undefined && status >= 400 && status < 500;
}

/**
 * The active scopes if the running code belongs to the span's unit of work, else those in which the span was started: units
 * of work may share a connection, whose callbacks run in the context of the one that has opened it. Being in the same trace
 * says nothing, because several requests may continue one trace.
 */
export function scopesFor(span: Span, started: Scopes): Scopes {
  const active = contextApi.active();
  const scopes = scopesIn(active);
  if (trace.getSpan(active) === span) return scopes;
  return isolationIn(active, scopes.isolation) === isolationWithin(span, started.isolation) ? scopes : started;
}
