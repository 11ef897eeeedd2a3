import { setUpApp } from '../frameworks/shared/check-arguments.js';
import {
  addErrorMiddleware,
  createErrorMiddleware,
  type ErrorMiddleware,
  type MiddlewareArgs,
  type MiddlewareStack,
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
export function expressErrorHandler(options?: ExpressHandlerOptions): ErrorMiddleware {
  return createErrorMiddleware('expressErrorHandler', 'auto.middleware.express', options, (eventId, response) => {
    // An error that was captured before has another id.
    Object.assign(response, { sentry: lastEventId() ?? eventId });
  });
}

/** `setupExpressErrorHandler` of the root, with the peer's error handler. */
export function setupExpressErrorHandler(app: MiddlewareStack, options?: ExpressHandlerOptions): void {
  setUpApp('setupExpressErrorHandler', app, ['use'], () => addErrorMiddleware(app, expressErrorHandler(options)));
}
