import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { context as contextApi } from '@opentelemetry/api';
import { getCurrentScope, getIsolationScope, withIsolationScope } from '../../context/current-scopes.js';
import { scopesOf } from '../../context/scoped-context.js';
import { createLogger, describe } from '../../internal/diag.js';
import { observeChannel } from '../../internal/diagnostics-channel.js';
import { guard } from '../../internal/guard.js';
import { readOptions } from '../../internal/read-options.js';
import type { Client, Integration } from '../../model/contracts.js';
import type { InnerClient } from '../../model/inner-client.js';
import { createPropagationContext } from '../../model/trace.js';
import { continueFrom } from '../../tracing/propagator.js';
import { keepBody } from './incoming-body.js';
import { IncomingRequest, type ReceivedMessage } from './incoming-request.js';
import { keepContext } from './keep-context.js';
import { RequestSessions } from './request-sessions.js';
import { type ReceivedRequest, WrappedServers } from './wrapped-servers.js';

const log = createLogger('http-server');

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
}

/**
 * Runs each request of a `node:http`, `node:https` or `node:http2` server in its own isolation scope, in the incoming
 * trace or a new one. The request's listeners run in it too; for `upgrade` and `connect`, the socket's.
 *
 * Needs no module hook: Node publishes each connection on a channel, early enough to wrap the server's `emit` before
 * the first request. All request listeners, including other instrumentation, then run inside.
 */
export function httpServerIntegration(options?: HttpServerOptions): Integration {
  const { maxIncomingRequestBodySize = 'medium', trackIncomingRequestsAsSessions = true } = readOptions(options, {
    maxIncomingRequestBodySize: 'string',
    trackIncomingRequestsAsSessions: 'boolean',
  });
  const maxBodyBytes = checkBodySize(maxIncomingRequestBodySize);
  return {
    name: 'HttpServer',
    setup(client: InnerClient) {
      const { release } = client.settings;
      const sessions = trackIncomingRequestsAsSessions && release ? new RequestSessions(client, release) : undefined;
      const servers = new WrappedServers((request, listeners) =>
        isolate({ client, maxBodyBytes, sessions }, request, listeners),
      );
      const undo = [
        // Published before the first request. The second channel covers servers that receive their connections by
        // `emit`.
        observeChannel<{ socket: Socket & { server?: object } }>('net.server.socket', ({ socket }) =>
          servers.wrap(socket.server),
        ),
        observeChannel<{ server: Server }>('http.server.request.start', ({ server }) => servers.wrap(server)),
      ];
      return () => {
        for (const one of undo) one();
        servers.unwrapAll();
        sessions?.stop();
      };
    },
  };
}

function checkBodySize(size: keyof typeof MAX_BODY_BYTES): number {
  if (Object.hasOwn(MAX_BODY_BYTES, size)) return MAX_BODY_BYTES[size];
  const sizes = Object.keys(MAX_BODY_BYTES).join(', ');
  log.warn(`maxIncomingRequestBodySize: must be one of ${sizes}, but is ${describe(size)}; medium is used instead`);
  return MAX_BODY_BYTES.medium;
}

interface Isolation {
  readonly client: Client;
  readonly maxBodyBytes: number;
  readonly sessions: RequestSessions | undefined;
}

function isolate<T>(
  { client, maxBodyBytes, sessions }: Isolation,
  { message, response, emitters }: ReceivedRequest,
  listeners: () => T,
): T {
  if (isIsolated(message, maxBodyBytes)) return listeners();
  return withIsolationScope((isolation) => {
    const continued = guard(
      'isolation of a request',
      () => {
        const normalizedRequest = new IncomingRequest(message, keepBody(message, maxBodyBytes));
        const requestSession = response && sessions?.begin(message, response);
        isolation.setSDKProcessingMetadata({ normalizedRequest, requestSession });
        const entered = enterTrace(client, message);
        for (const emitter of emitters) keepContext(emitter, entered ?? contextApi.active());
        return entered;
      },
      undefined,
    );
    return continued ? contextApi.with(continued, listeners) : listeners();
  });
}

/**
 * Whether this request already has its isolation scope. A server may emit a request twice, a second client may have
 * isolated it, and an HTTP/2 request is emitted first as `stream` and then as `request`.
 */
function isIsolated(message: ReceivedMessage, maxBodyBytes: number): boolean {
  const isolation = getIsolationScope();
  const { normalizedRequest } = isolation.snapshot().sdkProcessingMetadata;
  if (!(normalizedRequest instanceof IncomingRequest)) return false;
  const { message: present } = normalizedRequest;
  if (present === message) return true;
  if (message.stream === undefined || present.stream !== message.stream) return false;
  const known = new IncomingRequest(message, keepBody(message, maxBodyBytes));
  isolation.setSDKProcessingMetadata({ normalizedRequest: known });
  return true;
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
  getCurrentScope().setPropagationContext(propagation ?? createPropagationContext());
  return undefined;
}
