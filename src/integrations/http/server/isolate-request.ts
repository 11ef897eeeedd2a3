import { type Context, context as contextApi, propagation, SpanKind, trace } from '@opentelemetry/api';
import { getCurrentScope, getIsolationScope, withIsolationScope } from '../../../context/current-scopes.js';
import type { OpenRequest } from '../../../context/observed/observed-setup.js';
import { processWide } from '../../../context/process-wide.js';
import type { InjectedRequest, ResponseState } from '../../../context/request/injected-request.js';
import { receivedRequests } from '../../../context/request/received-request.js';
import { runRequestListeners } from '../../../context/request/throwing-request.js';
import { scopesOf } from '../../../context/scoped-context.js';
import { isRemoteSpan } from '../../../context/trace/trace.js';
import { beginUnit } from '../../../context/unit-of-work.js';
import { guardOwn } from '../../../internal/guard.js';
import { readProperty } from '../../../internal/values/read.js';
import type { Client } from '../../../model/contracts.js';
import { beginTrace, type Scope } from '../../../model/scope/scope.js';
import { continueFrom } from '../../../tracing/propagation/incoming-trace.js';
import { createUnrecordedSpan } from '../../../tracing/spans/unrecorded-span.js';
import { isInstrumented, isRequestSpan } from '../span-creation.js';
import { keepBody } from './incoming-body.js';
import { IncomingRequest, isolatedRequest, type ReceivedMessage } from './incoming-request.js';
import { keepContext } from './keep-context.js';
import type { RequestSessions } from './request-sessions.js';
import { observeHandshake } from './response-state.js';
import { ServerSpan } from './server-span.js';
import type { ReceivedRequest } from './wrapped-servers.js';

/** What the requests of one client are isolated with. */
export interface Isolation {
  readonly client: Client;
  readonly maxBodyBytes: number;
  readonly sessions: RequestSessions | undefined;
  /** Whether the integration makes spans for requests that are not ignored. */
  makesSpans: boolean;
  readonly isIgnored: (message: ReceivedMessage) => boolean;
}

/** Runs the listeners of a request in an isolation scope of its own, and in the incoming trace or a new one. */
export function isolate<T>(isolation: Isolation, received: ReceivedRequest, listeners: () => T, emit: unknown): T {
  const { message } = received;
  const outer = isolatedRequest();
  // A server may emit a request twice, and a second client may have isolated it.
  if (outer?.message === message) return listeners();
  // An HTTP/2 request is emitted first as `stream` and then as `request`.
  if (outer && message.stream && outer.message.stream === message.stream) {
    adoptMessage(message, outer, isolation.maxBodyBytes);
    return listeners();
  }
  return withIsolationScope((scope) => {
    // An injected request, which no server has emitted, belongs to the request or job that makes it. Others begin where the server
    // was started.
    if (emit) beginUnit(scope);
    const handle = () => {
      const entered = guardOwn('isolation of a request', () => enter(isolation, received, scope, emit));
      if (!entered) return runRequestListeners(listeners);
      return contextApi.with(entered, runRequestListeners<T>, undefined, listeners);
    };
    const { openRequest } = processWide().observed;
    return openRequest ? openRequest.run(observeRequest(received), handle) : handle();
  });
}

/**
 * Within a function invocation or a job, the injected request uses the scopes and trace of that unit; within another request,
 * only its trace.
 */
export function isolateInjected<T>(isolation: Isolation, received: InjectedRequest, handle: () => T): T {
  const { message, onClose } = received;
  const outer = trace.getActiveSpan();
  const isPart = outer && readProperty(outer, 'ended') !== true;
  const scopes = getIsolationScope();
  const isOfUnit = (isPart && !isRemoteSpan(outer)) || scopes.snapshot().transactionName !== undefined;
  receivedRequests.set(message, contextApi.active());
  if (isOfUnit && scopes !== processWide().fallback.isolation && !isolatedRequest()) return handle();
  guardOwn('the end of a request', () => onClose((readState) => endAnswer(message, readState().statusCode ?? 0)));
  if (!isPart) return isolate(isolation, { message, onClose, emitters: [] }, handle, undefined);
  return withIsolationScope((scope) => {
    const request = new IncomingRequest(message);
    request.isOpen = true;
    scope.setSDKProcessingMetadata({ normalizedRequest: request });
    const isRoot = isRemoteSpan(outer) && isolation.makesSpans && !isolation.isIgnored(message);
    const span = isRoot ? new ServerSpan(contextApi.active(), request, scope) : undefined;
    receivedRequests.set(message, span?.context ?? contextApi.active());
    if (!span?.isRecording) return handle();
    onClose((readState) => span.end(readState));
    return contextApi.with(span.context, handle);
  });
}

/** Captures the error that a span left to the answer, if the request has failed and nothing else of it was captured. */
export function endAnswer(message: ReceivedMessage, statusCode: number): void {
  const request = isolatedRequest();
  if (request?.message !== message) return;
  request.isOpen = false;
  if (statusCode >= 500 && !request.isErrorKnown) request.unanswered?.capture();
  request.unanswered = undefined;
}

/** For the health report, which names roots that begin without the context of their request. */
function observeRequest({ onClose }: ReceivedRequest): OpenRequest {
  const request: OpenRequest = { hasSpan: false, isOpen: onClose !== undefined };
  onClose?.(() => {
    request.isOpen = false;
  });
  return request;
}

/** @returns the context in which the request's listeners run; `undefined` for the active one */
function enter(
  { client, maxBodyBytes, sessions, makesSpans, isIgnored }: Isolation,
  received: ReceivedRequest,
  isolation: Scope,
  emit: unknown,
): Context | undefined {
  const { message, onClose, emitters } = received;
  const request = new IncomingRequest(message, keepBody(message, maxBodyBytes));
  // The end of a stream of HTTP/2 and that of an upgrade are not published.
  request.isOpen = onClose !== undefined && message.stream === undefined;
  const requestSession = onClose && sessions?.begin(message);
  isolation.setSDKProcessingMetadata({ normalizedRequest: request, requestSession });
  const continued = enterTrace(client, message);
  const isUntraced = makesSpans && isIgnored(message);
  if (!isUntraced) processWide().observed.serverRequests += 1;
  const isSpanMissing = makesSpans && !isInstrumented(emit) && !isRequestSpan(contextApi.active(), SpanKind.SERVER);
  const parent = isSpanMissing ? (continued ?? parentFor(client, message)) : undefined;
  const isWanted = parent && !isUntraced;
  // OpenTelemetry throws where `Date.now` returns nothing.
  const span = isWanted
    ? guardOwn('the span of a request', () => new ServerSpan(parent, request, isolation))
    : undefined;
  if (requestSession || span?.isRecording) {
    callAtEnd(received, (readState) => {
      requestSession?.end();
      span?.end(readState);
    });
  }
  const entered = span?.context ?? (parent ? withUnrecordedSpan(parent) : continued);
  // What happens on a socket after its upgrade is not a part of the request.
  const ofEmitters = onClose ? entered : (parent ?? continued);
  for (const emitter of emitters) keepContext(emitter, ofEmitters ?? contextApi.active());
  receivedRequests.set(message, entered ?? contextApi.active());
  return entered;
}

function callAtEnd({ onClose, socket }: ReceivedRequest, end: (readState: () => ResponseState) => void): void {
  if (onClose) onClose(end);
  else if (socket) observeHandshake(socket, end);
}

/** The context of a request without a span; what runs in it begins no transactions. */
function withUnrecordedSpan(parent: Context): Context {
  return trace.setSpan(parent, createUnrecordedSpan(getCurrentScope()));
}

/**
 * Removes the span of the connection's context: it may be the one in which the server was started, not the parent of requests.
 */
function parentFor(client: Client, { headers }: ReceivedMessage): Context {
  const active = contextApi.active();
  const parent = trace.getSpan(active) ? trace.deleteSpan(active) : active;
  return client.settings.skipOpenTelemetrySetup ? propagation.extract(parent, headers) : parent;
}

/** Puts an HTTP/2 request, which has a body, in the place of its stream. */
function adoptMessage(message: ReceivedMessage, ofStream: IncomingRequest, maxBodyBytes: number): void {
  receivedRequests.set(message, contextApi.active());
  const request = new IncomingRequest(message, keepBody(message, maxBodyBytes));
  request.readRoute = ofStream.readRoute;
  getIsolationScope().setSDKProcessingMetadata({ normalizedRequest: request });
}

/**
 * Sets the current scope's trace to the incoming trace, or to a new one.
 *
 * @returns the context in which spans continue the trace; `undefined` beside an OpenTelemetry setup of the application,
 *   whose own propagator determines the parents of spans
 */
function enterTrace(client: Client, { headers }: ReceivedMessage) {
  const { 'sentry-trace': sentryTrace, baggage, traceparent } = headers;
  const continued =
    sentryTrace || traceparent
      ? continueFrom(contextApi.active(), { sentryTrace, baggage, traceparent: traceparent as string | undefined })
      : undefined;
  if (continued && !client.settings.skipOpenTelemetrySetup) return continued;
  const incoming = continued && scopesOf(continued)?.current.getPropagationContext();
  if (incoming) getCurrentScope().setPropagationContext(incoming);
  else beginTrace(getCurrentScope());
  return undefined;
}
