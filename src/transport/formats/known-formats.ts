import type { Envelope } from '../../model/delivery/envelope.js';
import { ENVELOPE_FORMAT } from './envelope-format.js';
import type { WireFormat } from './wire-format.js';

/** The format in which envelopes are sent and stored. */
export const DEFAULT_FORMAT: WireFormat = ENVELOPE_FORMAT;

/** The formats in which another version may have stored envelopes. */
const KNOWN_FORMATS: readonly WireFormat[] = [ENVELOPE_FORMAT];

/** Reads a stored envelope, whatever its format. `undefined` if no format can. */
export function parseStored(body: Uint8Array): Envelope | undefined {
  for (const { parse } of KNOWN_FORMATS) {
    const envelope = parse(body);
    if (envelope !== undefined) return envelope;
  }
  return undefined;
}
