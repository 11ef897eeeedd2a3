import { isUint8Array } from 'node:util/types';
import { measure, stringify } from '../../internal/values/json.js';
import type { Envelope, EnvelopeItem, EnvelopeItemHeaders } from '../../model/delivery/envelope.js';
import { ENVELOPE_CONTENT_TYPE } from '../../model/delivery/own-requests.js';
import type { Event } from '../../model/event/event.js';
import { WrittenSpans } from '../../model/event/written-spans.js';
import { measureEvent } from '../../model/items/event-json.js';
import { beginLargeEnvelope, formatItemHeaders } from './large-envelope.js';
import type { WireFormat } from './wire-format.js';

/** The format that servers of the protocol read. */
export const ENVELOPE_FORMAT: WireFormat = {
  contentType: ENVELOPE_CONTENT_TYPE,
  path: 'envelope',
  serialize: serializeEnvelope,
  setTimeOfSending,
  begin: beginLargeEnvelope,
  parse: parseEnvelope,
};

const NEWLINE = 0x0a;

/**
 * JSON lines and payloads, every item with its `length` in bytes.
 *
 * @returns a string, or bytes as soon as one payload is bytes
 */
function serializeEnvelope(envelope: Envelope): string | Uint8Array {
  const chunks: Uint8Array[] = [];
  let lines = stringify(envelope[0]);
  for (const item of envelope[1]) {
    const itemHeaders = item[0];
    const payload = item[1];
    if (isUint8Array(payload)) {
      chunks.push(Buffer.from(lines + formatItemHeaders(itemHeaders, payload.byteLength)));
      // Bytes that the application has transferred to a worker are gone, and `Buffer.concat` would throw.
      if (payload.byteLength > 0) chunks.push(payload);
      lines = '';
    } else {
      const { text, bytes } = typeof payload === 'string' ? measure(payload) : measureEvent(payload);
      lines += formatItemHeaders(itemHeaders, bytes) + text;
      // A slice shares the memory of the body; the event would be a second copy of it until the response.
      if (isWritten(payload)) item[1] = lines.slice(-text.length);
    }
  }
  return chunks.length === 0 ? lines : Buffer.concat([...chunks, Buffer.from(lines)]);
}

function setTimeOfSending(body: string | Uint8Array, sentAt: string): string | Uint8Array {
  if (typeof body === 'string') {
    const end = body.indexOf('\n');
    return setInHeaders(body.slice(0, end), sentAt) + body.slice(end);
  }
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const end = bytes.indexOf(NEWLINE);
  return Buffer.concat([Buffer.from(setInHeaders(bytes.toString('utf8', 0, end), sentAt)), bytes.subarray(end)]);
}

function setInHeaders(line: string, sentAt: string): string {
  return stringify({ ...JSON.parse(line), sent_at: sentAt });
}

/** Whether a payload is a transaction that nothing but the serializer reads. */
function isWritten(payload: EnvelopeItem[1]): boolean {
  return WrittenSpans.is((payload as Event).spans);
}

/** Reads an envelope in which each item names its `length`. Payloads stay bytes. */
function parseEnvelope(body: Uint8Array): Envelope | undefined {
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
      // The newline after the payload.
      position = end + 1;
    }
    return items.length > 0 ? [headers, items] : undefined;
  } catch {
    return undefined;
  }
}
