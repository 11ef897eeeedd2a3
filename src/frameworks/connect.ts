import { setRouteOfRunningRequest } from '../context/request/running-request.js';
import { guardOwn } from '../internal/guard.js';
import { pathOfTarget } from '../internal/request-path.js';
import { isArray, readProperty, readString } from '../internal/values/read.js';
import {
  createErrorMiddleware,
  type MiddlewareOptions,
  type MiddlewareStack,
  setUpMiddleware,
} from './shared/error-middleware.js';
import { mountOf } from './shared/mount-path.js';

export type { ErrorMiddleware, MiddlewareArgs, MiddlewareOptions, MiddlewareStack } from './shared/error-middleware.js';

/** Options of {@link setupConnectErrorHandler}; `shouldHandleError` also gets the request and the response. */
export type ConnectErrorHandlerOptions = MiddlewareOptions;

/**
 * Captures the errors that reach the error handlers of a Connect application, and passes them on. Names requests by the
 * path at which their middleware is mounted.
 * Call it after the routes and before your own error handlers. Those that are there already come first: what they answer with
 * less than 500 is not captured.
 */
export function setupConnectErrorHandler(app: MiddlewareStack, options?: ConnectErrorHandlerOptions): void;
export function setupConnectErrorHandler(
  app: MiddlewareStack,
  options?: ConnectErrorHandlerOptions,
  _response?: unknown,
  next?: unknown,
): void {
  setUpMiddleware('setupConnectErrorHandler', app, next, () => {
    guardOwn('the names of requests', () => nameByMounts(app));
    return createErrorMiddleware('setupConnectErrorHandler', 'auto.middleware.connect', options);
  });
}

function nameByMounts(app: MiddlewareStack): void {
  const { handle } = app;
  if (typeof handle !== 'function') return;
  app.handle = (...args: unknown[]) => {
    const [request] = args;
    const path = pathOf(readString(request, 'url'));
    const outer = mountOf(path, pathOf(readString(request, 'originalUrl')) ?? path);
    // A router that knows more than the mounts has set a route.
    if (path !== undefined && outer !== undefined)
      setRouteOfRunningRequest(() => (readProperty(request, 'route') ? undefined : outer + longestMount(app, path)));
    return Reflect.apply(handle, app, args);
  };
}

function pathOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : pathOfTarget(url);
}

/** The longest path at which Connect would call middleware for the request, which is that of the most specific one. */
function longestMount(app: MiddlewareStack, path: string): string {
  const layers = readProperty(app, 'stack');
  let longest = '';
  for (const layer of isArray(layers) ? layers : []) {
    const route = readString(layer, 'route') ?? '';
    if (route.length > longest.length && isBelow(path, route)) longest = route;
  }
  return longest;
}

function isBelow(path: string, mount: string): boolean {
  const border = path[mount.length];
  const isWhole = border === undefined || border === '/' || border === '.';
  return isWhole && path.slice(0, mount.length).toLowerCase() === mount.toLowerCase();
}
