import type { IncomingMessage, ServerResponse } from 'node:http';
import { inContextOfRequest } from '../../context/request/received-request.js';
import { leaveToAnswer } from '../../context/request/running-request.js';
import { guardOwn } from '../../internal/guard.js';
import { readStatus } from '../../internal/http-status.js';
import { replaceMethod } from '../../internal/patching/replace-method.js';
import { withoutInstrumentation } from '../../internal/patching/uninstrumented.js';
import { isArray, isObject, readProperty } from '../../internal/values/read.js';
import { createErrorReporter, type ErrorHandlerOptions, isExpectedStatus } from './capture-framework-error.js';
import { noteUseAsMiddleware, setUpApp } from './check-arguments.js';

/** What `shouldHandleError` gets beside the error. */
export type MiddlewareArgs = readonly [request: IncomingMessage, response: ServerResponse];

/** An error handler of Express and Connect. */
export type ErrorMiddleware = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Anything that takes middleware: an application or a router. */
export interface MiddlewareStack {
  use(...args: never[]): unknown;
  /** Runs it for one request; inner to Express and Connect. */
  handle?: unknown;
}

/** Options of the setup functions. */
export type MiddlewareOptions = ErrorHandlerOptions<MiddlewareArgs>;

/**
 * Captures an error on its way through the middleware and passes it on.
 *
 * @param caller the function that got the options
 * @param onReport called with the id of each event
 */
export function createErrorMiddleware(
  caller: string,
  mechanismType: string,
  options: MiddlewareOptions | undefined,
  onReport?: (eventId: string, response: ServerResponse) => void,
): ErrorMiddleware {
  const report = createErrorReporter(caller, mechanismType, options);
  // Express and Connect recognize an error handler by its four parameters; tools that trace middleware name it by the function.
  return function faultlineErrorHandler(error, request, response, next) {
    const isExpected = isExpectedStatus(answeredStatus(error, response));
    const eventId = report({ error, args: [request, response], isExpected, unit: request, message: request, response });
    if (eventId !== undefined) onReport?.(eventId, response);
    next(error);
  };
}

/**
 * Adds the error handler to an application, unless the setup function was passed to `app.use` in place of being called. With
 * its four parameters it is then taken for an error handler, so that it receives errors and passes them on, and no other
 * request stops at it.
 *
 * @param caller the setup function
 * @param app its first argument: as an error handler, it gets the error in that place
 * @param next its fourth argument, which only an error handler gets
 * @param create makes the error handler
 */
export function setUpMiddleware(
  caller: string,
  app: MiddlewareStack,
  next: unknown,
  create: () => ErrorMiddleware,
): void {
  if (typeof next === 'function') {
    noteUseAsMiddleware(caller);
    next(app);
    return;
  }
  setUpApp(caller, app, ['use'], () => addErrorMiddleware(app, create()));
}

/**
 * The middleware for the place before error handlers that were added earlier. It captures after them: one may answer the error
 * with less than 500, or replace it by another error, which is captured instead.
 */
function leavingToOthers(middleware: ErrorMiddleware): ErrorMiddleware {
  return function faultlineErrorHandler(error, request, response, next) {
    const capture = () => middleware(error, request, response, () => undefined);
    if (!inContextOfRequest(request, () => leaveToAnswer({ error, capture }))) capture();
    next(error);
  };
}

/**
 * Adds the middleware before each error handler that is there or is added later, and at the end: a handler may answer an
 * error, or throw a new one, and the call may have come before the routes.
 */
function addErrorMiddleware(stack: MiddlewareStack, middleware: ErrorMiddleware): void {
  const { use, handle } = stack;
  const add = (own: ErrorMiddleware): void => {
    Reflect.apply(withoutInstrumentation(use), stack, [own]);
    const layer = layersOf(stack)?.at(-1);
    if (isObject(layer) && readProperty(layer, 'handle') === own)
      guardOwn('the spans of an error handler', () => keepFromInstrumentation(layer));
  };
  const layers = layersOf(stack);
  if (layers?.some(isErrorLayer)) {
    const { length } = layers;
    add(leavingToOthers(middleware));
    guardOwn('the order of error handlers', () => {
      if (layers.length > length) layers.splice(layers.findIndex(isErrorLayer), 0, ...layers.splice(-1));
    });
  }
  add(middleware);
  // The layer and not its function, which other tools wrap.
  let last = layersOf(stack)?.at(-1);
  stack.use = (...args: unknown[]) => {
    if (args.flat(Number.POSITIVE_INFINITY).some(isErrorHandler)) add(middleware);
    return Reflect.apply(use, stack, args);
  };
  if (typeof handle !== 'function') return;
  stack.handle = (...args: unknown[]) => {
    if (layersOf(stack)?.at(-1) !== last) {
      add(middleware);
      last = layersOf(stack)?.at(-1);
    }
    return Reflect.apply(handle, stack, args);
  };
}

/** The router of Express 5 runs an error handler with this method of its layer, which is instrumented for all layers. */
function keepFromInstrumentation(layer: object): void {
  for (const name of ['handleError', 'handle_error']) {
    const method = readProperty(layer, name);
    const original = withoutInstrumentation(method);
    if (original !== method) replaceMethod(layer, name, original);
  }
}

function isErrorLayer(layer: unknown): boolean {
  return isErrorHandler(readProperty(layer, 'handle'));
}

/** The layers of a router, which an application of Express 4 or 5 has and one of Connect is. */
function layersOf(stack: MiddlewareStack): unknown[] | undefined {
  const router = readProperty(stack, 'router') ?? readProperty(stack, '_router') ?? stack;
  const layers = readProperty(router, 'stack');
  return isArray(layers) ? (layers as unknown[]) : undefined;
}

function isErrorHandler(value: unknown): boolean {
  return typeof value === 'function' && value.length === 4;
}

/** As `finalhandler` decides, which answers what no error handler has answered. */
function answeredStatus(error: unknown, response: ServerResponse): number | undefined {
  const status = readStatus(error);
  if (status !== undefined && status >= 400) return status;
  const { statusCode } = response;
  return statusCode >= 400 ? statusCode : undefined;
}
