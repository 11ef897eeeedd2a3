import { parseStack } from '../errors/stack.js';
import {
  type HapiErrorHandlerOptions,
  type HapiServer,
  setupHapiErrorHandler as setUpHapi,
} from '../frameworks/hapi.js';
import {
  captureFeedback as captureOwnFeedback,
  type Integration,
  type Scope,
  type StackFrame,
  withScope,
} from '../index.js';
import { guardOwn } from '../internal/guard.js';
import { copyOwn } from '../internal/values/copy-own.js';

const [major, minor, patch] = process.versions.node.split('.').map(Number);

export const NODE_VERSION = { major, minor, patch };

export function defaultStackParser(stack: string): StackFrame[] {
  return typeof stack === 'string' ? parseStack(stack) : [];
}

/** Returns a promise, as the peer's does. */
export async function setupHapiErrorHandler(server: HapiServer, options?: HapiErrorHandlerOptions): Promise<void> {
  setUpHapi(server, options);
}

type FeedbackArgs = Parameters<typeof captureOwnFeedback>;

export function captureFeedback(params: FeedbackArgs[0], hint?: FeedbackArgs[1], scope?: Scope): string {
  return withScope(scope, () => captureOwnFeedback(params, hint));
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
  return guardOwn('headers', () => Object.fromEntries(headers), {});
}

export function httpHeadersToSpanAttributes(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(copyOwn(headers) as typeof headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[`http.request.header.${name.toLowerCase()}`, [value].flat().join(', ')]],
    ),
  );
}
