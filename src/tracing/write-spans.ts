import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { stringify } from '../internal/json.js';
import { Normalizer } from '../internal/normalize.js';
import { RecentMap } from '../internal/recent-map.js';
import type { Settings } from '../model/options.js';
import { ATTRIBUTE } from '../model/span-json.js';
import { namesOf, type SensitiveNames } from '../scrubbing/sensitive-names.js';
import { opOfInstrumentation } from './describe/instrumentation.js';
import { statusOf } from './describe/status.js';
import { childSpanJSON, hrTimeToSeconds, originOf, parentSpanIdOf } from './span-to-json.js';

/** What normalization keeps whole. */
const MAX_STRING_LENGTH = 16 * 1024;
const MAX_DESCRIPTION_LENGTH = 4096;
const MAX_LABEL_LENGTH = 200;
/** Normalization starts to cut the attributes of all spans together somewhere above this. */
const MAX_LENGTH = 400 * 1024;

/** Prefixes of attributes that are described, filtered or removed. */
const CONVENTIONS = /^(?:svc|http|url|db|rpc|messaging|faas|net|network|client|server|process)(?:\.|$)/;
const MIN_KEYS = 1000;
const MAX_KEY_LENGTH = 1024;

/** By key of an attribute: how it begins in JSON, for example `,"order.id":`; empty if its value cannot just be written. */
const plainKeys = new RecentMap<string, string>(MIN_KEYS);

/** Strings without these are the same in JSON. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these have to be escaped
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

type Limits = Pick<Settings, 'normalizeDepth' | 'normalizeMaxBreadth'>;

/**
 * The finished spans below a root as the JSON of a list: what `childSpanJSON` and the pipeline make of them, in one step
 * without objects, for transactions that no user code sees.
 *
 * @returns `undefined` if something has to be cut
 */
export function writeSpans(spans: readonly ReadableSpan[], settings: Settings): string | undefined {
  const names = namesOf(settings);
  const list: string[] = [];
  let length = 0;
  for (const span of spans) {
    const written = writePlain(span, settings) ?? writeAny(span, settings, names);
    if (written === undefined || length > MAX_LENGTH) return undefined;
    length += written.length;
    list.push(written);
  }
  // A sum of strings takes three times as much memory while it waits: V8 keeps each of its parts.
  return `[${list.join(',')}]`;
}

/** @returns `undefined` for a span whose attributes or other members have to be looked at */
function writePlain(span: ReadableSpan, { normalizeMaxBreadth }: Limits): string | undefined {
  const { attributes, name, status } = span;
  if (span.kind !== SpanKind.INTERNAL || span.events.length > 0 || span.links.length > 0) return undefined;
  if (name.length > MAX_DESCRIPTION_LENGTH) return undefined;
  const op = attributes[ATTRIBUTE.op] ?? opOfInstrumentation(span);
  const origin = originOf(span);
  let data = attributes[ATTRIBUTE.origin] === undefined ? `,"${ATTRIBUTE.origin}":${quote(origin)}` : '';
  if (op !== undefined && attributes[ATTRIBUTE.op] === undefined) data += `,"${ATTRIBUTE.op}":${quote(op as string)}`;
  let count = 2;
  for (const key in attributes) {
    const value = attributes[key];
    const start = plainKeys.get(key) ?? rememberKey(key);
    count += 1;
    if (start === '' || count > normalizeMaxBreadth) return undefined;
    if (typeof value === 'string') {
      if (value.length > MAX_STRING_LENGTH) return undefined;
      data += start + quote(value);
    } else if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) {
      data += `${start}${value}`;
    } else return undefined;
  }
  if (op !== undefined && !isLabel(op)) return undefined;
  const { traceId, spanId } = span.spanContext();
  const parentSpanId = parentSpanIdOf(span);
  const parent = parentSpanId === undefined ? '' : `"parent_span_id":${quote(parentSpanId)},`;
  const state = status.code === SpanStatusCode.UNSET ? 'ok' : statusOf(span);
  const times = `"start_timestamp":${hrTimeToSeconds(span.startTime)},"timestamp":${hrTimeToSeconds(span.endTime)}`;
  return `{"span_id":${quote(spanId)},${parent}"trace_id":${quote(traceId)},${times},"data":{${data.slice(1)}},"description":${quote(name)},${op === undefined ? '' : `"op":${quote(op as string)},`}"origin":${quote(origin)},"status":"${state}"}`;
}

/** @returns `undefined` if something has to be cut */
function writeAny(
  span: ReadableSpan,
  { normalizeDepth, normalizeMaxBreadth }: Limits,
  names: SensitiveNames,
): string | undefined {
  const json = childSpanJSON(span, names);
  const { data, description = '', op, status } = json;
  const isShort =
    description.length <= MAX_DESCRIPTION_LENGTH && [op, status].every((one) => (one?.length ?? 0) <= MAX_LABEL_LENGTH);
  if (!isShort) return undefined;
  const normalizer = new Normalizer({ maxBreadth: normalizeMaxBreadth, isOwnData: true });
  if (normalizeDepth > 0 && normalizer.normalize(data, normalizeDepth) !== data) return undefined;
  return stringify(json);
}

function rememberKey(key: string): string {
  const isSetByUs = key === ATTRIBUTE.op || key === ATTRIBUTE.origin;
  const isPlain = key.length <= MAX_KEY_LENGTH && (isSetByUs || !CONVENTIONS.test(key));
  const start = isPlain ? `,${stringify(key)}:` : '';
  plainKeys.set(key, start);
  return start;
}

function isLabel(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LABEL_LENGTH;
}

function quote(text: string): string {
  return ESCAPED.test(text) ? stringify(text) : `"${text}"`;
}
