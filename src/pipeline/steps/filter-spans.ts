import { types } from 'node:util';
import { askUserCode } from '../../context/observed/report-hook.js';
import { createLogger } from '../../internal/diag.js';
import { guardOwn } from '../../internal/guard.js';
import { matchesAny } from '../../internal/options/match.js';
import { describeUnlessObject } from '../../internal/values/built-in.js';
import { Discard } from '../../model/delivery/outcome.js';
import type { Event } from '../../model/event/event.js';
import type { SpanAttributes, SpanJSON, SpanOrigin } from '../../model/event/span-json.js';
import type { Settings, SpanMatcher, StringMatcher } from '../../model/options.js';
import { sanitizeForSending } from '../sanitize/sanitize-event.js';
import type { Step } from '../step.js';
import { withCustomSource } from './note-renaming.js';

const log = createLogger('pipeline');

const SPAN_HOOK_DUTY = {
  consequence: 'the span was discarded, as is every span for which this happens. It must return the span',
  findProblem(result: unknown): string | undefined {
    const found = describeUnlessObject(result);
    return found && `must return a span, but returned ${found}`;
  },
};

/**
 * Filters and changes individual spans: `ignoreSpans` removes spans and moves their children up to the parent, then
 * `beforeSendSpan` may change each remaining span. A transaction without its root span is discarded.
 */
export function createFilterSpans(settings: Settings): Step | undefined {
  const { ignoreSpans, beforeSendSpan } = settings;
  if (ignoreSpans.length === 0 && !beforeSendSpan) return undefined;
  const isIgnored = (span: SpanJSON) =>
    guardOwn('ignoreSpans', () => ignoreSpans.some((matcher) => matchesSpan(span, matcher)), false);
  const change = beforeSendSpan && createChange(beforeSendSpan, settings);
  return (event, context) => {
    if (event.type !== 'transaction') return event;
    const root = rootOf(event);
    if (isIgnored(root)) return new Discard('before_send', 'ignoreSpans matches the root span');
    const spans = event.spans && removeSpans(event.spans, isIgnored);
    if (!change) return spans === event.spans ? event : { ...event, spans };
    const changedRoot = change(root);
    if (!changedRoot) return new Discard('before_send', 'beforeSendSpan failed for the root span');
    const failed = new Set<SpanJSON>();
    const changed = spans?.map((span) => {
      const own = change(span);
      if (!own) failed.add(span);
      return own ?? span;
    });
    const kept = changed && removeSpans(changed, (span) => failed.has(span));
    return sanitizeForSending({ ...withRootSpan(event, changedRoot), spans: kept }, context);
  };
}

/** @returns the same list if no span was removed */
function removeSpans(spans: SpanJSON[], isRemoved: (span: SpanJSON) => boolean): SpanJSON[] {
  const parentOfRemoved = new Map<string, string | undefined>();
  for (const span of spans) {
    if (isRemoved(span)) parentOfRemoved.set(span.span_id, span.parent_span_id);
  }
  if (parentOfRemoved.size === 0) return spans;
  return spans.flatMap((span) => {
    if (parentOfRemoved.has(span.span_id)) return [];
    const parent = nearestKept(span.parent_span_id, parentOfRemoved);
    return parent === span.parent_span_id ? [span] : [{ ...span, parent_span_id: parent }];
  });
}

function nearestKept(
  id: string | undefined,
  parentOfRemoved: ReadonlyMap<string, string | undefined>,
): string | undefined {
  let current = id;
  for (let steps = 0; current !== undefined && parentOfRemoved.has(current) && steps <= parentOfRemoved.size; steps++) {
    current = parentOfRemoved.get(current);
  }
  return current;
}

function matchesSpan(span: SpanJSON, matcher: SpanMatcher): boolean {
  if (typeof matcher === 'string' || types.isRegExp(matcher)) return matchesString(span.description, matcher);
  const { name, op, attributes } = matcher;
  if (name === undefined && op === undefined && attributes === undefined) return false;
  return (
    (name === undefined || matchesString(span.description, name)) &&
    (op === undefined || matchesString(span.op, op)) &&
    Object.entries(attributes ?? {}).every(([key, value]) => matchesValue(span.data[key], value))
  );
}

function matchesString(value: unknown, matcher: StringMatcher): boolean {
  return typeof value === 'string' && matchesAny(value, [matcher]);
}

function matchesValue(value: unknown, expected: unknown): boolean {
  if (types.isRegExp(expected) || typeof value === 'string') return matchesString(value, expected as StringMatcher);
  return value === expected;
}

type Change = (span: SpanJSON) => SpanJSON | undefined;

/**
 * `null` keeps the span, because `ignoreSpans` removes spans. If the hook fails, the span is dropped: it was not
 * checked.
 */
function createChange(hook: (span: SpanJSON) => unknown, settings: Settings): Change {
  let hasWarned = false;
  return (span) => {
    const result = askUserCode('beforeSendSpan', () => hook(span), SPAN_HOOK_DUTY, settings);
    if (result !== null) return result as SpanJSON | undefined;
    if (!hasWarned) log.warn('beforeSendSpan: null does not drop a span; use ignoreSpans to do so');
    hasWarned = true;
    return span;
  };
}

/** Builds the `SpanJSON` of the root span, whose members are spread over its transaction. */
function rootOf(event: Event): SpanJSON {
  const { trace_id = '', span_id = '', parent_span_id, op, origin, status, data = {} } = event.contexts?.trace ?? {};
  return {
    data: data as SpanAttributes,
    description: event.transaction,
    op,
    parent_span_id,
    span_id,
    start_timestamp: event.start_timestamp ?? 0,
    status,
    timestamp: event.timestamp,
    trace_id,
    origin: origin as SpanOrigin,
    measurements: event.measurements,
    is_segment: true,
  };
}

function withRootSpan(event: Event, { description, op, status, origin, data, measurements }: SpanJSON): Event {
  const trace = { ...event.contexts?.trace, op, status, origin, data };
  const changed = { ...event, transaction: description, measurements, contexts: { ...event.contexts, trace } };
  return withCustomSource(changed, event.transaction);
}
