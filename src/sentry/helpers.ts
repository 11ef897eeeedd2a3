import { parseStack } from '../errors/stack.js';
import { createErrorMiddleware, type ErrorMiddleware, type MiddlewareOptions } from '../frameworks/error-middleware.js';
import type { Integration, StackFrame } from '../index.js';

const [major, minor, patch] = process.versions.node.split('.').map(Number);

export const NODE_VERSION = { major, minor, patch };

export function defaultStackParser(stack: string): StackFrame[] {
  return parseStack(stack);
}

/** The error handler that `setupExpressErrorHandler` adds. */
export function expressErrorHandler(options?: MiddlewareOptions): ErrorMiddleware {
  return createErrorMiddleware('auto.middleware.express', options);
}

/** Spans of requests are made by default integrations. */
export function getAutoPerformanceIntegrations(): Integration[] {
  return [];
}

/** `init` has set OpenTelemetry up. */
export function initOpenTelemetry(_client?: object): void {}

/** `faultline/register` starts the SDK before the application. */
export function preloadOpenTelemetry(_options?: object): void {}

/** `init` has registered the context manager. */
export function setNodeAsyncContextStrategy(): void {}

export function winterCGHeadersToDict(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries(headers);
}

export function httpHeadersToSpanAttributes(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[`http.request.header.${name.toLowerCase()}`, [value].flat().join(', ')]],
    ),
  );
}
