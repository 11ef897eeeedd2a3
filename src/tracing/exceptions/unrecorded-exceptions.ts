import {
  type Span as ApiSpan,
  context as contextApi,
  type Exception,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { getInnerClient, getScopes } from '../../context/current-scopes.js';
import { isolationWithin } from '../../context/request/request-isolation.js';
import { currentTrace } from '../../context/trace/trace.js';
import { nowSeconds } from '../../internal/clock.js';
import { guardOwn } from '../../internal/guard.js';
import { packageOf } from '../../internal/node/package-of.js';
import { createPackageRequire } from '../../internal/node/package-require.js';
import { replaceMethod, undoAll } from '../../internal/patching/replace-method.js';
import { isObjectOrFunction, readString } from '../../internal/values/read.js';
import type { ExceptionStrings } from '../../model/event/recorded-exception.js';
import type { InnerClient } from '../../model/inner-client.js';
import { runsHandlers } from '../describe/instrumentation.js';
import { scopesOfRoot } from '../segments/segment.js';
import { UnrecordedSpan } from '../spans/unrecorded-span.js';
import { mechanismOf } from './exception-attributes.js';
import { createEventAt, isAnswer, MECHANISM, takeException } from './recorded-exceptions.js';

/**
 * Captures the exceptions recorded on spans that are not recorded themselves. OTel makes these spans of one class, whose
 * `recordException` does nothing. Only that method is replaced: spans and what exporters get stay the same.
 *
 * @returns a function that restores the method
 */
export function observeUnrecordedSpans(client: InnerClient): () => void {
  const undo = apiCopies().map((api) => {
    const prototype = Object.getPrototypeOf(api.wrapSpanContext(INVALID_SPAN_CONTEXT)) as ApiSpan;
    const { recordException } = prototype;
    const observed: ApiSpan['recordException'] = function (this: ApiSpan, exception, time) {
      const caller: { stack?: string } = {};
      Error.captureStackTrace(caller, observed);
      const take = () => takeUnrecorded(client, this, exception, recorderOf(caller));
      if (getInnerClient() === client) guardOwn('an exception that was recorded', take);
      return recordException.call(this, exception, time);
    };
    return replaceMethod(prototype, 'recordException', observed);
  });
  return undoAll(undo);
}

/** From 1.10 on, `require` and `import` load separate instances of the API. In a bundle it cannot be required. */
function apiCopies(): (typeof trace)[] {
  try {
    const required = (createPackageRequire()('@opentelemetry/api') as { trace: typeof trace }).trace;
    return required.wrapSpanContext(INVALID_SPAN_CONTEXT).constructor ===
      trace.wrapSpanContext(INVALID_SPAN_CONTEXT).constructor
      ? [trace]
      : [trace, required];
  } catch {
    return [trace];
  }
}

function takeUnrecorded(client: InnerClient, span: ApiSpan, exception: Exception, packageName: string): void {
  const spanContext = span.spanContext();
  const active = contextApi.active();
  if (spanContext.isRemote || !isSpanContextValid(spanContext) || isTracingSuppressed(active)) return;
  if (isAnswer(exception)) return;
  const inSpan = trace.setSpan(active, span);
  const current = currentTrace(client, undefined, inSpan);
  const { traceId, spanId } = current;
  const scopes = isOfWork(span, trace.getSpan(active)) ? getScopes() : scopesOfRoot(span);
  const isolation = isolationWithin(span, scopes.isolation);
  const atSeconds = nowSeconds();
  const about = createEventAt(atSeconds, current, { current: scopes.current, isolation }, current.dsc());
  const strings = typeof exception === 'string' ? { message: exception } : readStrings(exception);
  const recorder = { instrumentationScope: { name: packageName } };
  const mechanism = mechanismOf(MECHANISM, {}, runsHandlers(recorder));
  const thrown = isObjectOrFunction(exception) ? exception : undefined;
  takeException(client, { thrown, strings, traceId, atSeconds, mechanism, about }, spanId, undefined);
}

/**
 * Whether the running code belongs to the span's unit of work: units of work may share a connection, whose callbacks run in
 * the context of the one that has opened it. Spans of a provider that is not ours know their trace only.
 */
function isOfWork(span: ApiSpan, active: ApiSpan | undefined): boolean {
  if (!active || active === span) return true;
  if (active instanceof UnrecordedSpan && span instanceof UnrecordedSpan) return active.sharesRootWith(span);
  return active.spanContext().traceId === span.spanContext().traceId;
}

function readStrings(exception: unknown): ExceptionStrings {
  return {
    type: readString(exception, 'name'),
    message: readString(exception, 'message'),
    stack: readString(exception, 'stack'),
  };
}

/** The package that recorded the exception, because such a span does not know its instrumentation. Empty in a bundle. */
function recorderOf(caller: { readonly stack?: string }): string {
  return packageOf(caller.stack?.split('\n')[1] ?? '') ?? '';
}
