import { type HrTime, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { isSeconds } from '../../internal/clock.js';
import { RecentMap } from '../../internal/collections/recent-map.js';
import { isLiteral, quote, stringify } from '../../internal/values/json.js';
import { MAX_KEY_LENGTH, Normalizer } from '../../internal/values/normalize.js';
import { MAX_STRING_LENGTH } from '../../internal/values/strings.js';
import {
  ATTRIBUTE,
  MAX_DESCRIPTION_LENGTH,
  MAX_DESCRIPTIONS_LENGTH,
  MAX_OP_LENGTH,
  type SpanAttributes,
} from '../../model/event/span-json.js';
import type { Settings } from '../../model/options.js';
import { readSpanId, readTraceId } from '../../model/trace.js';
import { namesOf, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { isFiltered } from '../../scrubbing/span-attributes.js';
import { describePlain } from '../describe/describe-span.js';
import { statusOf } from '../describe/status.js';
import { isBefore, MICROS_PER_SECOND, NANOS_PER_MICRO } from '../spans/span-time.js';
import { childSpanJSON, parentSpanIdOf, spanOriginOf } from './span-to-json.js';

/** About how many characters are written. Normalization allows more, which would take too long in one turn of the event loop. */
const MAX_TOTAL_SIZE = 400 * 1024;

/** Prefixes of attributes from which a span is described. */
const CONVENTIONS =
  /^(?:svc|http|url|db|rpc|messaging|faas|graphql|exception|net|network|client|server|process)(?:\.|$)/;

const MIN_KEYS = 1000;

/** By key: how the attribute begins in JSON; empty if the attribute may be filtered, or describes the span. */
const plainKeys = new RecentMap<string, string>(MIN_KEYS);

interface WrittenSpan {
  readonly text: string;
  readonly descriptionLength: number;
}

/**
 * Writes the finished spans below a root as a JSON list: the same as `childSpanJSON`, normalization and `stringify` make of
 * them, except for the order of members.
 *
 * @returns `undefined` if normalization would cut something
 * @throws as `childSpanJSON`
 */
export function writeSpans(spans: readonly ReadableSpan[], settings: Settings): string | undefined {
  const names = namesOf(settings);
  // Read once: all spans below a root have its trace id.
  const traceId = readTraceId(spans[0]?.spanContext().traceId);
  let list = '';
  let sizeLeft = MAX_TOTAL_SIZE;
  let descriptionsLeft = MAX_DESCRIPTIONS_LENGTH;
  for (const span of spans) {
    const attributes = writePlainAttributes(span, settings.normalizeMaxBreadth);
    const plain = attributes === undefined ? undefined : writePlainSpan(traceId, span, names, attributes);
    const written = plain ?? writeSpan(span, names, settings, sizeLeft);
    if (written === undefined) return undefined;
    sizeLeft -= written.text.length;
    descriptionsLeft -= written.descriptionLength;
    if (sizeLeft < 0 || descriptionsLeft < 0) return undefined;
    list += list === '' ? written.text : `,${written.text}`;
  }
  return `[${list}]`;
}

/**
 * Writes the attributes of a plain span, without its origin and op, each after a comma. A plain span has nothing but a name
 * and attributes that are sent unchanged.
 *
 * @returns `undefined` for other spans
 */
function writePlainAttributes(span: ReadableSpan, maxBreadth: number): string | undefined {
  const { attributes, events, kind, links } = span;
  if (kind !== SpanKind.INTERNAL || events.length > 0 || links.length > 0) return undefined;
  let text = '';
  // Origin and op.
  let count = 2;
  for (const key in attributes) {
    const value = attributes[key];
    if (key === ATTRIBUTE.origin || key === ATTRIBUTE.op) {
      if (typeof value !== 'string' || value === '') return undefined;
      continue;
    }
    const start = plainKeys.get(key) ?? rememberKey(key);
    count += 1;
    if (count > maxBreadth || start === '') return undefined;
    if (typeof value === 'string') {
      if (value.length > MAX_STRING_LENGTH) return undefined;
      text += start + quote(value);
    } else if (typeof value === 'boolean' || Number.isFinite(value)) text += `${start}${value}`;
    else return undefined;
  }
  return text;
}

/**
 * Writes a plain span as `stringify` writes its `childSpanJSON`, in half the time; most of the rest is for the digits of
 * the times.
 *
 * @param traceId the valid trace id of all spans
 * @param attributes as `writePlainAttributes` writes them
 * @returns `undefined` for a span that has to be cut or escaped, with invalid times or ids, or of another trace
 */
function writePlainSpan(
  traceId: string | undefined,
  span: ReadableSpan,
  names: SensitiveNames,
  attributes: string,
): WrittenSpan | undefined {
  const ids = span.spanContext();
  const spanId = readSpanId(ids.spanId);
  const { op = '', description } = describePlain(span, names);
  const parentSpanId = parentSpanIdOf(span) ?? '';
  const origin = spanOriginOf(span);
  const { startTime, endTime } = span;
  const areIdsValid = spanId !== undefined && traceId !== undefined && ids.traceId === traceId;
  const areTimesPlain = isPlainTime(startTime) && isPlainTime(endTime) && !isBefore(endTime, startTime);
  const areLabelsLiteral = isLiteral(description) && isLiteral(op) && isLiteral(origin);
  if (!areIdsValid || !areTimesPlain || !areLabelsLiteral || !hasShortLabels(description, op)) return undefined;
  const identity = `"span_id":"${spanId}","trace_id":"${traceId}"${memberUnlessEmpty('parent_span_id', parentSpanId)}`;
  const times = `"start_timestamp":${writeTime(startTime)},"timestamp":${writeTime(endTime)}`;
  const labels = `"description":"${description}","origin":"${origin}"${memberUnlessEmpty('op', op)}`;
  const data = `"${ATTRIBUTE.origin}":"${origin}"${memberUnlessEmpty(ATTRIBUTE.op, op)}${attributes}`;
  const text = `{${identity},${times},${labels},"status":"${statusOf(span)}","data":{${data}}}`;
  return { text, descriptionLength: description.length };
}

/** @returns `undefined` if normalization would cut something */
function writeSpan(
  span: ReadableSpan,
  names: SensitiveNames,
  settings: Settings,
  maxSize: number,
): WrittenSpan | undefined {
  const json = childSpanJSON(span, names);
  const { description = '', op, data } = json;
  if (!hasShortLabels(description, op) || !isWithinLimits(data, settings, maxSize)) return undefined;
  return { text: stringify(json), descriptionLength: description.length };
}

function memberUnlessEmpty(name: string, value: string): string {
  return value === '' ? '' : `,"${name}":"${value}"`;
}

function hasShortLabels(description: string, op = ''): boolean {
  return description.length <= MAX_DESCRIPTION_LENGTH && op.length <= MAX_OP_LENGTH;
}

function isPlainTime([seconds, nanos]: HrTime): boolean {
  const micros = Math.round(nanos / NANOS_PER_MICRO);
  return Number.isInteger(seconds) && isSeconds(seconds) && micros >= 0 && micros < MICROS_PER_SECOND;
}

/** Unix seconds with six decimals: the number that `hrTimeToSeconds` returns. */
function writeTime([seconds, nanos]: HrTime): string {
  return `${seconds}.${`${Math.round(nanos / NANOS_PER_MICRO)}`.padStart(6, '0')}`;
}

/** @returns how an attribute of this key begins in JSON, if it is plain */
function rememberKey(key: string): string {
  const isPlain = key.length <= MAX_KEY_LENGTH && !CONVENTIONS.test(key) && !isFiltered(key);
  const start = isPlain ? `,${stringify(key)}:` : '';
  plainKeys.set(key, start);
  return start;
}

/** Whether normalization would leave attributes as they are. */
function isWithinLimits(
  data: SpanAttributes,
  { normalizeDepth, normalizeMaxBreadth: maxBreadth }: Settings,
  maxSize: number,
): boolean {
  if (normalizeDepth === 0) return true;
  const normalizer = new Normalizer({ maxBreadth, maxSize, isOwnData: true });
  return normalizer.normalize(data, normalizeDepth) === data;
}
