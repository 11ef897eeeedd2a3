import { stringify } from '../../internal/values/json.js';
import { limitLength } from '../../internal/values/strings.js';
import type { EnvelopeHeaders } from '../delivery/envelope.js';
import { MAX_LABEL_LENGTHS } from '../event/labels.js';
import { type DynamicSamplingContext, sanitizeDsc } from '../trace.js';

/** Servers reject an envelope whose header line is longer than 8,192 bytes; the other headers need the rest. */
const MAX_TRACE_BYTES = 6000;
const MAX_MEMBER_LENGTH = 200;
/** In order of importance. */
const KNOWN_MEMBERS: readonly string[] = [
  'trace_id',
  'public_key',
  'sampled',
  'sample_rate',
  'sample_rand',
  'org_id',
  'environment',
  'release',
  'transaction',
];
/** Maximum for a character of JSON: a control character, escaped. */
const BYTES_PER_CHARACTER = 6;

/**
 * The envelope header `trace`. Values are cut to lengths that servers accept; unknown members are omitted if the header
 * gets too long.
 *
 * @returns no header without the members `trace_id` and `public_key`, because servers reject such a header
 */
export function toTraceHeader(dsc: unknown): Pick<EnvelopeHeaders, 'trace'> {
  const sanitized = sanitizeDsc(dsc);
  if (!sanitized.trace_id || !sanitized.public_key) return {};
  return { trace: limitTrace(sanitized) };
}

function limitTrace(sanitized: DynamicSamplingContext): DynamicSamplingContext {
  const unknown = Object.keys(sanitized).filter((member) => !KNOWN_MEMBERS.includes(member));
  const trace: DynamicSamplingContext = {};
  const isShort = lengthOf(sanitized) * BYTES_PER_CHARACTER <= MAX_TRACE_BYTES;
  let bytes = 0;
  for (const member of unknown.length > 0 ? [...KNOWN_MEMBERS, ...unknown] : KNOWN_MEMBERS) {
    const value = sanitized[member];
    if (value === undefined) continue;
    const cut = limitLength(value, member === 'environment' ? MAX_LABEL_LENGTHS.environment : MAX_MEMBER_LENGTH);
    if (!isShort) bytes += Buffer.byteLength(stringify({ [member]: cut }));
    if (bytes <= MAX_TRACE_BYTES) trace[member] = cut;
  }
  return trace;
}

/** In characters, with what JSON puts around a member. */
function lengthOf(dsc: DynamicSamplingContext): number {
  let length = 0;
  for (const member in dsc) length += member.length + (dsc[member]?.length ?? 0) + '"":"",'.length;
  return length;
}
