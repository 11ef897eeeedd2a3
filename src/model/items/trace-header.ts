import { quote } from '../../internal/values/json.js';
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
/**
 * The envelope header `trace`. Values are cut to lengths that servers accept; unknown members are omitted if the header
 * gets too long.
 *
 * @returns no header without the members `trace_id` and `public_key`, because servers reject such a header
 */
export function toTraceHeader(dsc: unknown): Pick<EnvelopeHeaders, 'trace'> {
  const sanitized = sanitizeDsc(dsc);
  if (!sanitized.trace_id || !sanitized.public_key) return {};
  const trace: DynamicSamplingContext = {};
  let bytes = 0;
  for (const member of byImportance(sanitized)) {
    const value = sanitized[member];
    if (value === undefined) continue;
    const cut = limitLength(value, member === 'environment' ? MAX_LABEL_LENGTHS.environment : MAX_MEMBER_LENGTH);
    bytes += Buffer.byteLength(`${quote(member)}:${quote(cut)},`);
    if (bytes <= MAX_TRACE_BYTES) trace[member] = cut;
  }
  return { trace };
}

function byImportance(dsc: DynamicSamplingContext): readonly string[] {
  const unknown = Object.keys(dsc).filter((member) => !KNOWN_MEMBERS.includes(member));
  return unknown.length > 0 ? [...KNOWN_MEMBERS, ...unknown] : KNOWN_MEMBERS;
}
