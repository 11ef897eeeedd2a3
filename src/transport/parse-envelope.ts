import type { Envelope, EnvelopeItem, EnvelopeItemHeaders } from '../model/envelope.js';

const NEWLINE = 0x0a;

/**
 * Reads an envelope that `ENVELOPE_FORMAT` has written: each item names its `length`. Payloads stay bytes.
 *
 * @returns `undefined` for anything else
 */
export function parseEnvelope(body: Uint8Array): Envelope | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let position = 0;
  const readLine = (): string => {
    const end = bytes.indexOf(NEWLINE, position);
    const line = bytes.toString('utf8', position, end < 0 ? bytes.byteLength : end);
    position = end < 0 ? bytes.byteLength : end + 1;
    return line;
  };
  try {
    const headers = JSON.parse(readLine());
    const items: EnvelopeItem[] = [];
    while (position < bytes.byteLength) {
      const itemHeaders: EnvelopeItemHeaders = JSON.parse(readLine());
      const end = position + itemHeaders.length!;
      items.push([itemHeaders, bytes.subarray(position, end)]);
      // The newline behind the payload.
      position = end + 1;
    }
    return items.length > 0 ? [headers, items] : undefined;
  } catch {
    return undefined;
  }
}
