import { type Context, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { isPartOfKind } from '../../context/parts.js';
import { isTracingEnabled } from '../../context/trace/trace.js';
import { readProperty } from '../../internal/values/read.js';
import type { Client } from '../../model/contracts.js';
import { httpMethodOf } from '../../tracing/describe/describe-request.js';
import { registeredTracerProvider } from '../../tracing/setup/api-globals.js';

/**
 * Whether an integration makes a span for each request: by default if `init` has set OpenTelemetry up; beside an
 * existing setup, whose exporters would get these spans, only if asked for.
 */
export function makesSpans(client: Client, isWanted: boolean | undefined): boolean {
  if (isWanted === false) return false;
  const { skipOpenTelemetrySetup } = client.settings;
  const isOwnSetup = !skipOpenTelemetrySetup && isPartOfKind(registeredTracerProvider(), 'FaultlineTracerProvider');
  return isOwnSetup ? isTracingEnabled(client) : isWanted === true;
}

/** Whether OTel's instrumentation has wrapped a function of Node. It marks its wrappers. */
export function isInstrumented(fn: unknown): boolean {
  return readProperty(fn, '__wrapped') === true && typeof readProperty(fn, '__original') === 'function';
}

/** Whether the active span already is the running request: some other instrumentation made it. */
export function isRequestSpan(context: Context, kind: SpanKind): boolean {
  const span = trace.getSpan(context) as (Span & Partial<ReadableSpan>) | undefined;
  if (span?.kind !== kind || span.ended) return false;
  const { attributes = {} } = span;
  if (kind === SpanKind.SERVER) return true;
  const isHttp = httpMethodOf({ attributes }) !== undefined;
  // Clients of HTTP-based services (RPC, databases) have their own spans, and the request's span is their child.
  const isService = ['rpc.system', 'rpc.system.name', 'db.system', 'db.system.name', 'messaging.system'].some(
    (key) => attributes[key] !== undefined,
  );
  return isHttp && !isService;
}
