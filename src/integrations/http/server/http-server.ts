import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Context, context as contextApi, propagation, SpanKind, trace } from '@opentelemetry/api';
import { getClient, getCurrentScope, getIsolationScope, withIsolationScope } from '../../../context/current-scopes.js';
import type { OpenRequest } from '../../../context/observed/observed-setup.js';
import { processWide } from '../../../context/process-wide.js';
import {
  type InjectedRequest,
  InjectedRequests,
  type ResponseState,
} from '../../../context/request/injected-request.js';
import { receivedRequests } from '../../../context/request/received-request.js';
import { runRequestListeners } from '../../../context/request/throwing-request.js';
import { scopesOf } from '../../../context/scoped-context.js';
import { isRemoteSpan } from '../../../context/trace/trace.js';
import { describe } from '../../../internal/diag.js';
import { guard } from '../../../internal/guard.js';
import { observeChannel } from '../../../internal/node/diagnostics-channel.js';
import { noteMistake } from '../../../internal/options/mistakes.js';
import { readOptions } from '../../../internal/options/read-options.js';
import { undoAll } from '../../../internal/patching/replace-method.js';
import { readProperty } from '../../../internal/values/read.js';
import type { Client, Integration } from '../../../model/contracts.js';
import type { Event } from '../../../model/event/event.js';
import type { InnerClient } from '../../../model/inner-client.js';
import { beginTrace, type Scope } from '../../../model/scope/scope.js';
import { continueFrom } from '../../../tracing/propagation/incoming-trace.js';
import { createUnrecordedSpan } from '../../../tracing/spans/unrecorded-span.js';
import { isInstrumented, isRequestSpan, makesSpans } from '../span-creation.js';
import {
  createRequestFilter,
  type IgnoredRequests,
  type IgnoredStatusCodes,
  isAnsweredWith,
  isIgnoredStatus,
  readStatusCodes,
} from './ignored-requests.js';
import { keepBody } from './incoming-body.js';
import { IncomingRequest, isolatedRequest, type ReceivedMessage } from './incoming-request.js';
import { keepContext } from './keep-context.js';
import { RequestSessions } from './request-sessions.js';
import { observeHandshake } from './response-state.js';
import { ServerSpan } from './server-span.js';
import { noteFailure } from './uncaptured-failures.js';
import { type ReceivedRequest, WrappedServers } from './wrapped-servers.js';

const MAX_BODY_BYTES = { none: 0, small: 1_000, medium: 10_000, always: 1_048_576 } as const;

/** Options of {@link httpServerIntegration}. */
export interface HttpServerOptions {
  /**
   * How much of a request's body to keep: nothing, 1000 bytes, 10 000 bytes, or 1 MiB; longer bodies are cut. Binary
   * bodies are omitted. @default 'medium'
   */
  maxIncomingRequestBodySize?: keyof typeof MAX_BODY_BYTES | undefined;
  /** Counts requests by outcome, for release health; needs the option `release`. @default true */
  trackIncomingRequestsAsSessions?: boolean | undefined;
  /**
   * Makes a span for each request, unless OTel's HTTP instrumentation does. @default true if `init` has set OpenTelemetry
   * up, false beside an existing setup
   */
  spans?: boolean | undefined;
  /**
   * Requests that get no span, and whose inner spans are not recorded: strings or patterns that the path with its query
   * contains, or a function. @default []
   */
  ignoreRequests?: IgnoredRequests | undefined;
  /**
   * Transactions of requests that were answered with one of these status codes, or one of a range such as `[300, 399]`,
   * are not sent. @default []
   */
  ignoreStatusCodes?: IgnoredStatusCodes | undefined;
}

/**
 * Runs each request of a `node:http`, `node:https` or `node:http2` server in its own isolation scope, in the incoming
 * trace or a new one. The request's listeners run in it too; for `upgrade` and `connect`, the socket's.
 *
 * Needs no module hook: Node publishes each connection on a channel, early enough to wrap the server's `emit` before
 * the first request. All request listeners, including other instrumentation, then run inside.
 */
export function httpServerIntegration(options?: HttpServerOptions): Integration {
  const { spans, ignoreRequests, ...others } = readOptions(
    'httpServerIntegration',
    options,
    {
      maxIncomingRequestBodySize: 'medium',
      trackIncomingRequestsAsSessions: true,
      ignoreRequests: [],
      ignoreStatusCodes: [],
    },
    { spans: 'boolean', ignoreRequests: ['list', 'function'] },
  );
  const maxBodyBytes = checkBodySize(others.maxIncomingRequestBodySize);
  const ignoreStatusCodes = readStatusCodes(others.ignoreStatusCodes);
  return {
    name: 'HttpServer',
    setup(client: InnerClient) {
      const { release } = client.settings;
      const sessions =
        others.trackIncomingRequestsAsSessions && release ? new RequestSessions(client, release) : undefined;
      const isWanted = createRequestFilter(ignoreRequests, client.settings);
      const isTraced = makesSpans(client, spans) ? isWanted : undefined;
      const isolation: Isolation = { client, maxBodyBytes, sessions, isTraced };
      const injected = client.stateOf(InjectedRequests);
      injected.run = (request, handle) => isolateInjected(isolation, request, handle);
      const servers = new WrappedServers((request, listeners, emit) => isolate(isolation, request, listeners, emit));
      const stopObserving = undoAll([
        // Published before the first request. The second channel covers servers that receive their connections by
        // `emit`.
        observeChannel<{ socket: Socket & { server?: object } }>('net.server.socket', ({ socket }) =>
          servers.wrap(socket.server),
        ),
        observeChannel<{ server: Server }>('http.server.request.start', ({ server }) => servers.wrap(server)),
        // Published by HTTP/1 servers, in the context of the request.
        observeChannel<{ request: ReceivedMessage; response: ServerResponse }>(
          'http.server.response.finish',
          ({ request, response: { statusCode } }) => {
            endAnswer(request, statusCode);
            if (
              client.isClosed ||
              statusCode < 500 ||
              !isWanted(request) ||
              isIgnoredStatus(ignoreStatusCodes, statusCode)
            )
              return;
            const answered = isolatedRequest();
            if (answered?.message === request) noteFailure(client, answered, statusCode);
          },
        ),
      ]);
      const stop = () => {
        injected.run = undefined;
        stopObserving();
        servers.unwrapAll();
      };
      return () => {
        isolation.isTraced = undefined;
        sessions?.stop();
        // While `close` sends what is left, requests are served, and errors are captured with the data of their own request:
        // by this client, unless another one has taken its place.
        if (getClient() === client) client.whenClosed(stop);
        else stop();
      };
    },
    ...(ignoreStatusCodes.length > 0 && {
      processEvent: (event: Event) => (isAnsweredWith(ignoreStatusCodes, event) ? null : event),
    }),
  };
}

function checkBodySize(size: keyof typeof MAX_BODY_BYTES): number {
  if (Object.hasOwn(MAX_BODY_BYTES, size)) return MAX_BODY_BYTES[size];
  const sizes = Object.keys(MAX_BODY_BYTES).join(', ');
  const problem = `maxIncomingRequestBodySize: must be one of ${sizes}, but is ${describe(size)}; "medium" is used instead`;
  noteMistake({ owner: 'httpServerIntegration', problem, isCostly: false });
  return MAX_BODY_BYTES.medium;
}

interface Isolation {
  readonly client: Client;
  readonly maxBodyBytes: number;
  readonly sessions: RequestSessions | undefined;
  /** Decides about each request; `undefined` if the integration makes no spans. */
  isTraced: ((message: ReceivedMessage) => boolean) | undefined;
}

function isolate<T>(isolation: Isolation, received: ReceivedRequest, listeners: () => T, emit: unknown): T {
  if (isIsolated(received.message)) return listeners();
  if (isStreamIsolated(received.message)) {
    adoptMessage(received.message, isolation.maxBodyBytes);
    return listeners();
  }
  return withIsolationScope((scope) => {
    const handle = () => {
      const entered = guard('isolation of a request', () => enter(isolation, received, scope, emit));
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
function isolateInjected<T>(isolation: Isolation, received: InjectedRequest, handle: () => T): T {
  const { message, onClose } = received;
  const outer = trace.getActiveSpan();
  const isPart = outer && readProperty(outer, 'ended') !== true;
  const scopes = getIsolationScope();
  const isOfUnit = (isPart && !isRemoteSpan(outer)) || scopes.snapshot().transactionName !== undefined;
  receivedRequests.set(message, contextApi.active());
  if (isOfUnit && scopes !== processWide().fallback.isolation && !isolatedRequest()) return handle();
  guard('the end of a request', () => onClose((readState) => endAnswer(message, readState().statusCode ?? 0)));
  if (!isPart) return isolate(isolation, { message, onClose, emitters: [] }, handle, undefined);
  return withIsolationScope((scope) => {
    const request = new IncomingRequest(message);
    request.isOpen = true;
    scope.setSDKProcessingMetadata({ normalizedRequest: request });
    const isRoot = isRemoteSpan(outer) && isolation.isTraced?.(message);
    const span = isRoot ? new ServerSpan(contextApi.active(), request, scope) : undefined;
    receivedRequests.set(message, span?.context ?? contextApi.active());
    if (!span?.isRecording) return handle();
    onClose((readState) => span.end(readState));
    return contextApi.with(span.context, handle);
  });
}

/** Captures the error that a span left to the answer, if the request has failed and nothing else of it was captured. */
function endAnswer(message: ReceivedMessage, statusCode: number): void {
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
  { client, maxBodyBytes, sessions, isTraced }: Isolation,
  { message, onClose, socket, emitters }: ReceivedRequest,
  isolation: Scope,
  emit: unknown,
): Context | undefined {
  const request = new IncomingRequest(message, keepBody(message, maxBodyBytes));
  // The end of a stream of HTTP/2 and that of an upgrade are not published.
  request.isOpen = onClose !== undefined && message.stream === undefined;
  const requestSession = onClose && sessions?.begin(message);
  isolation.setSDKProcessingMetadata({ normalizedRequest: request, requestSession });
  const continued = enterTrace(client, message);
  const isIgnored = isTraced?.(message) === false;
  if (!isIgnored) processWide().observed.serverRequests += 1;
  const isSpanMissing = isTraced && !isInstrumented(emit) && !isRequestSpan(contextApi.active(), SpanKind.SERVER);
  const parent = isSpanMissing ? (continued ?? parentFor(client, message)) : undefined;
  const isWanted = parent && !isIgnored;
  // OpenTelemetry throws where `Date.now` returns nothing.
  const span = isWanted ? guard('a request’s span', () => new ServerSpan(parent, request, isolation)) : undefined;
  if (requestSession || span?.isRecording) {
    const end = (readState: () => ResponseState) => {
      requestSession?.end();
      span?.end(readState);
    };
    if (onClose) onClose(end);
    else if (socket) observeHandshake(socket, end);
  }
  const entered = span?.context ?? (parent ? withUnrecordedSpan(parent) : continued);
  // What happens on a socket after its upgrade is not a part of the request.
  const ofEmitters = onClose ? entered : (parent ?? continued);
  for (const emitter of emitters) keepContext(emitter, ofEmitters ?? contextApi.active());
  receivedRequests.set(message, entered ?? contextApi.active());
  return entered;
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

/** A server may emit a request twice, and a second client may have isolated it. */
function isIsolated(message: ReceivedMessage): boolean {
  return isolatedRequest()?.message === message;
}

/** An HTTP/2 request is emitted first as `stream` and then as `request`. */
function isStreamIsolated({ stream }: ReceivedMessage): boolean {
  return stream !== undefined && isolatedRequest()?.message.stream === stream;
}

/** Puts an HTTP/2 request, which has a body, in the place of its stream. */
function adoptMessage(message: ReceivedMessage, maxBodyBytes: number): void {
  receivedRequests.set(message, contextApi.active());
  const request = new IncomingRequest(message, keepBody(message, maxBodyBytes));
  request.readRoute = isolatedRequest()?.readRoute;
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
  const propagation = continued && scopesOf(continued)?.current.getPropagationContext();
  if (propagation) getCurrentScope().setPropagationContext(propagation);
  else beginTrace(getCurrentScope());
  return undefined;
}
