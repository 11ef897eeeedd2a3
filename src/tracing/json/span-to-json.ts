import {
  INVALID_SPANID,
  INVALID_TRACEID,
  isSpanContextValid,
  type Link,
  type Span,
  type SpanStatus,
  SpanStatusCode,
} from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { localRootOf } from '../../context/trace/find-local-root.js';
import { parentOf } from '../../context/trace/span-parent.js';
import { isSampled } from '../../context/trace/trace.js';
import { isSeconds } from '../../internal/clock.js';
import { guardOwn } from '../../internal/guard.js';
import { Normalizer } from '../../internal/values/normalize.js';
import type { TraceContext } from '../../model/event/event.js';
import {
  ATTRIBUTE,
  type Measurements,
  type SpanAttributes,
  type SpanJSON,
  type SpanLinkJSON,
  type SpanOrigin,
} from '../../model/event/span-json.js';
import { isSpanId, isTraceId, readSpanId, toWireId } from '../../model/trace.js';
import type { SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { filterAttributes } from '../../scrubbing/span-attributes.js';
import { describeSpan, type SpanDescription } from '../describe/describe-span.js';
import { originOfInstrumentation } from '../describe/instrumentation.js';
import { statusOf } from '../describe/status.js';
import { rememberedHandlingSpan } from '../spans/nested-server-span.js';
import { hrTimeToSeconds } from '../spans/span-time.js';

const DEFAULT_ORIGIN: SpanOrigin = 'manual';
/** Limits of one link's attributes, which are primitives and lists of primitives. */
const LINK_BOUNDS = { maxBreadth: 100, maxSize: 16 * 1024, copy: true };
const LINK_DEPTH = 2;
const PARENT_IS_REMOTE = 'svc.parent_is_remote';

/**
 * The present state of a span: what was set on it, and nothing inferred. A local root also has its sample rate. A name set
 * with `updateSpanName` wins.
 *
 * @returns without `timestamp` while the span runs; ids alone, with a start of 0, for a span that does not record; never
 *   throws
 */
export function spanToJSON(span: Span): SpanJSON {
  return guardOwn('spanToJSON', () => (isReadable(span) ? liveSpanJSON(span) : idsOf(span)), unknownSpan());
}

/**
 * A finished span below a root, as it is sent in its transaction.
 *
 * @param names of what is filtered
 * @throws for a span with ids or times that servers refuse, and what its getters throw
 */
export function childSpanJSON(span: ReadableSpan, names: SensitiveNames): SpanJSON {
  const { attributes } = span;
  const { op, description, data: inferred } = describeSpan(span, names);
  const origin = spanOriginOf(span);
  // One literal, the known keys first: adding them to a spread copy afterwards takes ten times as long.
  const data: SpanAttributes =
    op === undefined
      ? { [ATTRIBUTE.origin]: origin, ...attributes, ...inferred }
      : { [ATTRIBUTE.origin]: origin, [ATTRIBUTE.op]: op, ...attributes, ...inferred };
  removeInternals(data);
  if (data[ATTRIBUTE.sampleRate] !== undefined) delete data[ATTRIBUTE.sampleRate];
  filterAttributes(data, span.kind, names);

  const json: SpanJSON = timesAndIds(span, data, names);
  checkTimesAndIds(json, json);
  json.description = description;
  json.origin = origin;
  json.status = statusOf(span);
  if (op !== undefined) json.op = op;
  const measurements = measurementsOf(span);
  if (measurements !== undefined) json.measurements = measurements;
  return json;
}

/**
 * The trace context of a transaction: everything about its root span but name and times.
 *
 * @param names of what is filtered
 * @param sampleRate the rate that decided; an attribute of the span wins
 */
export function rootTraceContext(
  span: ReadableSpan,
  { op, source, data: inferred }: SpanDescription,
  names: SensitiveNames,
  sampleRate?: number,
): TraceContext {
  const origin = spanOriginOf(span);
  // One literal: V8 takes several times as long to add the attributes afterwards, and to serialize what comes of it.
  const data: SpanAttributes = {
    [ATTRIBUTE.source]: source,
    [ATTRIBUTE.origin]: origin,
    ...(sampleRate !== undefined && { [ATTRIBUTE.sampleRate]: sampleRate }),
    ...(op !== undefined && { [ATTRIBUTE.op]: op }),
    ...inferred,
    ...span.attributes,
  };
  removeInternals(data);
  filterAttributes(data, span.kind, names);

  const { traceId, spanId } = span.spanContext();
  const context: TraceContext = {
    trace_id: toWireId(traceId),
    span_id: toWireId(spanId),
    origin,
    status: statusOf(span),
    data,
  };
  const parentSpanId = parentSpanIdOf(span);
  if (parentSpanId !== undefined) context.parent_span_id = parentSpanId;
  if (op !== undefined) context.op = op;
  const links = spanLinksOf(span, names);
  if (links !== undefined) context.links = links;
  return context;
}

/**
 * The measurements among the events of a span: those with a unit and a value.
 *
 * @returns by name of the event, the last of a name; `undefined` when there are none
 */
export function measurementsOf(span: Pick<ReadableSpan, 'events'>): Measurements | undefined {
  let measurements: Measurements | undefined;
  for (const { name, attributes } of span.events) {
    const unit = attributes?.[ATTRIBUTE.measurementUnit];
    const value = attributes?.[ATTRIBUTE.measurementValue];
    if (typeof unit !== 'string' || typeof value !== 'number' || !Number.isFinite(value)) continue;
    measurements ??= {};
    measurements[name] = { value, unit };
  }
  return measurements;
}

/**
 * The links of a span; `undefined` when there are none.
 *
 * @param names of what is filtered; without them, nothing is
 */
function spanLinksOf(span: Pick<ReadableSpan, 'links'>, names?: SensitiveNames): SpanLinkJSON[] | undefined {
  const links = span.links.length === 0 ? [] : span.links.filter(isLink).map((link) => linkJSON(link, names));
  return links.length === 0 ? undefined : links;
}

/** Whether a link has valid ids, which OTel does not check. */
export function isLink(link: Link): boolean {
  return guardOwn('a link of a span', () => isSpanContextValid(link.context), false);
}

function linkJSON({ context, attributes }: Link, names: SensitiveNames | undefined): SpanLinkJSON {
  const json: SpanLinkJSON = {
    trace_id: toWireId(context.traceId),
    span_id: toWireId(context.spanId),
    sampled: isSampled(context),
  };
  // A copy: hooks may change what is sent, and other exporters read the span.
  if (attributes !== undefined) {
    json.attributes = new Normalizer(LINK_BOUNDS).normalize(attributes, LINK_DEPTH) as SpanAttributes;
    if (names !== undefined) filterAttributes(json.attributes, undefined, names);
  }
  return json;
}

function liveSpanJSON(span: ReadableSpan): SpanJSON {
  const data = { ...span.attributes } as SpanAttributes;
  const root = localRootOf(span);
  if (root?.span === span && root.decision.sampleRate !== undefined && root.decision.reason !== 'parent')
    data[ATTRIBUTE.sampleRate] ??= root.decision.sampleRate;
  const json = timesAndIds(span, data);
  const customName = span.attributes[ATTRIBUTE.customName];
  json.description = typeof customName === 'string' ? customName : span.name;
  json.origin = originSetOn(span) ?? DEFAULT_ORIGIN;
  const op = span.attributes[ATTRIBUTE.op];
  if (typeof op === 'string') json.op = op;
  const status = liveStatusOf(span.status);
  if (status !== undefined) json.status = status;
  const measurements = measurementsOf(span);
  if (measurements !== undefined) json.measurements = measurements;
  return json;
}

function timesAndIds(span: ReadableSpan, data: SpanAttributes, names?: SensitiveNames): SpanJSON {
  const json = idsOf(span);
  json.start_timestamp = hrTimeToSeconds(span.startTime);
  json.data = data;
  const parentSpanId = parentSpanIdOf(span);
  if (parentSpanId !== undefined) json.parent_span_id = parentSpanId;
  const timestamp = hrTimeToSeconds(span.endTime);
  // OTel's end time is 0 while the span runs; 0 is also a valid time.
  if (span.ended || timestamp !== 0) json.timestamp = timestamp;
  const links = spanLinksOf(span, names);
  if (links !== undefined) json.links = links;
  return json;
}

function idsOf(span: Pick<Span, 'spanContext'>): SpanJSON {
  const { traceId, spanId } = span.spanContext();
  return { span_id: toWireId(spanId), trace_id: toWireId(traceId), start_timestamp: 0, data: {} };
}

function unknownSpan(): SpanJSON {
  return { span_id: INVALID_SPANID, trace_id: INVALID_TRACEID, start_timestamp: 0, data: {} };
}

function liveStatusOf({ code, message }: SpanStatus): string | undefined {
  if (code === SpanStatusCode.UNSET) return undefined;
  return code === SpanStatusCode.OK ? 'ok' : message || 'internal_error';
}

/** What created a span: set on it, known of its instrumentation, or `manual`. */
export function spanOriginOf(span: ReadableSpan): SpanOrigin {
  return originSetOn(span) ?? originOfInstrumentation(span) ?? DEFAULT_ORIGIN;
}

function originSetOn({ attributes }: ReadableSpan): SpanOrigin | undefined {
  const origin = attributes[ATTRIBUTE.origin];
  return typeof origin === 'string' ? (origin as SpanOrigin) : undefined;
}

/** @throws for ids or times for which servers would refuse the whole transaction */
export function checkTimesAndIds(
  { trace_id: traceId, span_id: spanId }: Pick<TraceContext, 'trace_id' | 'span_id'>,
  { start_timestamp: start, timestamp: end }: Pick<SpanJSON, 'start_timestamp' | 'timestamp'>,
): void {
  const isValid = isTraceId(traceId) && isSpanId(spanId) && isSeconds(start) && isSeconds(end) && start <= end;
  if (!isValid) throw new TypeError('the times or the ids of a span are not valid');
}

export function parentSpanIdOf(span: ReadableSpan): string | undefined {
  const parent = parentOf(span);
  return readSpanId((rememberedHandlingSpan(parent)?.spanContext() ?? parent)?.spanId);
}

/** Deletes only what is there: a deletion makes the object slower to read. */
function removeInternals(data: SpanAttributes): void {
  if (data[ATTRIBUTE.customName] !== undefined) delete data[ATTRIBUTE.customName];
  if (data[PARENT_IS_REMOTE] !== undefined) delete data[PARENT_IS_REMOTE];
}

function isReadable(span: Span): span is Span & ReadableSpan {
  const { attributes, startTime, endTime, status } = span as Span & Partial<ReadableSpan>;
  return attributes !== undefined && startTime !== undefined && endTime !== undefined && status !== undefined;
}
