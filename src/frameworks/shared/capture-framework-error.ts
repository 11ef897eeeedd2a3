import { EventEmitter, errorMonitor } from 'node:events';
import { types } from 'node:util';
import { context as contextApi, trace } from '@opentelemetry/api';
import { captureException } from '../../capture.js';
import { getInnerClient, getScopes } from '../../context/current-scopes.js';
import { KnownErrors } from '../../context/known-errors.js';
import { askUserCode } from '../../context/observed/report-hook.js';
import { reportMistakesNow } from '../../context/observed/report-mistakes.js';
import { processWide } from '../../context/process-wide.js';
import { inContextOfRequest } from '../../context/request/received-request.js';
import { leaveToAnswer, noteBrokenResponse, noteRequestError } from '../../context/request/running-request.js';
import { isThenable } from '../../internal/guard.js';
import { readOptions } from '../../internal/options/read-options.js';
import { isInstance, isObjectOrFunction, readProperty } from '../../internal/values/read.js';
import { isNonEmptyString } from '../../internal/values/strings.js';
import type { Scope } from '../../model/scope/scope.js';

/** Options that every framework takes. `Args` is what the framework knows beside the error, for example its request. */
export interface ErrorHandlerOptions<Args extends readonly unknown[] = []> {
  /** Decides whether an error becomes an event. By default all do, except those that are answered with 3xx or 4xx. */
  // A method, whose parameters may be declared as the framework's own types.
  shouldHandleError?(error: unknown, ...args: Args): boolean;
}

/** What a framework file knows about one error. */
interface FrameworkError<Args extends readonly unknown[]> {
  readonly error: unknown;
  /** Handed to `shouldHandleError`. */
  readonly args: Args;
  /** Whether the error asks for a normal answer, for example 404, and is no event by default unless the answer is 5xx. */
  readonly isExpected?: boolean;
  /** Identifies the request or job; a thrown primitive is captured once for each. */
  readonly unit?: object | undefined;
  /** The request as the server has received it, whose scopes the event gets; default: those that are current. */
  readonly message?: unknown;
  /** Node's response to the request; once its headers are sent, the error breaks it. */
  readonly response?: unknown;
  /** Kept in the mechanism of the event. */
  readonly data?: Record<string, unknown> | undefined;
  /** Becomes the transaction of the event where the scopes name none. */
  readonly transactionName?: string | undefined;
}

const SHOULD_HANDLE = { consequence: 'the framework’s status decides. It must return true or false' };

/**
 * Makes the function that turns errors of one framework into events, with the scopes of the request or those that are current.
 * It never throws, and returns the id of the event, or `undefined` for an error that is not wanted.
 *
 * @param caller the function that got the options
 * @param mechanismType for example `auto.middleware.express`
 */
export function createErrorReporter<Args extends readonly unknown[]>(
  caller: string,
  mechanismType: string,
  options: ErrorHandlerOptions<Args> | undefined,
): (error: FrameworkError<Args>) => string | undefined {
  const { shouldHandleError } = readOptions(caller, options, {}, { shouldHandleError: 'function' });
  reportMistakesNow();
  // Functions for jobs and invocations get no requests.
  if (mechanismType.startsWith('auto.middleware.')) processWide().hasErrorHandler = true;
  const report = ({ error, args, isExpected = false, unit, response, data, transactionName }: FrameworkError<Args>) => {
    if (readProperty(response, 'headersSent') === true) noteBrokenResponse(error);
    const answer =
      shouldHandleError &&
      askUserCode(
        'shouldHandleError',
        () => shouldHandleError(error, ...args) ?? false,
        SHOULD_HANDLE,
        getInnerClient()?.settings,
      );
    const known = getInnerClient()?.stateOf(KnownErrors);
    const capture = () => {
      if (unit && !isObjectOrFunction(error) && known?.noteReported(error, unit)) return undefined;
      const eventId = captureException(error, {
        mechanism: { type: mechanismType, handled: false, data },
        // A value without a stack was thrown elsewhere: the stack of this call would only name the framework and the SDK.
        syntheticException: null,
        captureContext: (scope) => nameTransaction(scope, transactionName),
      });
      known?.notePassing(error, trace.getActiveSpan(), undefined);
      return eventId;
    };
    if (answer === true || (answer !== false && !isExpected)) return capture();
    // The status may be that of another service, and the application's own error handler may answer with 5xx.
    const isLeft = answer !== false && leaveToAnswer({ error, capture: contextApi.bind(contextApi.active(), capture) });
    if (!isLeft) noteRequestError(getScopes().isolation);
    return undefined;
  };
  return (failure) => inContextOfRequest(failure.message, () => report(failure));
}

/** Whether a status is that of a redirection or of an error of the client. */
export function isExpectedStatus(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 500;
}

function nameTransaction(scope: Scope, name: string | undefined): void {
  const { current, isolation } = getScopes();
  const isNamed = [current, isolation].some((one) => one.snapshot().transactionName);
  if (name && !isNamed) scope.setTransactionName(name);
}

/** `GET /users/:id`, for the transaction of events. */
export function nameRoute(method: unknown, route: unknown): string | undefined {
  return typeof method === 'string' && isNonEmptyString(route) ? `${method} ${route}` : undefined;
}

/** Observes the `error` event of a stream that is being sent, without handling it for the framework. */
export function observeStream(payload: unknown, observe: (error: unknown) => void): void {
  if (isInstance(payload, EventEmitter)) payload.on(errorMonitor, observe);
}

/** Wraps other thenables in a promise, for callers that only await the result. */
export function toPromise<T>(result: T): T {
  return isThenable(result) && !types.isPromise(result) ? (Promise.resolve(result) as T) : result;
}

/** Calls a function and observes what it throws or rejects with; both go on to the caller. */
export function callObserved<T>(call: () => T, observe: (error: unknown) => void): T {
  let result: T;
  try {
    result = call();
  } catch (error) {
    observe(error);
    throw error;
  }
  // Other thenables may start work when their `then` is called, as replies of Fastify do.
  if (!types.isPromise(result)) return result;
  return result.catch((error) => {
    observe(error);
    throw error;
  }) as T;
}
