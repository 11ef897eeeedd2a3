import { getIsolationScope } from '../context/current-scopes.js';
import { reportMistake } from '../context/observed/report-mistakes.js';
import { type InjectedRequest, runInjected } from '../context/request/injected-request.js';
import { requestIn, setRouteOfRunningRequest } from '../context/request/running-request.js';
import { readStatus } from '../internal/http-status.js';
import { likeOriginal } from '../internal/patching/wrapped.js';
import { isArray, isObject, readProperty, readString } from '../internal/values/read.js';
import {
  createErrorReporter,
  type ErrorHandlerOptions,
  isExpectedStatus,
  nameRoute,
} from './shared/capture-framework-error.js';
import { findNext, setUpApp } from './shared/check-arguments.js';
import { mountOf } from './shared/mount-path.js';

/** The part of a Hono application that is used. */
export interface HonoApp {
  use(...args: never[]): unknown;
  onError: (handler: never) => unknown;
}

/** The part of Hono's context that callbacks can read without a cast. */
export interface HonoErrorContext {
  readonly req: {
    readonly method: string;
    readonly url: string;
    readonly path: string;
    header(name: string): string | undefined;
    query(name: string): string | undefined;
    readonly raw: Request;
  };
  readonly error: Error | undefined;
}

/** What `shouldHandleError` gets beside the error: the context of Hono. */
export type HonoArgs = readonly [context: HonoErrorContext];

/** Options of {@link setupHonoErrorHandler}; `shouldHandleError` also gets the context. */
export type HonoErrorHandlerOptions = ErrorHandlerOptions<HonoArgs>;

/**
 * Captures the errors of a Hono application, those of applications that `route` adds included, also where an `onError`
 * handler answers them. One that `mount` adds needs its own call. Names requests by their route. Call it before routes are added.
 */
export function setupHonoErrorHandler(app: HonoApp, options?: HonoErrorHandlerOptions): void;
export function setupHonoErrorHandler(app: HonoApp, options?: HonoErrorHandlerOptions): unknown {
  const next = findNext('setupHonoErrorHandler', app, options);
  return next ? next() : setUpApp('setupHonoErrorHandler', app, ['use', 'onError'], () => setUpHono(app, options));
}

function setUpHono(app: HonoApp, options: HonoErrorHandlerOptions | undefined): void {
  const routes = readProperty(app, 'routes');
  // Those of middleware are for all methods.
  if (isArray(routes) && routes.some((route) => readProperty(route, 'method') !== 'ALL'))
    reportMistake('setupHonoErrorHandler', 'it misses errors of routes that are there: call it before they are added');
  const report = createErrorReporter('setupHonoErrorHandler', 'auto.middleware.hono', options);
  const observe = (error: unknown, context: HonoErrorContext) =>
    report({
      error,
      args: [context],
      isExpected: isExpectedStatus(answeredStatus(error)),
      unit: context,
      transactionName: nameRoute(readProperty(readProperty(context, 'req'), 'method'), routeOf(context)),
    });
  const handle = async (context: HonoErrorContext, next: () => Promise<void>): Promise<void> => {
    setRouteOfRunningRequest(() => routeOf(context));
    try {
      await next();
    } catch (thrown) {
      // Hono gives only instances of Error to `onError`.
      observe(thrown, context);
      throw thrown;
    }
    if (context.error) observe(context.error, context);
  };
  const middleware = (context: HonoErrorContext, next: () => Promise<void>): Promise<void> => {
    const listeners: (() => void)[] = [];
    const answered = () => {
      for (const listener of listeners) listener();
    };
    // A request of `app.request()` comes from no server.
    return runInjected(
      () => describeInjected(context, listeners),
      () => handle(context, next).finally(answered),
      incomingOf(context),
    );
  };
  Reflect.apply(app.use, app, [middleware]);

  // Where the handler fails, too, the middleware sees only the second error.
  const { onError } = app;
  app.onError = (handler: (error: unknown, context: HonoErrorContext) => unknown) => {
    const observed = (error: unknown, context: HonoErrorContext): unknown => {
      observe(error, context);
      return handler(error, context);
    };
    return Reflect.apply(onError, app, [typeof handler === 'function' ? likeOriginal(observed, handler) : handler]);
  };
}

/** The message of `node:http`, where `@hono/node-server` runs the application. */
function incomingOf(context: object): object | undefined {
  const incoming = readProperty(readProperty(context, 'env'), 'incoming');
  return isObject(incoming) ? incoming : undefined;
}

/** @param listeners called when the request was answered */
function describeInjected(context: HonoErrorContext, listeners: (() => void)[]): InjectedRequest {
  const { method, url, raw } = context.req;
  const statusCode = () => readProperty(readProperty(context, 'res'), 'status') as number | undefined;
  return {
    message: { method, url, headers: Object.fromEntries(raw.headers) },
    onClose: (listener) => listeners.push(() => listener(() => ({ statusCode: statusCode() }))),
  };
}

/** With the path at which the application is mounted in another one. */
function routeOf(context: object): string | undefined {
  const request = readProperty(context, 'req');
  const route = ownRouteOf(request);
  if (typeof route !== 'string') return undefined;
  const mount = mountOf(normalPath(readString(request, 'url')), normalPath(receivedUrl(context))) ?? '';
  return route === '/' && mount !== '' ? mount : mount + route;
}

/**
 * The URL that Hono has received, which is not that of the client where another handler has rewritten it. Express takes the
 * path of its own mount off.
 */
function receivedUrl(context: object): string | undefined {
  const incoming = incomingOf(context);
  const url = readString(incoming, 'url');
  return url?.startsWith('/')
    ? (readString(incoming, 'baseUrl') ?? '') + url
    : (url ?? requestIn(getIsolationScope())?.path);
}

/** Encoded and without `..`, as in the URL that an application gets. `Request` has it so, whatever the client writes. */
function normalPath(url: string | undefined): string | undefined {
  const whole = url?.startsWith('/') ? `http://localhost${url}` : url;
  return whole && URL.canParse(whole) ? new URL(whole).pathname : undefined;
}

/** The route of the last handler: middleware comes before it, also that which answers in its place. */
function ownRouteOf(request: unknown): unknown {
  const matched = readProperty(request, 'matchedRoutes');
  const routes = isArray(matched) ? matched : [];
  const handler = routes.findLast((one) => readProperty(one, 'method') !== 'ALL') ?? routes.findLast(isForAllMethods);
  if (handler) return readProperty(handler, 'path');
  const route = readString(request, 'routePath');
  return route?.endsWith('*') ? undefined : route;
}

/** Whether a route was added by `app.all`: Hono itself tells middleware by its second parameter. `/*` names no route. */
function isForAllMethods(route: unknown): boolean {
  return readProperty(route, 'path') !== '/*' && Number(readProperty(readProperty(route, 'handler'), 'length')) < 2;
}

/** Hono answers everything with 500 that does not bring its own response, as `HTTPException` does. */
function answeredStatus(error: unknown): number | undefined {
  return typeof readProperty(error, 'getResponse') === 'function' ? readStatus(error) : undefined;
}
