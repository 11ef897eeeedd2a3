import { isUint8Array } from 'node:util/types';
import { stringify } from '../internal/json.js';
import { mergeOwn } from '../internal/merge-own.js';
import { ENVELOPE_CONTENT_TYPE, type Envelope, type EnvelopeItemHeaders } from '../model/envelope.js';
import { stringifyEvent } from '../model/items/event-json.js';
import type { WireFormat } from './wire-format.js';

/** The format that servers of the protocol read. */
export const ENVELOPE_FORMAT: WireFormat = { contentType: ENVELOPE_CONTENT_TYPE, serialize: serializeEnvelope };

/**
 * JSON lines and payloads, every item with its `length` in bytes.
 *
 * @returns a string, or bytes as soon as one payload is bytes
 */
function serializeEnvelope([headers, items]: Envelope): string | Uint8Array {
  const chunks: Uint8Array[] = [];
  let lines = stringify(headers);
  for (const [itemHeaders, payload] of items) {
    const isBinary = isUint8Array(payload);
    const content = isBinary || typeof payload === 'string' ? payload : stringifyEvent(payload);
    lines += `\n${stringify(mergeOwn<EnvelopeItemHeaders>(itemHeaders, { length: Buffer.byteLength(content) }))}\n`;
    if (isBinary) {
      chunks.push(Buffer.from(lines));
      // Bytes that the application has transferred to a worker are gone, and `Buffer.concat` would throw.
      if (payload.byteLength > 0) chunks.push(payload);
      lines = '';
    } else {
      lines += content;
    }
  }
  return chunks.length === 0 ? lines : Buffer.concat([...chunks, Buffer.from(lines)]);
}
