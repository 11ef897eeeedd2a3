import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { CANCELLED, type InjectedRequest, runInjected } from '../context/request/injected-request.js';
import { setRouteOfRunningRequest } from '../context/request/running-request.js';
import { readStatus } from '../internal/http-status.js';
import { likeOriginal } from '../internal/patching/wrapped.js';
import { readProperty, readString } from '../internal/values/read.js';
import {
  callObserved,
  createErrorReporter,
  type ErrorHandlerOptions,
  isExpectedStatus,
  nameRoute,
  observeStream,
} from './shared/capture-framework-error.js';
import { setUpApp } from './shared/check-arguments.js';

/** The part of a Fastify instance that is used. */
export interface FastifyApp {
  addHook(...args: never[]): unknown;
  setErrorHandler(...args: never[]): unknown;
}

/** The part of Fastify's request that callbacks can read without a cast. */
export interface FastifyErrorRequest {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: unknown;
  readonly params: unknown;
  readonly body: unknown;
  readonly ip: string;
  /** Since Fastify 4.10. */
  readonly routeOptions?: { readonly url?: string | undefined } | undefined;
}

/** The part of Fastify's reply that callbacks can read without a cast. */
export interface FastifyErrorReply {
  readonly statusCode: number;
  readonly sent: boolean;
}

/** What `shouldHandleError` gets beside the error: Fastify's own request and reply. */
export type FastifyArgs = readonly [request: FastifyErrorRequest, reply: FastifyErrorReply];

/** Options of {@link setupFastifyErrorHandler}; `shouldHandleError` also gets the request and the reply. */
export type FastifyErrorHandlerOptions = ErrorHandlerOptions<FastifyArgs>;

/** Of a route, `(request, reply)`, or of errors, `(error, request, reply)`. */
type Handler = (this: unknown, ...args: unknown[]) => unknown;
type Report = (error: unknown, ...args: FastifyArgs) => void;

const reports = new WeakMap<object, Report>();

/**
 * Captures the errors of a Fastify instance (4 or 5), those of its hooks and plugins included, of its error handlers,
 * and of streams that it sends, and names requests by their route. Call it before plugins and routes are registered. A second call
 * replaces the options.
 *
 * Fastify's diagnostics channels are left alone: with a subscriber, Fastify sets the status of the answer before the
 * application's error handler runs.
 */
export function setupFastifyErrorHandler(app: FastifyApp, options?: FastifyErrorHandlerOptions): void {
  setUpApp('setupFastifyErrorHandler', app, ['addHook', 'setErrorHandler'], () => setUpFastify(app, options));
}

function setUpFastify(app: FastifyApp, options: FastifyErrorHandlerOptions | undefined): void {
  const isKnown = reports.has(app);
  reports.set(app, createReport(options));
  if (isKnown) return;

  const report: Report = (...args) => reports.get(app)?.(...args);
  const addHook = (name: string, hook: (...args: never[]) => void) => Reflect.apply(app.addHook, app, [name, hook]);
  addHook('onRequest', (request: { raw: IncomingMessage }, reply: { raw: ServerResponse }, done: () => void) => {
    const handle = () => {
      setRouteOfRunningRequest(() => routeOf(request));
      done();
    };
    // A request of `app.inject()` comes from no server. The rest of its handling runs within `done`.
    runInjected(() => describeInjected(request.raw, reply.raw), handle, request.raw);
  });
  const failures = new WeakMap<object, unknown>();
  addHook('onError', (request: FastifyErrorRequest, reply: FastifyErrorReply, error: unknown, done: () => void) => {
    // A hook `onSend` runs again for the answer to its own error, and may fail with the same message in the same line.
    const earlier = failures.get(request);
    const failure = isOfSamePlace(earlier, error) ? earlier : error;
    failures.set(request, failure);
    report(failure, request, reply);
    done();
  });
  addHook('onSend', (request: FastifyErrorRequest, reply: FastifyErrorReply, payload: unknown, done: () => void) => {
    observeStream(payload, (error) => report(error, request, reply));
    done();
  });
  // The hook `onError` does not run for what is thrown after the answer was sent,
  addHook('onRoute', (route: { handler?: unknown }) => {
    if (typeof route.handler === 'function') route.handler = observeHandler(route.handler as Handler, report);
  });
  // nor for what an error handler throws. Encapsulated instances inherit the method; `this` is one of them.
  const { setErrorHandler } = app;
  app.setErrorHandler = function (this: unknown, handler: unknown) {
    const observed = typeof handler === 'function' ? observeHandler(handler as Handler, report) : handler;
    return Reflect.apply(setErrorHandler, this, [observed]);
  };
}

function describeInjected(message: IncomingMessage, response: ServerResponse): InjectedRequest {
  return {
    message,
    onClose: (listener) => {
      let isOver = false;
      const end = (errorType?: string) => {
        if (!isOver) listener(() => (errorType === undefined ? { statusCode: response.statusCode } : { errorType }));
        isOver = true;
      };
      // The responses of some adapters emit no `close`.
      response.once('finish', () => end());
      response.once('close', () => end(CANCELLED));
    },
  };
}

function observeHandler(handler: Handler, report: Report): Handler {
  const observed: Handler = function (...args) {
    const [request, reply] = args.slice(-2) as unknown as FastifyArgs;
    return callObserved(
      () => handler.apply(this, args),
      (error) => report(error, request, reply),
    );
  };
  return likeOriginal(observed, handler);
}

function createReport(options: FastifyErrorHandlerOptions | undefined): Report {
  const report = createErrorReporter('setupFastifyErrorHandler', 'auto.middleware.fastify', options);
  return (error, request, reply) => {
    const isExpected = isExpectedStatus(answeredStatus(error, reply));
    const transactionName = nameRoute(readProperty(request, 'method'), routeOf(request));
    const [message, response] = [readProperty(request, 'raw'), readProperty(reply, 'raw')];
    report({ error, args: [request, reply], isExpected, unit: request, message, response, transactionName });
  };
}

/** Whether two errors have the same message and were made by the same line. */
function isOfSamePlace(one: unknown, other: unknown): boolean {
  const [place, otherPlace] = [one, other].map((error) => /\n {4}at .+/.exec(readString(error, 'stack') ?? '')?.[0]);
  return place !== undefined && place === otherPlace && readString(one, 'message') === readString(other, 'message');
}

/** Fastify has `routeOptions` since 4.10, and warns of `routerPath` since then. */
function routeOf(request: object): unknown {
  const options = readProperty(request, 'routeOptions');
  return options === undefined ? readProperty(request, 'routerPath') : readProperty(options, 'url');
}

/** A status that the handler has set wins over that of the error. */
function answeredStatus(error: unknown, reply: object): number | undefined {
  const status = readProperty(reply, 'statusCode');
  return typeof status === 'number' && status >= 400 ? status : readStatus(error);
}
