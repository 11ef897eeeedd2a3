import { setUpApp } from '../frameworks/shared/check-arguments.js';
import {
  addErrorMiddleware,
  createErrorMiddleware,
  type ErrorMiddleware,
  type MiddlewareOptions,
  type MiddlewareStack,
} from '../frameworks/shared/error-middleware.js';
import { lastEventId } from '../index.js';

/** Express's error handler of the peer, which also sets `response.sentry` to the id of the event. */
export function expressErrorHandler(options?: MiddlewareOptions): ErrorMiddleware {
  return createErrorMiddleware('expressErrorHandler', 'auto.middleware.express', options, (eventId, response) => {
    // An error that was captured before has another id.
    Object.assign(response, { sentry: lastEventId() ?? eventId });
  });
}

/** `setupExpressErrorHandler` of the root, with the peer's error handler. */
export function setupExpressErrorHandler(app: MiddlewareStack, options?: MiddlewareOptions): void {
  setUpApp('setupExpressErrorHandler', app, ['use'], () => addErrorMiddleware(app, expressErrorHandler(options)));
}
