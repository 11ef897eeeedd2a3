import { type Context, context as contextApi, SpanStatusCode, trace } from '@opentelemetry/api';
import { getInnerClient } from '../../context/current-scopes.js';
import { KnownErrors } from '../../context/known-errors.js';
import { isCallback } from '../../context/observed/report-mistakes.js';
import { leaveToAnswer } from '../../context/request/running-request.js';
import { isThenable, reportFailure, reportOwnFailure } from '../../internal/guard.js';
import { isStackOverflow, runWithRoom } from '../../internal/stack-overflow.js';
import type { Span } from '../../model/span.js';
import { isAnswer } from '../exceptions/recorded-exceptions.js';

const WITHOUT_CALLBACK = 'nothing runs in the span. For one that you end yourself, call startInactiveSpan';

/**
 * Runs a callback in its active span. An exception, or a rejection of its promise, is captured, sets the span's status, and
 * is thrown on unchanged.
 *
 * @param around the context in which the span was created
 * @param endWhenDone whether the span ends with the callback, or with its promise
 */
export function runInSpan<T>(span: Span, callback: (span: Span) => T, around: Context, endWhenDone: boolean): T {
  let result: T;
  try {
    const owner = endWhenDone ? 'startSpan' : 'startSpanManual';
    result = isCallback(owner, callback, WITHOUT_CALLBACK) ? callback(span) : (undefined as T);
  } catch (error) {
    failSafely(span, error, around, endWhenDone);
    throw error;
  }
  if (isThenable(result)) return awaitInSpan(span, result, around, endWhenDone) as T;
  if (endWhenDone) endSafely(span);
  return result;
}

function endSafely(span: Span): void {
  try {
    span.end();
  } catch (error) {
    reportOwnFailure('ending a span', error);
  }
}

/**
 * Returns a promise derived from the callback's, so that Node still reports an unhandled rejection. If `then` throws or does
 * not return a promise, the callback's own promise is returned.
 */
function awaitInSpan(
  span: Span,
  pending: PromiseLike<unknown>,
  around: Context,
  endWhenDone: boolean,
): PromiseLike<unknown> {
  const resolve = (value: unknown) => {
    if (endWhenDone) endSafely(span);
    return value;
  };
  let isAlone = false;
  const reject = (error: unknown) => {
    fail(span, error, around, endWhenDone);
    // Rethrown only into the derived promise; without one, the caller awaits the callback's own.
    if (!isAlone) throw error;
  };
  try {
    const next: unknown = pending.then(resolve, reject);
    if (isThenable(next)) return next;
    isAlone = true;
  } catch (error) {
    reportFailure('then of what a callback returned', error);
    resolve(undefined);
  }
  return pending;
}

/** Never throws, even on stack overflow: the caller gets its own error. */
function failSafely(span: Span, error: unknown, around: Context, endWhenDone: boolean): void {
  try {
    const run = () => fail(span, error, around, endWhenDone);
    if (isStackOverflow(error)) runWithRoom(contextApi.bind(contextApi.active(), run));
    else run();
  } catch {
    // The stack is exhausted; a span further up captures the error.
  }
}

function fail(span: Span, error: unknown, around: Context, endWhenDone: boolean): void {
  if (span.isRecording() && isStatusUnset(span)) span.setStatus({ code: SpanStatusCode.ERROR });
  const client = getInnerClient();
  if (client?.settings.captureSpanErrors) {
    const capture = () => {
      client.captureException(error, { mechanism: { type: 'auto.function.start_span', handled: false } });
    };
    const isLeft = isAnswer(error) && leaveToAnswer({ error, capture: contextApi.bind(contextApi.active(), capture) });
    if (!isLeft) capture();
    client.stateOf(KnownErrors).notePassing(error, span, trace.getSpan(around));
  }
  if (endWhenDone) span.end();
}

function isStatusUnset(span: Span): boolean {
  return (span as { status?: { code: SpanStatusCode } }).status?.code === SpanStatusCode.UNSET;
}
