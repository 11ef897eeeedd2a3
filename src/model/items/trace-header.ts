import { limitLength } from '../../internal/strings.js';
import type { EnvelopeHeaders } from '../envelope.js';
import { MAX_LABEL_LENGTHS } from '../labels.js';
import { type DynamicSamplingContext, sanitizeDsc } from '../trace.js';

/** Servers reject an envelope whose header line is longer than 8,192 bytes; the other headers need the rest. */
const MAX_TRACE_BYTES = 6000;
const MAX_MEMBER_LENGTH = 200;
/** Strings that are as long in JSON as they are. */
const PLAIN = /^[\w.:@/ -]*$/;
/** Of `{"name":"value"}`. */
const PUNCTUATION_BYTES = 7;

/**
 * The envelope header `trace`. Values are cut to lengths that servers accept; unknown members are omitted if the header
 * gets too long.
 *
 * @returns no header without the members `trace_id` and `public_key`, because servers reject such a header
 */
export function toTraceHeader(dsc: unknown): Pick<EnvelopeHeaders, 'trace'> {
  const { trace_id, public_key, sampled, sample_rate, sample_rand, org_id, ...rest } = sanitizeDsc(dsc);
  if (!trace_id || !public_key) return {};
  const { environment, release, transaction, ...unknown } = rest;
  // In order of importance.
  const known = { trace_id, public_key, sampled, sample_rate, sample_rand, org_id, environment, release, transaction };
  const trace: DynamicSamplingContext = {};
  let bytes = 0;
  for (const [member, value] of Object.entries({ ...known, ...unknown })) {
    if (value === undefined) continue;
    const cut = limitLength(value, member === 'environment' ? MAX_LABEL_LENGTHS.environment : MAX_MEMBER_LENGTH);
    bytes += bytesOf(member, cut);
    if (bytes <= MAX_TRACE_BYTES) trace[member] = cut;
  }
  return { trace };
}

/** Bytes of a member as JSON; without making it where no character is escaped or takes several bytes. */
function bytesOf(member: string, value: string): number {
  const isPlain = PLAIN.test(member) && PLAIN.test(value);
  return isPlain
    ? member.length + value.length + PUNCTUATION_BYTES
    : Buffer.byteLength(JSON.stringify({ [member]: value }));
}
