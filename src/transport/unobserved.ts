import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';
import { outsideOfRequests } from '../internal/node/outside-of-requests.js';

/** Not derived from the caller's context: requests of the SDK are not part of the application's traces. */
const UNOBSERVED = suppressTracing(ROOT_CONTEXT);

/** Runs code that sends requests, so that no instrumentation creates spans for them or adds headers. */
export function unobserved<T>(send: () => T): T {
  return context.with(UNOBSERVED, send);
}

/**
 * The same, outside of the caller's async context: a kept-alive connection would keep the scopes of the request that used
 * it last in memory, and what the application keeps in its own `AsyncLocalStorage`.
 */
export function unobservedOutside<T>(send: () => T): T {
  return outsideOfRequests.runInAsyncScope(unobserved<T>, undefined, send);
}
