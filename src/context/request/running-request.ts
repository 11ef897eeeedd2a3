import { guardOwn } from '../../internal/guard.js';
import { isObject, readString } from '../../internal/values/read.js';
import { limitLength, nonEmptyStringOf } from '../../internal/values/strings.js';
import { MAX_LABEL_LENGTHS } from '../../model/event/labels.js';
import type { Scope } from '../../model/scope/scope.js';
import { getIsolationScope } from '../current-scopes.js';
import { processWide } from '../process-wide.js';

/** How many errors of a request are kept: several may be thrown at the same time. */
const MAX_THROWN = 10;
/** How many GraphQL operations of a request are kept: through one WebSocket, a client may send any number. */
const MAX_OPERATIONS = 50;

/** Reads a request's route, for example `/users/:id`; returns no string while the route is unknown. */
export type ReadRoute = () => unknown;

/** The request in an isolation scope, and what frameworks and captures note of it. */
export interface RunningRequest {
  readRoute: ReadRoute | undefined;
  /** That a framework has matched, if any. */
  readonly route: string | undefined;
  /** As the client has sent it, without the query. */
  readonly path: string;
  /** `GET /users/:id` */
  readonly transactionName: string;
  /** Whether an error of the request was captured, or declined by one of our error handlers. */
  isErrorKnown: boolean;
  /** Whether the response is not sent yet, and its end will be observed. */
  isOpen: boolean;
  /** The last error with a 4xx status that has left a span. */
  unanswered: UnansweredError | undefined;
  /** The error that happened while the response was being sent, which may keep it from being complete. */
  brokenBy: unknown;
  /** The errors captured last. */
  thrown: readonly unknown[] | undefined;
  /** The GraphQL operations of the request, for example `query Orders`. */
  operations: Set<string> | undefined;
}

/** An error that may become the response to the client instead of an event. */
export interface UnansweredError {
  readonly error: unknown;
  readonly capture: () => void;
}

/**
 * Lets the SDK read the route of the running request whenever a name is needed. Called by framework integrations as soon
 * as they see the request; without HTTP server integration it has no effect.
 */
export function setRouteOfRunningRequest(read: ReadRoute): void {
  const request = requestIn(getIsolationScope());
  if (request) request.readRoute = read;
}

/** Notes a GraphQL operation of the running request, which becomes a part of its transaction's name. */
export function noteOperation(type: unknown, name: unknown): void {
  const request = requestIn(getIsolationScope());
  if (!request || typeof type !== 'string') return;
  request.operations ??= new Set();
  if (request.operations.size < MAX_OPERATIONS)
    request.operations.add(limitLength(nameOperation(type, name), MAX_LABEL_LENGTHS.transaction));
}

/** `query Orders`, or `query` if the client has not named it. */
export function nameOperation(type: string, name: unknown): string {
  const known = nonEmptyStringOf(name);
  return known === undefined ? type : `${type} ${known}`;
}

/** Notes that an error of a request was captured, or declined by one of our error handlers. */
export function noteRequestError(isolation: Scope, thrown?: unknown): void {
  const request = requestIn(isolation);
  if (!request) return;
  request.isErrorKnown = true;
  if (isObject(thrown)) request.thrown = [thrown, ...(request.thrown ?? [])].slice(0, MAX_THROWN);
  const { observed } = processWide();
  const { uncapturedFailures } = observed;
  observed.hasRequestErrors = true;
  // The response may have been sent before the error was captured.
  if (uncapturedFailures.size > 0) uncapturedFailures.delete(request.transactionName);
}

/**
 * Lets the response of the running request decide about an error that may still be answered with less than 500: one with a
 * 4xx status, which frameworks turn into a response, or one that goes to the application's own error handlers. The error is
 * captured if the response has a 5xx status and no other error of the request was captured.
 *
 * @returns false outside of requests, and once the response was sent
 */
export function leaveToAnswer(unanswered: UnansweredError): boolean {
  const request = requestIn(getIsolationScope());
  if (!request?.isOpen) return false;
  // Kept from the innermost span that the error leaves.
  if (request.unanswered?.error !== unanswered.error) request.unanswered = unanswered;
  return true;
}

/** Notes an error that can no longer be answered, as that of a stream: frameworks close the connection without naming it. */
export function noteBrokenResponse(error: unknown): void {
  const request = requestIn(getIsolationScope());
  if (request) request.brokenBy = error;
}

/**
 * Finds the captured error of which a framework has made this copy: one captured in the running request, with the same
 * message and stack.
 *
 * @returns the error itself if there is none
 */
export function originalOf(error: unknown): unknown {
  const [message, stack] = [readString(error, 'message'), readString(error, 'stack')];
  const isCopied = (one: unknown) => readString(one, 'message') === message && readString(one, 'stack') === stack;
  return (stack && requestIn(getIsolationScope())?.thrown?.find(isCopied)) || error;
}

/** Calls a framework's function; never throws. */
export function readRouteWith(read: ReadRoute): string | undefined {
  return nonEmptyStringOf(guardOwn('the route of a request', read));
}

/** The request of an isolation scope, if any. The application may have set its own, which has no route. */
export function requestIn(isolation: Scope): RunningRequest | undefined {
  const request = isolation.snapshot().sdkProcessingMetadata['normalizedRequest'];
  return isObject(request) && 'readRoute' in request ? (request as RunningRequest) : undefined;
}
