import { type Context, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { isPartOfKind } from '../../context/parts.js';
import { isTracingEnabled } from '../../context/trace/trace.js';
import { guardOwn } from '../../internal/guard.js';
import { readProperty } from '../../internal/values/read.js';
import type { Client } from '../../model/contracts.js';
import { httpMethodOf } from '../../tracing/describe/attribute-text.js';
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

/** Wrappers by other tools around that of OTel's instrumentation, at most. */
const MAX_WRAPPERS = 20;
/** In the source of the instrumentation's wrappers, also where it is minified: they log it. */
const NAME_IN_WRAPPER = /(?:incoming|outgoing)(?:Get)?Request/;
const instrumented = new WeakMap<object, boolean>();

/**
 * Whether OTel's instrumentation has wrapped a function of Node. Other tools that make no spans, such as the metrics of pm2,
 * mark their wrappers in the same way, and may stand around it.
 */
export function isInstrumented(fn: unknown): boolean {
  if (typeof fn !== 'function' || readProperty(fn, '__wrapped') !== true) return false;
  let isOne = instrumented.get(fn);
  if (isOne === undefined) {
    isOne = guardOwn('a wrapper of node:http', () => isWrapperOfInstrumentation(fn), true);
    instrumented.set(fn, isOne);
  }
  return isOne;
}

function isWrapperOfInstrumentation(fn: unknown): boolean {
  let wrapper = fn;
  for (let depth = 0; depth < MAX_WRAPPERS && readProperty(wrapper, '__wrapped') === true; depth++) {
    if (NAME_IN_WRAPPER.test(Function.prototype.toString.call(wrapper))) return true;
    wrapper = readProperty(wrapper, '__original');
  }
  return false;
}

/** Clients of HTTP-based services (RPC, databases) have their own spans, and the request's span is their child. */
const SERVICE_ATTRIBUTES = ['rpc.system', 'rpc.system.name', 'db.system', 'db.system.name', 'messaging.system'];

/** Whether the active span already is the running request: some other instrumentation made it. */
export function isRequestSpan(context: Context, kind: SpanKind): boolean {
  const span = trace.getSpan(context) as (Span & Partial<ReadableSpan>) | undefined;
  if (span?.kind !== kind || span.ended) return false;
  if (kind === SpanKind.SERVER) return true;
  const { attributes = {} } = span;
  return httpMethodOf({ attributes }) !== undefined && SERVICE_ATTRIBUTES.every((key) => attributes[key] === undefined);
}
