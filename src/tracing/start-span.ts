import {
  type Context,
  context as contextApi,
  INVALID_SPAN_CONTEXT,
  type Link,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { isAttributeValue, suppressTracing as suppressIn } from '@opentelemetry/core';
import { getInnerClient, getScopes } from '../context/current-scopes.js';
import { localRootOf, setLocalRoot } from '../context/find-local-root.js';
import { isolationWithin, startsRequest } from '../context/request-isolation.js';
import { withForkedScope, withSpanOfScope } from '../context/scope-span.js';
import { ScopedContext, scopesOf, withScopes } from '../context/scoped-context.js';
import { noteThrown } from '../context/thrown-primitives.js';
import { dscOfSpan, hasHostSetup, isSpan, isTracingEnabled } from '../context/trace.js';
import { copyOwn, guard, isThenable, reportFailure } from '../internal/guard.js';
import { createSpanId } from '../internal/ids.js';
import { readList } from '../internal/read.js';
import { SDK_VERSION } from '../internal/version.js';
import { Scope } from '../model/scope.js';
import type { Span } from '../model/span.js';
import { ATTRIBUTE, type SpanAttributes, type SpanTimeInput } from '../model/span-json.js';
import type { DynamicSamplingContext } from '../model/trace.js';
import { completeSpan } from './manual-span.js';
import { undecidedParent } from './propagator.js';
import { toOtelTime } from './span-time.js';
import { isLink } from './span-to-json.js';
import { isStackOverflow, runWithRoom } from './stack-overflow.js';

/** Of spans whose name is none. */
const UNNAMED = '<unnamed span>';

/** What a span is to be. */
export interface StartSpanOptions {
  /** What is done; servers group by it, so that it should not hold ids. */
  name: string;
  /** Kind of work, for example `http.client` or `db.query`; the attribute `svc.op` wins. */
  op?: string | undefined;
  /** Known from the start, so that samplers can decide by them. */
  attributes?: SpanAttributes | undefined;
  /** Spans that this one has to do with, other than as a child. */
  links?: Link[] | undefined;
  /** OTel's role of the span in a call. @default SpanKind.INTERNAL */
  kind?: SpanKind | undefined;
  /** @default now */
  startTime?: SpanTimeInput | undefined;
  /** Scope to use instead of the current one. The span that was active where it was forked is the parent. */
  scope?: Scope | undefined;
  /** Parent instead of the active span; `null` starts a new trace. */
  parentSpan?: Span | null | undefined;
  /** Makes a span that records only where there is a parent. */
  onlyIfParent?: boolean | undefined;
  /** Makes a transaction of its own, in the same trace, although there is a parent. */
  forceTransaction?: boolean | undefined;
}

/**
 * Runs the callback in a new, active span, which ends when the callback has: when it returns, throws, or when the
 * promise that it returns settles. What it throws is captured once, and thrown on unchanged.
 *
 * @returns what the callback returns
 */
export function startSpan<T>(options: StartSpanOptions, callback: (span: Span) => T): T {
  const { span, context, around } = createSpan(options);
  return contextApi.with(context, runInSpan<T>, undefined, span, callback, around, true);
}

/**
 * As `startSpan`, but the span ends when the caller says so, through `finish` or `span.end()`.
 *
 * @returns what the callback returns
 */
export function startSpanManual<T>(options: StartSpanOptions, callback: (span: Span, finish: () => void) => T): T {
  const { span, context, around } = createSpan(options);
  const finish = () => span.end();
  const run = typeof callback === 'function' ? () => callback(span, finish) : callback;
  return contextApi.with(context, runInSpan<T>, undefined, span, run, around, false);
}

/** Starts a span that never becomes active by itself; the caller ends it. */
export function startInactiveSpan(options: StartSpanOptions): Span {
  return createSpan(options, true).span;
}

/** The span in whose work the caller runs; `undefined` where there is none in this process. */
export function getActiveSpan(): Span | undefined {
  return trace.getActiveSpan();
}

/** Runs the callback with the given span active, or, with `null`, with none. */
export function withActiveSpan<T>(span: Span | null, callback: (scope: Scope) => T): T {
  if (typeof callback !== 'function') return undefined as T;
  const active = contextApi.active();
  const { current, isolation } = scopesOf(active) ?? getScopes();
  if (span && !isSpan(span)) return contextApi.with(active, () => callback(current));
  const base = span ? trace.setSpan(baseOf(active), span) : trace.deleteSpan(baseOf(active));
  const fork = current.clone();
  return contextApi.with(withForkedScope(base, fork, isolation), () => callback(fork));
}

/** Runs the callback without recording spans or sending trace headers. */
export function suppressTracing<T>(callback: () => T): T {
  if (typeof callback !== 'function') return undefined as T;
  return contextApi.with(suppressIn(contextApi.active()), callback);
}

/** Renames a span for good: instrumentation that renames it later does not win. */
export function updateSpanName(span: Span, name: string): void {
  if (!isSpan(span) || typeof name !== 'string') return;
  span.updateName(name);
  span.setAttributes({ [ATTRIBUTE.source]: 'custom', [ATTRIBUTE.customName]: name });
}

/** The first span of the trace in this process; the span itself where it does not record. */
export function getRootSpan(span: Span): Span {
  return (isSpan(span) && localRootOf(span)?.span) || span;
}

/** The dynamic sampling context of a span's trace, as services downstream get it; empty before `init`. */
export function getDynamicSamplingContextFromSpan(span: Span): DynamicSamplingContext {
  const client = getInnerClient();
  if (!isSpan(span)) return {};
  return (client && dscOfSpan(client, span, contextApi.active())) ?? {};
}

interface CreatedSpan {
  readonly span: Span;
  /** With the span active. */
  readonly context: Context;
  /** In which it was created. */
  readonly around: Context;
}

/** @param isInactive whether the span takes the current scope itself, as no code runs in a fork of it */
function createSpan(options: StartSpanOptions, isInactive = false): CreatedSpan {
  try {
    return createSpanFrom(options, isInactive);
  } catch (error) {
    reportFailure('reading the options of a span', error);
    return createSpanFrom(readOptions(options), isInactive);
  }
}

/** The options as far as they can be understood. */
function readOptions(options: unknown): StartSpanOptions {
  const { name, op, attributes, links, kind, startTime, scope, parentSpan, onlyIfParent, forceTransaction } = copyOwn(
    options,
  ) as unknown as StartSpanOptions;
  const values = Object.entries(copyOwn(attributes));
  return {
    name,
    op: typeof op === 'string' ? op : undefined,
    attributes: Object.fromEntries(
      values.filter(([, value]) => guard('an attribute', () => isAttributeValue(value), false)),
    ),
    links: (readList(links) as Link[]).filter(isLink).map(({ context }) => ({ context })),
    kind: typeof kind === 'number' ? kind : undefined,
    startTime,
    scope,
    parentSpan: parentSpan === null || isSpan(parentSpan) ? parentSpan : undefined,
    onlyIfParent: onlyIfParent === true,
    forceTransaction: forceTransaction === true,
  } as StartSpanOptions;
}

function createSpanFrom(options: StartSpanOptions, isInactive: boolean): CreatedSpan {
  const active = contextApi.active();
  const scopes = scopesOf(active) ?? getScopes();
  const given = Scope.is(options.scope) ? options.scope : undefined;
  const base = given ? withSpanOfScope(baseOf(active), given, scopes.current) : baseOf(active);
  const scope = given ?? (isInactive ? scopes.current : scopes.current.clone());
  const parentContext = withScopes(parentContextFor(options, base, scope), scope, scopes.isolation);
  if (options.onlyIfParent && !trace.getSpan(parentContext)) return withoutParent(parentContext, active);
  const { name, kind, attributes, links, op, startTime } = options;
  const isOff = !startsRequest(kind ?? SpanKind.INTERNAL) && isTracingOff(parentContext);
  const span = isOff
    ? createUnrecordedSpan(scope)
    : getTracer().startSpan(
        typeof name === 'string' ? name : UNNAMED,
        {
          kind: typeof kind === 'number' ? kind : undefined,
          attributes:
            op === undefined || attributes?.[ATTRIBUTE.op] ? attributes : { ...attributes, [ATTRIBUTE.op]: op },
          links,
          startTime: toOtelTime(startTime),
        },
        parentContext,
      );
  if (span.isRecording()) completeSpan(span);
  const isolation = isolationWithin(span, scopes.isolation);
  const inSpan = trace.setSpan(parentContext.base, span);
  const context = given ? withScopes(inSpan, scope, isolation) : withForkedScope(inSpan, scope, isolation);
  return { span, context, around: active };
}

/** Whether a span in the context would not record, whatever anybody decides, and begins no trace of OpenTelemetry's. */
function isTracingOff(context: Context): boolean {
  if (trace.getSpan(context)) return false;
  const client = getInnerClient();
  return client?.settings.enabled === true && !isTracingEnabled(client) && !hasHostSetup(client);
}

/** A span that does not record, in the trace that errors around it are in. */
function createUnrecordedSpan(scope: Scope): Span {
  const propagation = scope.getPropagationContext();
  propagation.spanId ??= createSpanId();
  const { traceId, spanId } = propagation;
  return trace.wrapSpanContext({ traceId, spanId, traceFlags: TraceFlags.NONE });
}

let tracer: Tracer | undefined;
let tracerOf: TracerProvider | undefined;

/** Looked up once per provider: a look-up makes a key and is paid for by every span. */
function getTracer(): Tracer {
  const provider = trace.getTracerProvider();
  if (!tracer || provider !== tracerOf) {
    tracer = provider.getTracer('faultline', SDK_VERSION);
    tracerOf = provider;
  }
  return tracer;
}

function withoutParent(context: ScopedContext, around: Context): CreatedSpan {
  const client = getInnerClient();
  if (client && isTracingEnabled(client)) client.ledger.captureAndDiscard('no_parent_span', [['span', 1]]);
  return { span: trace.wrapSpanContext(INVALID_SPAN_CONTEXT), context, around };
}

function parentContextFor({ parentSpan, forceTransaction }: StartSpanOptions, base: Context, scope: Scope): Context {
  const context =
    parentSpan === undefined
      ? withIncomingParent(base, scope)
      : parentSpan === null
        ? trace.deleteSpan(base)
        : trace.setSpan(base, parentSpan);
  const parent = forceTransaction ? trace.getSpan(context) : undefined;
  return parent ? trace.setSpan(context, asRemote(parent)) : context;
}

/**
 * Beside an existing setup without HTTP instrumentation, only the scope of a request knows the trace that came in: the
 * context holds no parent, because that would change the spans of the setup.
 */
function withIncomingParent(context: Context, scope: Scope): Context {
  const client = getInnerClient();
  if (!client || !hasHostSetup(client) || trace.getSpan(context)) return context;
  const propagation = scope.getPropagationContext();
  return propagation.parentSpanId ? trace.setSpanContext(context, undecidedParent(propagation)) : context;
}

/** The parent as if it were one of another service, which has told us of its decision. */
function asRemote(parent: Span): Span {
  const remote = trace.wrapSpanContext({ ...parent.spanContext(), isRemote: true });
  const root = localRootOf(parent);
  if (root) setLocalRoot(remote, root);
  return remote;
}

function baseOf(context: Context): Context {
  return context instanceof ScopedContext ? context.base : context;
}

function runInSpan<T>(span: Span, callback: (span: Span) => T, around: Context, endWhenDone: boolean): T {
  let result: T;
  try {
    result = typeof callback === 'function' ? callback(span) : (undefined as T);
  } catch (error) {
    failSafely(span, error, around, endWhenDone);
    throw error;
  }
  if (isThenable(result)) return awaitInSpan(span, result, around, endWhenDone) as T;
  if (endWhenDone) span.end();
  return result;
}

/** The promise returned stands in for the callback's own, so that one nobody handles is still reported as such. */
function awaitInSpan(
  span: Span,
  pending: PromiseLike<unknown>,
  around: Context,
  endWhenDone: boolean,
): PromiseLike<unknown> {
  const resolve = (value: unknown) => {
    if (endWhenDone) span.end();
    return value;
  };
  const reject = (error: unknown) => {
    fail(span, error, around, endWhenDone);
    throw error;
  };
  return thenOf(pending, resolve, reject);
}

/** If `then` throws, the caller gets the promise that its callback returned. */
function thenOf(
  pending: PromiseLike<unknown>,
  resolve: (value: unknown) => unknown,
  reject: (error: unknown) => never,
): PromiseLike<unknown> {
  try {
    return pending.then(resolve, reject);
  } catch (error) {
    reportFailure('then of what a callback returned', error);
    resolve(undefined);
    return pending;
  }
}

/** Never throws: at the end of the stack, too, the caller gets its own error. */
function failSafely(span: Span, error: unknown, around: Context, endWhenDone: boolean): void {
  try {
    const run = () => fail(span, error, around, endWhenDone);
    if (isStackOverflow(error)) runWithRoom(contextApi.bind(contextApi.active(), run));
    else run();
  } catch {
    // There is no room for anything; a span further up captures the error.
  }
}

function fail(span: Span, error: unknown, around: Context, endWhenDone: boolean): void {
  if (span.isRecording() && isStatusUnset(span)) span.setStatus({ code: SpanStatusCode.ERROR });
  const client = getInnerClient();
  if (client?.settings.captureSpanErrors) {
    client.captureException(error, { mechanism: { type: 'auto.function.start_span', handled: false } });
    noteThrown(error, span, trace.getSpan(around));
  }
  if (endWhenDone) span.end();
}

function isStatusUnset(span: Span): boolean {
  return (span as { status?: { code: SpanStatusCode } }).status?.code === SpanStatusCode.UNSET;
}
