import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { RecentMap } from '../../internal/collections/recent-map.js';
import { quote, stringify } from '../../internal/values/json.js';
import { MAX_KEY_LENGTH, Normalizer } from '../../internal/values/normalize.js';
import { MAX_STRING_LENGTH } from '../../internal/values/strings.js';
import { ATTRIBUTE, MAX_DESCRIPTION_LENGTH, MAX_OP_LENGTH, type SpanAttributes } from '../../model/event/span-json.js';
import type { Settings } from '../../model/options.js';
import { namesOf, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { filterName } from '../describe/describe-span.js';
import { opOfInstrumentation } from '../describe/instrumentation.js';
import { statusOf } from '../describe/status.js';
import { childSpanJSON, hrTimeToSeconds, originOf, parentSpanIdOf } from './span-to-json.js';

/** Normalization limits the attributes of all spans together; those of spans of this length are well below that limit. */
const MAX_TOTAL_LENGTH = 400 * 1024;

/** Prefixes of attributes from which a span is described, or which are filtered. */
const CONVENTIONS =
  /^(?:svc|http|url|db|rpc|messaging|faas|graphql|exception|net|network|client|server|process)(?:\.|$)/;

const MIN_KEYS = 1000;

/** By key of an attribute, for example `,"order.id":`; empty for a key whose value may have to be changed. */
const keysInJson = new RecentMap<string, string>(MIN_KEYS);

/**
 * Writes the finished spans below a root as a JSON list, in one step and without an object for each: the same as
 * `childSpanJSON`, normalization and `stringify` make of them, except for the order of members.
 *
 * @returns `undefined` if normalization would cut something
 */
export function writeSpans(spans: readonly ReadableSpan[], settings: Settings): string | undefined {
  const names = namesOf(settings);
  const list: string[] = [];
  let length = 0;
  for (const span of spans) {
    const json = writePlain(span, settings, names) ?? writeDescribed(span, settings, names);
    if (json === undefined || length > MAX_TOTAL_LENGTH) return undefined;
    length += json.length;
    list.push(json);
  }
  // Joined, because the list may wait: V8 keeps the parts of a concatenation, which takes three times the memory.
  return `[${list.join(',')}]`;
}

/** @returns `undefined` for a span that has more than a name and attributes that stay as they are */
function writePlain(span: ReadableSpan, { normalizeMaxBreadth }: Settings, names: SensitiveNames): string | undefined {
  const { attributes, events, kind, links, name } = span;
  if (kind !== SpanKind.INTERNAL || events.length > 0 || links.length > 0) return undefined;
  const op = attributes[ATTRIBUTE.op] ?? opOfInstrumentation(span);
  if (name.length > MAX_DESCRIPTION_LENGTH || !isLabel(op)) return undefined;
  const origin = originOf(span);
  const inferred =
    (attributes[ATTRIBUTE.origin] === undefined ? member(ATTRIBUTE.origin, origin) : '') +
    (attributes[ATTRIBUTE.op] === undefined ? member(ATTRIBUTE.op, op) : '');
  const data = writeAttributes(attributes, inferred, normalizeMaxBreadth);
  if (data === undefined) return undefined;
  const { traceId, spanId } = span.spanContext();
  return (
    `{"span_id":${quote(spanId)},"trace_id":${quote(traceId)}${member('parent_span_id', parentSpanIdOf(span))}` +
    `,"start_timestamp":${hrTimeToSeconds(span.startTime)},"timestamp":${hrTimeToSeconds(span.endTime)}` +
    `,"description":${quote(filterName(name, names))}${member('op', op)},"origin":${quote(origin)},"status":"${statusOf(span)}"` +
    `,"data":{${data.slice(1)}}}`
  );
}

/** Adds members to those for origin and op. @returns `undefined` if one of the values may have to be changed */
function writeAttributes(attributes: Attributes, inferred: string, maxBreadth: number): string | undefined {
  let members = inferred;
  let count = 2;
  for (const key in attributes) {
    const value = attributes[key];
    const keyInJson = keysInJson.get(key) ?? rememberKey(key);
    count += 1;
    if (keyInJson === '' || count > maxBreadth) return undefined;
    if (typeof value === 'string') {
      if (value.length > MAX_STRING_LENGTH) return undefined;
      members += keyInJson + quote(value);
    } else if (typeof value === 'boolean' || Number.isFinite(value)) {
      members += keyInJson + value;
    } else return undefined;
  }
  return members;
}

function rememberKey(key: string): string {
  const isOwn = key === ATTRIBUTE.op || key === ATTRIBUTE.origin;
  const isPlain = isOwn || (key.length <= MAX_KEY_LENGTH && !CONVENTIONS.test(key));
  const keyInJson = isPlain ? `,${quote(key)}:` : '';
  keysInJson.set(key, keyInJson);
  return keyInJson;
}

/** Any span, through its object. @returns `undefined` if something has to be cut */
function writeDescribed(span: ReadableSpan, settings: Settings, names: SensitiveNames): string | undefined {
  const json = childSpanJSON(span, names);
  const { data, description = '', op = '', status = '' } = json;
  if (description.length > MAX_DESCRIPTION_LENGTH) return undefined;
  if (op.length > MAX_OP_LENGTH || status.length > MAX_OP_LENGTH) return undefined;
  return isWithinLimits(data, settings) ? stringify(json) : undefined;
}

function isWithinLimits(data: SpanAttributes, { normalizeDepth, normalizeMaxBreadth: maxBreadth }: Settings): boolean {
  return (
    normalizeDepth === 0 || new Normalizer({ maxBreadth, isOwnData: true }).normalize(data, normalizeDepth) === data
  );
}

function isLabel(op: unknown): op is string | undefined {
  return op === undefined || (typeof op === 'string' && op !== '' && op.length <= MAX_OP_LENGTH);
}

/** A member of a JSON object after another one; empty if it is `undefined`. */
function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${quote(value)}`;
}
