import { AsyncResource } from 'node:async_hooks';
import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';

/** Not derived from the caller's context: requests of the SDK are not part of the application's traces. */
const UNOBSERVED = suppressTracing(ROOT_CONTEXT);

/** The async context of the code that loaded the SDK. */
const outside = new AsyncResource('FaultlineTransport');

/** Runs code that sends requests, so that no instrumentation creates spans for them or adds headers. */
export function unobserved<T>(send: () => T): T {
  return context.with(UNOBSERVED, send);
}

/**
 * The same, outside of the caller's async context: a kept-alive connection would keep the scopes of the request that used
 * it last in memory, and what the application keeps in its own `AsyncLocalStorage`.
 */
export function unobservedOutside<T>(send: () => T): T {
  return outside.runInAsyncScope(unobserved<T>, undefined, send);
}
