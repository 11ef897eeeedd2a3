import { SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { RecentMap } from '../../internal/collections/recent-map.js';
import { stringify } from '../../internal/values/json.js';
import { MAX_KEY_LENGTH, Normalizer } from '../../internal/values/normalize.js';
import { MAX_STRING_LENGTH } from '../../internal/values/strings.js';
import {
  ATTRIBUTE,
  MAX_DESCRIPTION_LENGTH,
  MAX_DESCRIPTIONS_LENGTH,
  MAX_OP_LENGTH,
  type SpanAttributes,
  type SpanJSON,
} from '../../model/event/span-json.js';
import type { Settings } from '../../model/options.js';
import { namesOf, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { isFiltered } from '../../scrubbing/span-attributes.js';
import { describePlain } from '../describe/describe-span.js';
import { statusOf } from '../describe/status.js';
import { childSpanJSON, hrTimeToSeconds, originOf, parentSpanIdOf } from './span-to-json.js';

/** Characters of all spans together, about. Normalization limits their attributes to more; writing more takes long in one turn. */
const MAX_TOTAL_SIZE = 400 * 1024;
/** Ids, times and labels of a span, with the names of their members. */
const SPAN_SIZE = 250;
/** What an attribute takes beside its key and its text. */
const ATTRIBUTE_SIZE = 8;

/** Prefixes of attributes from which a span is described. */
const CONVENTIONS =
  /^(?:svc|http|url|db|rpc|messaging|faas|graphql|exception|net|network|client|server|process)(?:\.|$)/;

const MIN_KEYS = 1000;

/** By key of an attribute: whether nothing follows from its value, which stays as it is. */
const plainKeys = new RecentMap<string, boolean>(MIN_KEYS);

/**
 * Writes the finished spans below a root as a JSON list: the same as `childSpanJSON`, normalization and `stringify` make of
 * them, except for the order of members.
 *
 * @returns `undefined` if normalization would cut something
 */
export function writeSpans(spans: readonly ReadableSpan[], settings: Settings): string | undefined {
  const names = namesOf(settings);
  const list: SpanJSON[] = [];
  let sizeLeft = MAX_TOTAL_SIZE;
  let descriptionsLeft = MAX_DESCRIPTIONS_LENGTH;
  for (const span of spans) {
    const size = plainSize(span, settings.normalizeMaxBreadth);
    const json = size === undefined ? childSpanJSON(span, names) : plainSpanJSON(span, names);
    const { description = '' } = json;
    descriptionsLeft -= description.length;
    sizeLeft -= SPAN_SIZE + description.length + (size ?? sizeWithin(json.data, settings, sizeLeft));
    if (sizeLeft < 0 || descriptionsLeft < 0 || !hasShortLabels(json)) return undefined;
    list.push(json);
  }
  return stringify(list);
}

function hasShortLabels({ description = '', op = '', status = '' }: SpanJSON): boolean {
  return description.length <= MAX_DESCRIPTION_LENGTH && op.length <= MAX_OP_LENGTH && status.length <= MAX_OP_LENGTH;
}

/**
 * The characters of the attributes of a plain span: one that has no more than a name and attributes that stay as they are;
 * `undefined` for other spans.
 */
function plainSize({ attributes, events, kind, links }: ReadableSpan, maxBreadth: number): number | undefined {
  if (kind !== SpanKind.INTERNAL || events.length > 0 || links.length > 0) return undefined;
  let size = 0;
  // Origin and op.
  let count = 2;
  for (const key in attributes) {
    const value = attributes[key];
    count += 1;
    if (count > maxBreadth || !(plainKeys.get(key) ?? rememberKey(key))) return undefined;
    if (typeof value === 'string') {
      if (value.length > MAX_STRING_LENGTH) return undefined;
      size += value.length;
    } else if (typeof value !== 'boolean' && !Number.isFinite(value)) return undefined;
    size += ATTRIBUTE_SIZE + key.length;
  }
  return size;
}

/** What `childSpanJSON` makes of a plain span, without asking for what such a span does not have. */
function plainSpanJSON(span: ReadableSpan, names: SensitiveNames): SpanJSON {
  const { traceId, spanId } = span.spanContext();
  const { op, description } = describePlain(span, names);
  const origin = originOf(span);
  return {
    span_id: spanId,
    trace_id: traceId,
    parent_span_id: parentSpanIdOf(span),
    start_timestamp: hrTimeToSeconds(span.startTime),
    timestamp: hrTimeToSeconds(span.endTime),
    description,
    op,
    origin,
    status: statusOf(span),
    // Members that are `undefined` are not written.
    data: { [ATTRIBUTE.origin]: origin, [ATTRIBUTE.op]: op, ...span.attributes } as SpanAttributes,
  };
}

function rememberKey(key: string): boolean {
  const isOwn = key === ATTRIBUTE.op || key === ATTRIBUTE.origin;
  const isPlain = isOwn || (key.length <= MAX_KEY_LENGTH && !CONVENTIONS.test(key) && !isFiltered(key));
  plainKeys.set(key, isPlain);
  return isPlain;
}

/** What attributes take of the size limit; all of it if something in them would be cut. */
function sizeWithin(
  data: SpanAttributes,
  { normalizeDepth, normalizeMaxBreadth: maxBreadth }: Settings,
  maxSize: number,
): number {
  if (normalizeDepth === 0) return 0;
  const normalizer = new Normalizer({ maxBreadth, maxSize, isOwnData: true });
  return normalizer.normalize(data, normalizeDepth) === data ? maxSize - normalizer.sizeLeft : Number.POSITIVE_INFINITY;
}
