import {
  type Context,
  context as contextApi,
  INVALID_SPAN_CONTEXT,
  type Link,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import { isAttributeValue, isTracingSuppressed, suppressTracing as suppressIn } from '@opentelemetry/core';
import { getInnerClient, getScopes, scopesIn } from '../context/current-scopes.js';
import { isCallback, reportMistake } from '../context/observed/report-mistakes.js';
import { processWide } from '../context/process-wide.js';
import { isolationWithin, startsRequest } from '../context/request/request-isolation.js';
import { withForkedScope, withSpanOfScope } from '../context/scope-span.js';
import { type ScopedContext, spanIn, withScopes } from '../context/scoped-context.js';
import { localRootOf, setLocalRoot } from '../context/trace/find-local-root.js';
import { dscOfSpan, hasExistingSetup, isSpan, isTracingEnabled } from '../context/trace/trace.js';
import { guardOwn, reportOwnFailure } from '../internal/guard.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { describe } from '../internal/values/in-message.js';
import { mergeOwn } from '../internal/values/merge-own.js';
import { readList } from '../internal/values/read.js';
import { ONE_SPAN } from '../model/delivery/outcome.js';
import { ATTRIBUTE, type SpanAttributes, type SpanTimeInput } from '../model/event/span-json.js';
import { Scope } from '../model/scope/scope.js';
import type { Span } from '../model/span.js';
import type { DynamicSamplingContext } from '../model/trace.js';
import { isLink } from './json/span-to-json.js';
import { undecidedParent } from './propagation/incoming-trace.js';
import { getTracer, hasProviderOfApplication } from './setup/tracer.js';
import { completeSpan, readableAttributes, readableLinks } from './spans/manual-span.js';
import { runInSpan } from './spans/run-in-span.js';
import { toOtelTime } from './spans/span-time.js';
import { createUnrecordedSpan, UnrecordedSpan } from './spans/unrecorded-span.js';

/** Name of spans without a valid name. */
const UNNAMED = '<unnamed span>';

/** Options of a new span. */
export interface StartSpanOptions {
  /** What the span does; servers group by it, so it should not contain ids. */
  name: string;
  /** Kind of work, for example `http.client` or `db.query`; the attribute `svc.op` wins. */
  op?: string | undefined;
  /** Set at the start, so that samplers can use them. */
  attributes?: SpanAttributes | undefined;
  /** Related spans that are not its parent. */
  links?: Link[] | undefined;
  /** OTel's kind of the span. @default SpanKind.INTERNAL */
  kind?: SpanKind | undefined;
  /** @default now */
  startTime?: SpanTimeInput | undefined;
  /** Scope to use instead of the current one. Its parent is the span that was active when the scope was forked. */
  scope?: Scope | undefined;
  /** Parent instead of the active span; `null` starts a new trace. */
  parentSpan?: Span | null | undefined;
  /** Creates a non-recording span if there is no parent. */
  onlyIfParent?: boolean | undefined;
  /** Sends the span as its own transaction in the same trace, although it has a parent. */
  forceTransaction?: boolean | undefined;
}

/**
 * Runs the callback in a new, active span, which ends when the callback returns or throws, or when its promise settles.
 * An exception is captured once and rethrown unchanged.
 *
 * @returns the callback's result
 */
export function startSpan<T>(options: StartSpanOptions, callback: (span: Span) => T): T {
  const { span, context, around } = createSpan(options);
  return contextApi.with(context, runInSpan<T>, undefined, span, callback, around, true);
}

/**
 * Like `startSpan`, but the caller ends the span, through `finish` or `span.end()`.
 *
 * @returns the callback's result
 */
export function startSpanManual<T>(options: StartSpanOptions, callback: (span: Span, finish: () => void) => T): T {
  const { span, context, around } = createSpan(options);
  const finish = () => span.end();
  const run = typeof callback === 'function' ? () => callback(span, finish) : callback;
  return contextApi.with(context, runInSpan<T>, undefined, span, run, around, false);
}

/** Starts a span that does not become active; the caller ends it. */
export function startInactiveSpan(options: StartSpanOptions): Span {
  return createSpan(options, true).span;
}

/**
 * The active span; `undefined` if there is none. In `continueTrace`, until a span starts, it is the caller's span, which does
 * not record.
 */
export function getActiveSpan(): Span | undefined {
  return spanIn(contextApi.active());
}

/** Runs the callback with the span active, or with no active span if it is `null`. */
export function withActiveSpan<T>(span: Span | null, callback: (scope: Scope) => T): T {
  if (!isCallback('withActiveSpan', callback)) return undefined as T;
  const active = contextApi.active();
  const { current, isolation } = getScopes();
  const base = span ? active : trace.deleteSpan(active);
  const fork = current.clone();
  return contextApi.with(withForkedScope(base, fork, isolation, span && isSpan(span) ? span : undefined), () =>
    callback(fork),
  );
}

/** Runs the callback without recording spans or sending trace headers. */
export function suppressTracing<T>(callback: () => T): T {
  if (!isCallback('suppressTracing', callback)) return undefined as T;
  return contextApi.with(suppressIn(contextApi.active()), callback);
}

/** Renames a span permanently: later renames by instrumentation are ignored. */
export function updateSpanName(span: Span, name: string): void {
  if (!isSpan(span) || typeof name !== 'string') return;
  if (span instanceof UnrecordedSpan) {
    span.rename(name);
    return;
  }
  span.updateName(name);
  span.setAttributes({ [ATTRIBUTE.source]: 'custom', [ATTRIBUTE.customName]: name });
}

/** The local root of the span; the span itself if it does not record. */
export function getRootSpan(span: Span): Span {
  return (isSpan(span) && localRootOf(span)?.span) || span;
}

/** The dynamic sampling context of a span's trace, as sent to downstream services; empty before `init`. */
export function getDynamicSamplingContextFromSpan(span: Span): DynamicSamplingContext {
  const client = getInnerClient();
  if (!isSpan(span)) return {};
  return (client && dscOfSpan(client, span, contextApi.active())) ?? {};
}

interface CreatedSpan {
  readonly span: Span;
  /** Context in which the span is active. */
  readonly context: Context;
  /** Context in which the span was created. */
  readonly around: Context;
}

/** @param isInactive whether the span uses the current scope itself, because no code runs in a fork of it */
function createSpan(options: StartSpanOptions, isInactive = false): CreatedSpan {
  try {
    return createSpanFrom(options, isInactive);
  } catch (error) {
    reportOwnFailure('reading the options of a span', error);
    const create = () => createSpanFrom(readSpanOptions(options), isInactive);
    return guardOwn('starting a span', create) ?? withoutSpan();
  }
}

/** Used if OTel fails to create a span, for example because the application replaced `Date.now`. */
function withoutSpan(): CreatedSpan {
  const around = contextApi.active();
  return { span: trace.wrapSpanContext(INVALID_SPAN_CONTEXT), context: around, around };
}

/** The valid options; invalid ones are ignored. */
function readSpanOptions(options: unknown): StartSpanOptions {
  const { name, op, attributes, links, kind, startTime, scope, parentSpan, onlyIfParent, forceTransaction } = copyOwn(
    options,
  ) as unknown as StartSpanOptions;
  const values = Object.entries(copyOwn(attributes));
  return {
    name,
    op: typeof op === 'string' ? op : undefined,
    attributes: Object.fromEntries(
      values.filter(([, value]) => guardOwn('an attribute', () => isAttributeValue(value), false)),
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
  const around = contextApi.active();
  const scopes = scopesIn(around);
  const scopeOption = Scope.is(options.scope) ? options.scope : undefined;
  const base = scopeOption ? withSpanOfScope(around, scopeOption, scopes.current) : around;
  const scope = scopeOption ?? (isInactive ? scopes.current : scopes.current.clone());
  const parentContext = parentContextFor(options, base, scope);
  const parent = trace.getSpan(parentContext);
  if (options.onlyIfParent && !parent) return withoutParent(withScopes(parentContext, scope, scopes.isolation), around);
  const span =
    unrecordedSpanFor(options, parent, parentContext, scope) ??
    startWithTracer(options, withScopes(parentContext, scope, scopes.isolation));
  const isolation = isolationWithin(span, scopes.isolation, scopes.current);
  // The scope of an inactive span is the one around it, and its active span stays.
  const context = (scopeOption || isInactive ? withScopes : withForkedScope)(parentContext, scope, isolation, span);
  return { span, context, around };
}

/** A span that no sampler would record, made without asking it; `undefined` if a sampler has to decide. */
function unrecordedSpanFor(
  { kind }: StartSpanOptions,
  parent: Span | undefined,
  context: Context,
  scope: Scope,
): Span | undefined {
  if (parent) {
    return parent instanceof UnrecordedSpan && !isTracingSuppressed(context) ? parent.createChild() : undefined;
  }
  // These begin a request, which the sampler has to see.
  if (startsRequest(kind ?? SpanKind.INTERNAL)) return undefined;
  const client = getInnerClient();
  const isOff = client?.settings.enabled && !isTracingEnabled(client) && !hasExistingSetup(client);
  return isOff && !hasProviderOfApplication() ? createUnrecordedSpan(scope) : undefined;
}

function startWithTracer(options: StartSpanOptions, context: Context): Span {
  const { name, kind, attributes: given, links, op, startTime } = options;
  const tracer = getTracer();
  const attributes = readableAttributes(given);
  const span = tracer.startSpan(
    typeof name === 'string' ? name : nameless(options, name),
    {
      kind: typeof kind === 'number' ? kind : undefined,
      attributes:
        // OTel would read a list of any length to its end.
        typeof op !== 'string' || attributes?.[ATTRIBUTE.op]
          ? attributes
          : mergeOwn(attributes, { [ATTRIBUTE.op]: op }),
      links: links && readableLinks(links),
      startTime: toOtelTime(startTime),
    },
    context,
  );
  if (span.isRecording()) completeSpan(span);
  else processWide().observed.hasUnrecordedSpans = true;
  return span;
}

function nameless(options: unknown, name: unknown): string {
  const found = typeof options === 'string' ? 'is a string' : `the name is ${describe(name)}`;
  reportMistake(
    'startSpan',
    `its first argument must be an object with a name, but ${found}; the span is called ${UNNAMED}`,
  );
  return UNNAMED;
}

function withoutParent(context: ScopedContext, around: Context): CreatedSpan {
  const client = getInnerClient();
  if (client && isTracingEnabled(client)) client.ledger.captureAndDiscard('no_parent_span', ONE_SPAN);
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
 * In an existing OpenTelemetry setup without HTTP instrumentation, only the request's scope knows the incoming trace:
 * the context has no parent, because that would change the setup's own spans.
 */
function withIncomingParent(context: Context, scope: Scope): Context {
  const client = getInnerClient();
  if (!client || !hasExistingSetup(client) || trace.getSpan(context)) return context;
  const propagation = scope.getPropagationContext();
  return propagation.parentSpanId ? trace.setSpanContext(context, undecidedParent(propagation)) : context;
}

/** Marks the parent as remote, as if another service had made its decision. */
function asRemote(parent: Span): Span {
  const remote = trace.wrapSpanContext({ ...parent.spanContext(), isRemote: true });
  const root = localRootOf(parent);
  if (root) setLocalRoot(remote, root);
  return remote;
}
