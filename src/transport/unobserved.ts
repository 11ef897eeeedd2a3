import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';

/**
 * Not derived from the caller's context: requests of the SDK are not part of the application's traces, and a kept-alive
 * connection would keep that context in memory.
 */
const UNOBSERVED = suppressTracing(ROOT_CONTEXT);

/** Runs code that sends requests, so that no instrumentation creates spans for them or adds headers. */
export function unobserved<T>(send: () => T): T {
  return context.with(UNOBSERVED, send);
}
