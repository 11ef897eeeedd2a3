import type { IncomingHttpHeaders } from 'node:http';
import { types } from 'node:util';
import { setRouteOfRunningRequest } from '../context/request/running-request.js';
import { readStatus } from '../internal/http-status.js';
import { withoutInstrumentation } from '../internal/patching/uninstrumented.js';
import { pathOfTarget } from '../internal/request-path.js';
import { isError } from '../internal/values/is-error.js';
import { isArray, isObject, readProperty, readString } from '../internal/values/read.js';
import {
  createErrorReporter,
  type ErrorHandlerOptions,
  isExpectedStatus,
  nameRoute,
} from './shared/capture-framework-error.js';
import { findNext, setUpApp } from './shared/check-arguments.js';

/** The part of a Koa application that is used. */
export interface KoaApp {
  use(...args: never[]): unknown;
  emit(event: string | symbol, ...args: never[]): boolean;
}

/** The part of Koa's context that callbacks can read without a cast. */
export interface KoaErrorContext {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly status: number;
  readonly state: unknown;
}

/** What `shouldHandleError` gets beside the error: the context of Koa, where the error happened in a request. */
export type KoaArgs = readonly [context: KoaErrorContext | undefined];

/** Options of {@link setupKoaErrorHandler}; `shouldHandleError` also gets the context. */
export type KoaErrorHandlerOptions = ErrorHandlerOptions<KoaArgs>;

type Report = (error: unknown, context: unknown) => void;

/**
 * Captures the errors of a Koa application (2 or 3): those that leave the middleware that is added after this call, and
 * those that the application emits as `error`, which are also those of streams. Names requests by the route of the router.
 */
export function setupKoaErrorHandler(app: KoaApp, options?: KoaErrorHandlerOptions): void;
export function setupKoaErrorHandler(app: KoaApp, options?: KoaErrorHandlerOptions): unknown {
  const next = findNext('setupKoaErrorHandler', app, options);
  return next
    ? next()
    : setUpApp('setupKoaErrorHandler', app, ['use', 'emit', 'callback'], () => setUpKoa(app, options));
}

function setUpKoa(app: KoaApp, options: KoaErrorHandlerOptions | undefined): void {
  const report = createReport(options);
  /** Contexts whose middleware has thrown something else than an error. */
  const nonErrors = new WeakSet<object>();
  // Tools that trace middleware name it by the function.
  const faultlineErrorHandler = async (context: object, next: () => Promise<unknown>): Promise<unknown> => {
    setRouteOfRunningRequest(() => routeOf(context));
    try {
      return await next();
    } catch (error) {
      report(error, context);
      if (!isError(error)) nonErrors.add(context);
      throw error;
    }
  };
  Reflect.apply(withoutInstrumentation(app.use), app, [faultlineErrorHandler]);

  // A listener would take the place of Koa's own, which writes errors to the console.
  const { emit } = app;
  app.emit = function (this: unknown, event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error' && !(isReplacement(args[0]) && nonErrors.has(args[1] as object))) report(args[0], args[1]);
    return Reflect.apply(emit, this, [event, ...args]);
  } as KoaApp['emit'];
}

function createReport(options: KoaErrorHandlerOptions | undefined): Report {
  const report = createErrorReporter('setupKoaErrorHandler', 'auto.middleware.koa', options);
  return (error, context) => {
    const unit = isObject(context) ? (context as KoaErrorContext) : undefined;
    const transactionName = nameRoute(readProperty(unit, 'method'), routeOf(unit));
    const [message, response] = [readProperty(context, 'req'), readProperty(context, 'res')];
    const isExpected = isExpectedStatus(readStatus(error));
    report({ error, args: [unit], isExpected, unit, message, response, transactionName });
  };
}

/** The route that the router has matched, with the path at which koa-mount has put it. A pattern is used as text. */
function routeOf(context: unknown): string | undefined {
  const matched = readProperty(context, '_matchedRoute');
  const route = types.isRegExp(matched) ? String(matched) : matched;
  if (typeof route !== 'string') return undefined;
  const mount = mountOf(context, matched);
  return route === '/' && mount !== '' ? mount : mount + route;
}

/**
 * The beginning of the path that koa-mount has taken off before the router matched the rest. It puts the path back, and keeps
 * the innermost mount, also once the request has left it.
 */
function mountOf(context: unknown, route: unknown): string {
  const [mount, url] = [readString(context, 'mountPath'), readString(context, 'originalUrl')];
  const layers = readProperty(context, 'matched');
  if (!mount || !url || !isArray(layers)) return '';
  const regexp = readProperty(
    layers.findLast((layer) => readProperty(layer, 'path') === route),
    'regexp',
  );
  if (!types.isRegExp(regexp)) return '';
  const path = pathOfTarget(url);
  for (let begin = path.indexOf(mount); begin >= 0; begin = path.indexOf(mount, begin + 1)) {
    const end = begin + mount.length;
    const rest = path.slice(end) || '/';
    // `/a` is no mount of `/abc`. `search` leaves a pattern as it is.
    if (rest.startsWith('/') && rest.search(regexp) === 0) return path.slice(0, end);
  }
  return '';
}

/** Koa emits an error that it makes in place of a thrown value of another type. */
function isReplacement(error: unknown): boolean {
  return readString(error, 'message')?.startsWith('non-error thrown: ') === true;
}
