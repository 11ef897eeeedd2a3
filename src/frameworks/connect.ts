import { setUpApp } from './check-arguments.js';
import {
  addErrorMiddleware,
  createErrorMiddleware,
  type MiddlewareOptions,
  type MiddlewareStack,
} from './error-middleware.js';

export type { ErrorMiddleware, MiddlewareArgs, MiddlewareOptions, MiddlewareStack } from './error-middleware.js';

/** Options of {@link setupConnectErrorHandler}; `shouldHandleError` also gets the request and the response. */
export type ConnectErrorHandlerOptions = MiddlewareOptions;

/**
 * Captures the errors that reach the error handlers of a Connect application, and passes them on.
 * Call it behind the routes and in front of your own error handlers: what a handler has answered goes no further.
 */
export function setupConnectErrorHandler(app: MiddlewareStack, options?: ConnectErrorHandlerOptions): void {
  setUpApp('setupConnectErrorHandler', app, ['use'], () =>
    addErrorMiddleware(app, createErrorMiddleware('auto.middleware.connect', options)),
  );
}
