import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';

/**
 * Not the caller's context: requests of the SDK have no part in the host's traces, and a connection that is kept would
 * keep that context with it.
 */
const UNOBSERVED = suppressTracing(ROOT_CONTEXT);

/** Runs what sends, so that no instrumentation makes a span of it or adds headers. */
export function unobserved<T>(send: () => T): T {
  return context.with(UNOBSERVED, send);
}
