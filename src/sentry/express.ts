import {
  createErrorMiddleware,
  type ErrorMiddleware,
  type MiddlewareArgs,
  type MiddlewareStack,
  setUpMiddleware,
} from '../frameworks/shared/error-middleware.js';
import { lastEventId } from '../index.js';

/** What the peer says of the errors that middleware passes on; other values can be thrown, too. */
export interface MiddlewareError extends Error {
  status?: number | string | undefined;
  statusCode?: number | string | undefined;
  status_code?: number | string | undefined;
  output?: { statusCode?: number | string | undefined } | undefined;
}

export interface ExpressHandlerOptions {
  shouldHandleError?(error: MiddlewareError, ...args: MiddlewareArgs): boolean;
}

/** Express's error handler of the peer, which also sets `response.sentry` to the id of the event. */
export function expressErrorHandler(options?: ExpressHandlerOptions): ErrorMiddleware;
export function expressErrorHandler(
  first?: unknown,
  request?: unknown,
  response?: unknown,
  next?: unknown,
): ErrorMiddleware | undefined {
  // Passed to `app.use` in place of being called: its four parameters make it an error handler itself.
  const isHandler = typeof next === 'function';
  const options = isHandler ? undefined : (first as ExpressHandlerOptions | undefined);
  const handle = createErrorMiddleware('expressErrorHandler', 'auto.middleware.express', options, (eventId, answer) => {
    // An error that was captured before has another id.
    Object.assign(answer, { sentry: lastEventId() ?? eventId });
  });
  if (!isHandler) return handle;
  Reflect.apply(handle, undefined, [first, request, response, next]);
  return undefined;
}

/** `setupExpressErrorHandler` of the root, with the peer's error handler. */
export function setupExpressErrorHandler(app: MiddlewareStack, options?: ExpressHandlerOptions): void;
export function setupExpressErrorHandler(
  app: MiddlewareStack,
  options?: ExpressHandlerOptions,
  _response?: unknown,
  next?: unknown,
): void {
  setUpMiddleware('setupExpressErrorHandler', app, next, () => expressErrorHandler(options));
}
