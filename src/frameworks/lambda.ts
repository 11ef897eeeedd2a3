import { types } from 'node:util';
import { type Span, SpanKind } from '@opentelemetry/api';
import { captureMessage, flush } from '../capture.js';
import { withIsolationScope } from '../context/current-scopes.js';
import { MAX_TIMER_MILLIS } from '../internal/clock.js';
import { guardOwn, reportOwnFailure } from '../internal/guard.js';
import { readStatus } from '../internal/http-status.js';
import { readOptions } from '../internal/options/read-options.js';
import { likeOriginal } from '../internal/patching/wrapped.js';
import { unref } from '../internal/unref.js';
import { isObject, readProperty, readString } from '../internal/values/read.js';
import { ATTRIBUTE } from '../model/event/span-json.js';
import type { Scope } from '../model/scope/scope.js';
import {
  callObserved,
  createErrorReporter,
  type ErrorHandlerOptions,
  toPromise,
} from './shared/capture-framework-error.js';
import { isHandler } from './shared/check-arguments.js';
import { beginOwnTrace, failSpan, type RootSpanOptions, runInRootSpan } from './shared/root-span.js';

/** Options of {@link wrapHandler}; `shouldHandleError` also gets what the handler was called with. */
export interface LambdaOptions extends ErrorHandlerOptions<readonly unknown[]> {
  /** How long an invocation waits at its end for events to be sent. @default 2000 */
  flushTimeoutMillis?: number | undefined;
  /** Captures a warning when an invocation is about to time out. @default true */
  captureTimeoutWarning?: boolean | undefined;
  /** How long before the timeout. @default 500 */
  timeoutWarningMillis?: number | undefined;
}

interface LambdaContext {
  readonly functionName?: string;
  readonly functionVersion?: string;
  readonly awsRequestId?: string;
  readonly invokedFunctionArn?: string;
  getRemainingTimeInMillis(): number;
}

type Callback = (error?: unknown, value?: unknown) => void;
type End = (answer?: unknown) => Promise<void>;

/**
 * Runs each invocation of a Lambda handler with its own scopes and trace, captures what it fails with, and waits
 * until events have been sent: afterwards Lambda freezes the process. Takes async handlers, handlers with a callback, and
 * handlers that stream their response. With tracing, each invocation is a transaction, unless OTel's instrumentation of Lambda
 * makes one; it continues the trace in the headers of the event.
 */
export function wrapHandler<Args extends unknown[], Result>(
  handler: (...args: Args) => Result,
  options?: LambdaOptions,
): (...args: Args) => Result {
  if (!isHandler('wrapHandler', handler)) return handler;
  const { flushTimeoutMillis, shouldHandleError, ...timeoutOptions } = readOptions(
    'wrapHandler',
    options,
    { flushTimeoutMillis: 2000, captureTimeoutWarning: true, timeoutWarningMillis: 500 },
    { shouldHandleError: 'function' },
  );
  const report = createErrorReporter('wrapHandler', 'auto.function.lambda', { shouldHandleError });

  const wrapper = function (this: unknown, ...args: unknown[]): unknown {
    return withIsolationScope((scope) => {
      const context = args.find(isLambdaContext);
      guardOwn('the context of Lambda', () => describeInvocation(scope, context));
      const run = (span: Span | undefined): unknown => {
        // In here, so that the warning is part of the invocation's trace.
        const timer = context && warnBeforeTimeout(context, timeoutOptions);
        const observe = (error: unknown): void => {
          report({ error, args });
          failSpan(span);
        };
        const end = async (answer?: unknown): Promise<void> => {
          clearTimeout(timer);
          // A handler may both call back and return a promise.
          if (span?.isRecording()) {
            if (isRequest(args[0])) noteStatus(span, readStatus(answer, ['statusCode']) ?? statusOfStream(args[1]));
            span.end();
          }
          await flush(flushTimeoutMillis);
        };
        const callback = args[2];
        if (typeof callback === 'function') args[2] = endBefore(callback as Callback, observe, end);
        return endAfter(() => callObserved(() => toPromise(Reflect.apply(handler, this, args)), observe), end);
      };
      return runInRootSpan(() => describeSpan(handler.name, args[0], context), run);
    });
  };
  // Lambda recognizes a handler that streams by a property.
  return Object.assign(likeOriginal(wrapper, handler), handler) as (...args: Args) => Result;
}

function isLambdaContext(value: unknown): value is LambdaContext {
  return typeof readProperty(value, 'getRemainingTimeInMillis') === 'function';
}

function describeInvocation(scope: Scope, context: LambdaContext | undefined): void {
  beginOwnTrace();
  if (!context) return;
  const { functionName, functionVersion, awsRequestId, invokedFunctionArn } = context;
  scope.setTransactionName(functionName);
  scope.setContext('aws.lambda', {
    function_name: functionName,
    function_version: functionVersion,
    aws_request_id: awsRequestId,
    invoked_function_arn: invokedFunctionArn,
  });
}

let isColdStart = true;

/** @see https://opentelemetry.io/docs/specs/semconv/faas/aws-lambda/ */
function describeSpan(handlerName: string, event: unknown, context: LambdaContext | undefined): RootSpanOptions {
  const { functionName, functionVersion, awsRequestId, invokedFunctionArn } = context ?? {};
  const attributes = {
    [ATTRIBUTE.op]: 'function.aws.lambda',
    [ATTRIBUTE.origin]: 'auto.function.lambda',
    [ATTRIBUTE.source]: 'component',
    'cloud.resource_id': invokedFunctionArn,
    'faas.coldstart': isColdStart,
    'faas.invocation_id': awsRequestId,
    'faas.name': functionName,
    'faas.version': functionVersion,
  };
  isColdStart = false;
  return {
    name: functionName || handlerName || 'handler',
    kind: SpanKind.SERVER,
    attributes,
    headers: readHeaders(event),
  };
}

/** Of events that stand for HTTP requests. API Gateway keeps the case that the client has used. */
function readHeaders(event: unknown): Record<string, string> | undefined {
  const headers = readProperty(event, 'headers');
  if (!isObject(headers)) return undefined;
  const strings = Object.entries(headers).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(strings.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Whether an event stands for an HTTP request. A function URL and the second format of API Gateway have no `httpMethod`. */
function isRequest(event: unknown): boolean {
  if (typeof readProperty(event, 'httpMethod') === 'string') return true;
  return isObject(readProperty(readProperty(event, 'requestContext'), 'http'));
}

/** `HttpResponseStream.from` leaves the status of a streamed answer in a function that writes it before the first byte. */
function statusOfStream(stream: unknown): number | undefined {
  const writeHead = readProperty(stream, '_onBeforeFirstWrite');
  let status: number | undefined;
  const read = (head: unknown): void => {
    if (typeof head === 'string') status = readStatus(JSON.parse(head), ['statusCode']);
  };
  if (typeof writeHead === 'function') guardOwn('the status of a streamed answer', () => writeHead(read));
  return status;
}

/** As on the span of a server. */
function noteStatus(span: Span, statusCode: number | undefined): void {
  if (statusCode === undefined) return;
  span.setAttribute('http.response.status_code', statusCode);
  if (statusCode < 500) return;
  span.setAttribute('error.type', String(statusCode));
  failSpan(span);
}

function warnBeforeTimeout(
  context: LambdaContext,
  { captureTimeoutWarning, timeoutWarningMillis }: { captureTimeoutWarning: boolean; timeoutWarningMillis: number },
): NodeJS.Timeout | undefined {
  if (!captureTimeoutWarning) return undefined;
  const remainingMillis = guardOwn('getRemainingTimeInMillis', () => Number(context.getRemainingTimeInMillis()), 0);
  // Emulators answer with what no timer can wait for.
  if (!(remainingMillis > 0 && remainingMillis <= MAX_TIMER_MILLIS)) return undefined;
  const warn = (): void => {
    captureMessage(
      `${readString(context, 'functionName') ?? 'the function'} is about to time out after ${remainingMillis} ms`,
      'warning',
    );
    flush(timeoutWarningMillis).catch((error) => reportOwnFailure('flush', error));
  };
  return unref(setTimeout(warn, Math.max(remainingMillis - timeoutWarningMillis, remainingMillis / 2)));
}

function endBefore(callback: Callback, observe: (error: unknown) => void, end: End): Callback {
  return (error, value) => {
    if (error !== undefined && error !== null) observe(error);
    end(value).then(
      () => callback(error, value),
      (failure) => reportOwnFailure('flush', failure),
    );
  };
}

/** Lambda treats a rejection like a thrown error. A handler without a promise answers through the callback. */
function endAfter(call: () => unknown, end: End): unknown {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    result = Promise.reject(error);
  }
  if (!types.isPromise(result)) return result;
  return result.then(
    async (answer) => {
      await end(answer);
      return answer;
    },
    async (error) => {
      await end();
      throw error;
    },
  );
}
