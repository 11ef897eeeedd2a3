import {
  type Attributes,
  type Context,
  context as contextApi,
  isSpanContextValid,
  propagation,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { getCurrentScope, getInnerClient } from '../../context/current-scopes.js';
import { processWide } from '../../context/process-wide.js';
import { isRemoteSpan, isTracingEnabled } from '../../context/trace/trace.js';
import { guardOwn } from '../../internal/guard.js';
import { readProperty } from '../../internal/values/read.js';
import { SDK_VERSION } from '../../internal/version.js';
import { createPropagationContext } from '../../model/trace.js';

/** The span of one job or invocation. */
export interface RootSpanOptions {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** With names in lower case; a trace in them is continued. */
  readonly headers?: Record<string, string> | undefined;
}

/**
 * Gives a unit of work its own trace. Within `continueTrace`, or a span of instrumentation, it keeps that of its message,
 * whose decision and baggage are in the scope.
 */
export function beginOwnTrace(): void {
  const parent = trace.getSpanContext(contextApi.active());
  if (!parent || !isSpanContextValid(parent)) getCurrentScope().setPropagationContext(createPropagationContext());
}

/**
 * Runs a unit of work in a root span, which becomes a transaction. The callback gets no span when tracing is off, or when
 * instrumentation of the queue or platform has started one already. It ends the span.
 *
 * @param describe may read what users have passed
 */
export function runInRootSpan<T>(describe: () => RootSpanOptions, run: (span: Span | undefined) => T): T {
  const context = guardOwn('the span of a job', () => startRootSpan(describe));
  return context ? contextApi.with(context, run, undefined, trace.getSpan(context)) : run(undefined);
}

function startRootSpan(describe: () => RootSpanOptions): Context | undefined {
  const client = getInnerClient();
  if (!client?.settings.enabled || !isTracingEnabled(client)) return undefined;
  const outer = withoutEndedSpan(contextApi.active());
  const active = trace.getSpan(outer);
  if (active && !isRemoteSpan(active)) return undefined;
  const { name, kind, attributes, headers } = describe();
  const parent = headers ? propagation.extract(outer, headers) : outer;
  const span = trace.getTracer('faultline', SDK_VERSION).startSpan(name, { kind, attributes }, parent);
  if (!span.isRecording()) processWide().observed.hasUnrecordedSpans = true;
  return trace.setSpan(parent, span);
}

/** Timers and queues keep the span in which they were started, for example during the start of the application. */
function withoutEndedSpan(context: Context): Context {
  return readProperty(trace.getSpan(context), 'ended') === true ? trace.deleteSpan(context) : context;
}

export function failSpan(span: Span | undefined): void {
  span?.setStatus({ code: SpanStatusCode.ERROR });
}
