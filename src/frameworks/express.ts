import {
  createErrorMiddleware,
  type MiddlewareOptions,
  type MiddlewareStack,
  setUpMiddleware,
} from './shared/error-middleware.js';

export type { ErrorMiddleware, MiddlewareArgs, MiddlewareStack } from './shared/error-middleware.js';

/** Options of {@link setupExpressErrorHandler}; `shouldHandleError` also gets the request and the response. */
export type ExpressErrorHandlerOptions = MiddlewareOptions;

/**
 * Captures the errors that reach the error handlers of an Express application (4 or 5) or router, and passes them on.
 * Call it after the routes and before your own error handlers. Those that are there already come first: what they answer with
 * less than 500 is not captured.
 */
export function setupExpressErrorHandler(app: MiddlewareStack, options?: ExpressErrorHandlerOptions): void;
export function setupExpressErrorHandler(
  app: MiddlewareStack,
  options?: ExpressErrorHandlerOptions,
  _response?: unknown,
  next?: unknown,
): void {
  setUpMiddleware('setupExpressErrorHandler', app, next, () =>
    createErrorMiddleware('setupExpressErrorHandler', 'auto.middleware.express', options),
  );
}
