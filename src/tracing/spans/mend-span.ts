import { type Attributes, type HrTime, type SpanContext, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { nowSeconds } from '../../internal/clock.js';
import { guard } from '../../internal/guard.js';
import { stringify } from '../../internal/values/json.js';
import { Normalizer } from '../../internal/values/normalize.js';
import { isArray, isObject, isPlainObject, readList, readProperty, readString } from '../../internal/values/read.js';
import { isSpanId, isTraceId } from '../../model/trace.js';
import { isBefore, toOtelTime } from './span-time.js';

/** Limits of the attributes of a span, an event or a link, which are primitives and lists of primitives. */
const ATTRIBUTE_BOUNDS = { maxBreadth: 1000, maxSize: 64 * 1024, copy: true };
const ATTRIBUTES_DEPTH = 2;
/** Where a mocked clock has no time that servers can parse. */
const EPOCH: HrTime = [0, 0];

/**
 * Copies the readable members of a span with values of a wrong type, or with getters that throw. The application, a span
 * processor or another implementation of OpenTelemetry may have put them there. Optional members that cannot be read are
 * left out. Without a start, as with a date before 1970, a span begins when it ended; without an end, it ends now.
 *
 * @returns `undefined` for a span without valid ids; never throws
 */
export function mendSpan(span: ReadableSpan): ReadableSpan | undefined {
  const context = guard('the ids of a span', () => span.spanContext());
  const ids = readIds(context);
  if (!ids) return undefined;
  const endTime = readTime(readProperty(span, 'endTime'));
  const startTime = readTime(readProperty(span, 'startTime')) ?? endTime ?? toOtelTime(nowSeconds()) ?? EPOCH;
  const name: unknown = readProperty(span, 'name');
  const kind = readProperty(span, 'kind');
  const scope = readProperty(span, 'instrumentationScope') ?? readProperty(span, 'instrumentationLibrary');
  const mended: Partial<ReadableSpan> & { readonly parentSpanId?: string | undefined } = {
    // A name of a wrong type is replaced when the span is described.
    name: name as string,
    kind: typeof kind === 'number' ? kind : SpanKind.INTERNAL,
    spanContext: () => ids,
    parentSpanContext: readIds(readProperty(span, 'parentSpanContext')),
    parentSpanId: readString(span, 'parentSpanId'),
    startTime,
    endTime: endTime && !isBefore(endTime, startTime) ? endTime : startTime,
    ended: readProperty(span, 'ended') !== false,
    status: readSpanStatus(readProperty(span, 'status')),
    attributes: readAttributes(span),
    events: readList(readProperty(span, 'events')).map((event) => ({
      name: readString(event, 'name') ?? '',
      time: readTime(readProperty(event, 'time')) ?? startTime,
      attributes: readAttributes(event),
    })),
    links: readList(readProperty(span, 'links')).flatMap((link) => {
      const linked = readIds(readProperty(link, 'context'));
      return linked ? [{ context: linked, attributes: readAttributes(link) }] : [];
    }),
    resource: { attributes: readAttributes(readProperty(span, 'resource')) } as ReadableSpan['resource'],
    instrumentationScope: { name: readString(scope, 'name') ?? '' },
  };
  return mended as ReadableSpan;
}

function readIds(context: unknown): SpanContext | undefined {
  const traceId = readProperty(context, 'traceId');
  const spanId = readProperty(context, 'spanId');
  if (!isTraceId(traceId) || !isSpanId(spanId)) return undefined;
  const traceFlags = Number(readProperty(context, 'traceFlags') === 1);
  return { traceId, spanId, traceFlags, isRemote: readProperty(context, 'isRemote') === true };
}

/** Spans of OTel have only pairs; numbers would be something else. */
function readTime(time: unknown): HrTime | undefined {
  return isArray(time) ? toOtelTime(time as unknown as HrTime) : undefined;
}

function readSpanStatus(status: unknown): ReadableSpan['status'] {
  const code = readProperty(status, 'code');
  const isKnown = code === SpanStatusCode.OK || code === SpanStatusCode.ERROR;
  return { code: isKnown ? code : SpanStatusCode.UNSET, message: readString(status, 'message') };
}

/** The attributes of a span, an event, a link or a resource. */
function readAttributes(holder: unknown): Attributes {
  const plain = new Normalizer(ATTRIBUTE_BOUNDS).normalize(readProperty(holder, 'attributes'), ATTRIBUTES_DEPTH);
  if (!isPlainObject(plain)) return {};
  for (const key in plain) {
    const value = plain[key];
    if (isObject(value) && !isArray(value)) plain[key] = stringify(value);
  }
  return plain as Attributes;
}
