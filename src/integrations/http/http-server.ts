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
   * How much of a request's body its events carry: nothing, 1000 bytes, 10 000 bytes, or 1 MiB; what is longer is cut.
   * Bodies that are no text are left out. @default 'medium'
   */
  maxIncomingRequestBodySize?: keyof typeof MAX_BODY_BYTES | undefined;
  /** Counts requests by how they went, for release health; needs the option `release`. @default true */
  trackIncomingRequestsAsSessions?: boolean | undefined;
}

/**
 * Gives each request that a server of `node:http`, `node:https` or `node:http2` receives an isolation scope and a trace
 * of its own, or the trace that the request continues. The events of the request happen within it as well; where a
 * connection is handed over (`upgrade`), those of the connection.
 *
 * Needs no hook into module loading: Node announces each connection, and the first one of a server is early enough to
 * wrap that server's `emit`. Everything that listens for requests, other instrumentation included, then runs inside.
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
        // Before its first request, whatever that is; but connections may also be handed to a server.
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
  log.warn(
    `maxIncomingRequestBodySize must be one of ${Object.keys(MAX_BODY_BYTES)}, not ${describe(size)}; using medium`,
  );
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
 * Whether the listeners already run for this request: a server may emit it again, a second client may isolate it, and
 * one of HTTP/2 comes as a stream first, and then as the object that frameworks know.
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
 * Makes the trace that the request continues, or else a new one, the one of the current scope.
 *
 * @returns the context to run in, where spans too are to continue the trace. Where OpenTelemetry is the host's, its own
 *   propagation decides about the parents of spans.
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
