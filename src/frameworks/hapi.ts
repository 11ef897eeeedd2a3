import type { IncomingHttpHeaders } from 'node:http';
import { originalOf, setRouteOfRunningRequest } from '../context/request/running-request.js';
import { readStatus } from '../internal/http-status.js';
import { withoutInstrumentation } from '../internal/patching/uninstrumented.js';
import { readProperty } from '../internal/values/read.js';
import {
  createErrorReporter,
  type ErrorHandlerOptions,
  isExpectedStatus,
  nameRoute,
  observeStream,
} from './shared/capture-framework-error.js';
import { setUpApp } from './shared/check-arguments.js';

/** The part of a Hapi server that is used. */
export interface HapiServer {
  ext(...args: never[]): unknown;
  readonly events: { on(...args: never[]): unknown };
}

/** The part of Hapi's request that callbacks can read without a cast. */
export interface HapiErrorRequest {
  /** In lower case. */
  readonly method: string;
  readonly path: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly query: unknown;
  readonly params: unknown;
  readonly payload: unknown;
  readonly response: unknown;
}

/** What `shouldHandleError` gets beside the error: Hapi's request. */
export type HapiArgs = readonly [request: HapiErrorRequest];

/** Options of {@link setupHapiErrorHandler}; `shouldHandleError` also gets the request. */
export type HapiErrorHandlerOptions = ErrorHandlerOptions<HapiArgs>;

/**
 * Captures the errors of a Hapi server (20 or 21): those that are about to be answered with 5xx, and those that happen
 * while the answer is made or a stream is sent. Call it before other extensions of `onPreResponse` are added.
 */
export function setupHapiErrorHandler(server: HapiServer, options?: HapiErrorHandlerOptions): void {
  setUpApp('setupHapiErrorHandler', server, ['ext'], () => setUpHapi(server, options));
}

function setUpHapi(server: HapiServer, options: HapiErrorHandlerOptions | undefined): void {
  const report = createErrorReporter('setupHapiErrorHandler', 'auto.middleware.hapi', options);
  const observe = (request: HapiErrorRequest, boom: unknown): void => {
    const raw = readProperty(request, 'raw');
    report({
      error: originalOf(unwrapBoom(boom)),
      args: [request],
      isExpected: isExpectedStatus(readStatus(readProperty(boom, 'output'))),
      unit: request,
      message: readProperty(raw, 'req'),
      response: readProperty(raw, 'res'),
      transactionName: nameRoute(String(readProperty(request, 'method')).toUpperCase(), routeOf(request)),
    });
  };
  const ext = withoutInstrumentation(server.ext);
  const onPreResponse = (request: HapiErrorRequest, { continue: proceed }: { continue: symbol }) => {
    const { response } = request;
    if (readProperty(response, 'isBoom') === true) observe(request, response);
    observeStream(readProperty(response, 'source'), (error) => observe(request, error));
    return proceed;
  };
  Reflect.apply(ext, server, ['onPreResponse', onPreResponse]);
  const onPreAuth = (request: object, { continue: proceed }: { continue: symbol }) => {
    setRouteOfRunningRequest(() => routeOf(request));
    return proceed;
  };
  Reflect.apply(ext, server, ['onPreAuth', onPreAuth]);
  const listener = (request: HapiErrorRequest, { error }: { error?: unknown }): void => observe(request, error);
  Reflect.apply(server.events.on, server.events, [{ name: 'request', channels: ['error'] }, listener]);
}

/** Requests without a route have one that Hapi adds, of another method. */
function routeOf(request: object): unknown {
  const route = readProperty(request, 'route');
  return readProperty(route, 'method') === '_special' ? undefined : readProperty(route, 'path');
}

/**
 * Hapi turns an error into a Boom in place; one like `TypeError` it copies first. A thrown value of another type becomes
 * the `data` of a new Boom.
 */
function unwrapBoom(boom: unknown): unknown {
  const isWrapped = readProperty(boom, 'message') === 'Cannot throw non-error object';
  return isWrapped ? readProperty(boom, 'data') : boom;
}
