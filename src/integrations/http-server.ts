import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { context as contextApi } from '@opentelemetry/api';
import { scopesOf } from '../context/scoped-context.js';
import { getCurrentScope, getIsolationScope, withIsolationScope } from '../context/storage.js';
import { createLogger, describe } from '../internal/diag.js';
import { guard } from '../internal/guard.js';
import { readOptions } from '../internal/read-options.js';
import type { Client, Integration } from '../model/contracts.js';
import { createPropagationContext } from '../model/trace.js';
import { continueFrom } from '../tracing/propagator.js';
import { observeChannel } from './channel.js';
import { keepBody } from './incoming-body.js';
import { IncomingRequest } from './incoming-request.js';
import { RequestSessions } from './request-sessions.js';

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
 * Gives each request that a `node:http` or `node:https` server receives an isolation scope and a trace of its own, or
 * the trace that the request continues.
 *
 * Needs no hook into module loading: Node announces each request, and the first one of a server is early enough to wrap
 * that server's `emit`. Everything that listens for requests, other instrumentation included, then runs inside.
 */
export function httpServerIntegration(options?: HttpServerOptions): Integration {
  const { maxIncomingRequestBodySize = 'medium', trackIncomingRequestsAsSessions = true } = readOptions(options, {
    maxIncomingRequestBodySize: 'string',
    trackIncomingRequestsAsSessions: 'boolean',
  });
  const maxBodyBytes = checkBodySize(maxIncomingRequestBodySize);
  return {
    name: 'HttpServer',
    setup(client) {
      const { release } = client.settings;
      const sessions = trackIncomingRequestsAsSessions && release ? new RequestSessions(client, release) : undefined;
      const servers = new WrappedServers((request, response, listeners) =>
        isolate({ client, maxBodyBytes, sessions }, request, response, listeners),
      );
      const stop = observeChannel<{ server: Server }>('http.server.request.start', ({ server }) =>
        servers.wrap(server),
      );
      return () => {
        stop();
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
  message: IncomingMessage,
  response: ServerResponse,
  listeners: () => T,
): T {
  if (isIsolated(message)) return listeners();
  return withIsolationScope((isolation) => {
    const continued = guard(
      'isolation of a request',
      () => {
        const normalizedRequest = new IncomingRequest(message, keepBody(message, maxBodyBytes));
        isolation.setSDKProcessingMetadata({ normalizedRequest, requestSession: sessions?.begin(message, response) });
        return enterTrace(client, message);
      },
      undefined,
    );
    return continued ? contextApi.with(continued, listeners) : listeners();
  });
}

/** Whether the listeners already run for this request: a server may emit it again, and a second client may isolate it. */
function isIsolated(message: IncomingMessage): boolean {
  const { normalizedRequest } = getIsolationScope().snapshot().sdkProcessingMetadata;
  return normalizedRequest instanceof IncomingRequest && normalizedRequest.message === message;
}

/**
 * Makes the trace that the request continues, or else a new one, the one of the current scope.
 *
 * @returns the context to run in, where spans too are to continue the trace. Where OpenTelemetry is the host's, its own
 *   propagation decides about the parents of spans.
 */
function enterTrace(client: Client, { headers }: IncomingMessage) {
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

type Emit = Server['emit'];
type Around = (request: IncomingMessage, response: ServerResponse, listeners: () => boolean) => boolean;

/** Servers whose listeners for requests run inside `around`. */
class WrappedServers {
  /** What a server's `emit` was, where it had one of its own. */
  readonly #originals = new WeakMap<Server, Emit | undefined>();
  readonly #servers = new Set<WeakRef<Server>>();
  readonly #emit: Emit;
  #isStopped = false;

  constructor(around: Around) {
    const wrapped = this;
    this.#emit = function emit(this: Server, event: string | symbol, ...args: unknown[]): boolean {
      // Asked each time: the prototype's may be wrapped later than the server's.
      const original: Emit = wrapped.#originals.get(this) ?? Object.getPrototypeOf(this).emit;
      const listeners = () => Reflect.apply(original, this, [event, ...args]);
      if (event !== 'request' || wrapped.#isStopped) return listeners();
      return around(args[0] as IncomingMessage, args[1] as ServerResponse, listeners);
    };
  }

  wrap(server: Server): void {
    if (this.#originals.has(server)) return;
    this.#originals.set(server, Object.hasOwn(server, 'emit') ? server.emit : undefined);
    Object.defineProperty(server, 'emit', { value: this.#emit, configurable: true, writable: true });
    for (const one of this.#servers) {
      if (one.deref() === undefined) this.#servers.delete(one);
    }
    this.#servers.add(new WeakRef(server));
  }

  /** Puts each server's `emit` back; one that somebody else has wrapped since stays, and passes everything on. */
  unwrapAll(): void {
    this.#isStopped = true;
    for (const reference of this.#servers) {
      const server = reference.deref();
      if (server?.emit === this.#emit) this.#unwrap(server);
    }
    this.#servers.clear();
  }

  #unwrap(server: Server): void {
    const original = this.#originals.get(server);
    if (original) Object.defineProperty(server, 'emit', { value: original, configurable: true, writable: true });
    else Reflect.deleteProperty(server, 'emit');
  }
}
