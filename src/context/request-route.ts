import { guard } from '../internal/guard.js';
import { isObject } from '../internal/read.js';
import type { Scope } from '../model/scope.js';
import { getIsolationScope } from './current-scopes.js';

/** Reads a request's route, for example `/users/:id`; returns no string while the route is unknown. */
export type ReadRoute = () => unknown;

/** The request in an isolation scope, whose route the framework knows. */
export interface RoutedRequest {
  readRoute: ReadRoute | undefined;
  readonly route: string | undefined;
}

/**
 * Lets the SDK read the route of the running request whenever a name is needed. Called by framework integrations as soon
 * as they see the request; without HTTP server integration it has no effect.
 */
export function setRouteReader(read: ReadRoute): void {
  const request = requestIn(getIsolationScope());
  if (request) request.readRoute = read;
}

/** The route that a framework has matched for the request of an isolation scope, if any. */
export function routeIn(isolation: Scope): string | undefined {
  return requestIn(isolation)?.route;
}

/** Calls a framework's function; never throws. */
export function readRouteWith(read: ReadRoute): string | undefined {
  const route = guard('the route of a request', read, undefined);
  return typeof route === 'string' && route !== '' ? route : undefined;
}

/** The application may have set a request of its own, which has no route. */
function requestIn(isolation: Scope): RoutedRequest | undefined {
  const request = isolation.snapshot().sdkProcessingMetadata['normalizedRequest'];
  return isObject(request) && 'readRoute' in request ? (request as RoutedRequest) : undefined;
}
