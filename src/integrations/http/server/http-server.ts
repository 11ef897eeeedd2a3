import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getClient } from '../../../context/current-scopes.js';
import { InjectedRequests } from '../../../context/request/injected-request.js';
import { observeChannel } from '../../../internal/node/diagnostics-channel.js';
import { noteMistake } from '../../../internal/options/mistakes.js';
import { readOptions } from '../../../internal/options/read-options.js';
import { undoAll } from '../../../internal/patching/replace-method.js';
import { describe } from '../../../internal/values/in-message.js';
import type { Integration } from '../../../model/contracts.js';
import type { Event } from '../../../model/event/event.js';
import type { InnerClient } from '../../../model/inner-client.js';
import { makesSpans } from '../span-creation.js';
import {
  createRequestFilter,
  type IgnoredRequests,
  type IgnoredStatusCodes,
  isAnsweredWith,
  isIgnoredStatus,
  readStatusCodes,
} from './ignored-requests.js';
import { isolatedRequest, type ReceivedMessage } from './incoming-request.js';
import { endAnswer, type Isolation, isolate, isolateInjected } from './isolate-request.js';
import { RequestSessions } from './request-sessions.js';
import { noteFailure } from './uncaptured-failures.js';
import { WrappedServers } from './wrapped-servers.js';

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

/** A request and its answer, as Node publishes them. */
interface AnsweredRequest {
  readonly request: ReceivedMessage;
  readonly response: ServerResponse;
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
      const isIgnored = createRequestFilter(ignoreRequests, client.settings);
      const isolation: Isolation = { client, maxBodyBytes, sessions, makesSpans: makesSpans(client, spans), isIgnored };
      const injected = client.stateOf(InjectedRequests);
      injected.run = (request, handle) => isolateInjected(isolation, request, handle);
      const onAnswer = ({ request, response: { statusCode } }: AnsweredRequest) => {
        endAnswer(request, statusCode);
        if (statusCode < 500 || client.isClosed) return;
        if (isIgnored(request) || isIgnoredStatus(ignoreStatusCodes, statusCode)) return;
        const answered = isolatedRequest();
        if (answered?.message === request) noteFailure(client, answered, statusCode);
      };
      const servers = new WrappedServers((request, listeners, emit) => isolate(isolation, request, listeners, emit));
      const stopObserving = undoAll([
        // Published before the first request. The second channel covers servers that receive their connections by
        // `emit`.
        observeChannel<{ socket: Socket & { server?: object } }>('net.server.socket', ({ socket }) =>
          servers.wrap(socket.server),
        ),
        observeChannel<{ server: Server }>('http.server.request.start', ({ server }) => servers.wrap(server)),
        // Published by HTTP/1 servers, in the context of the request.
        observeChannel<AnsweredRequest>('http.server.response.finish', onAnswer),
      ]);
      const stop = () => {
        injected.run = undefined;
        stopObserving();
        servers.unwrapAll();
      };
      return () => {
        isolation.makesSpans = false;
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
