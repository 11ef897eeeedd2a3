const LF = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes are not an envelope; the message says what is wrong and at which byte. */
export class MalformedEnvelopeError extends Error {
  override name = 'MalformedEnvelopeError';
}

export interface ParsedItem {
  readonly headers: { readonly type: string; readonly length?: number; readonly [header: string]: unknown };
  /** Exactly the bytes that were sent. */
  readonly payload: Buffer;
}

export interface ParsedEnvelope {
  readonly headers: Record<string, unknown>;
  /** In the order in which they were sent. */
  readonly items: ParsedItem[];
}

/**
 * Reads one envelope: `header { LF item } [ LF ]`, where an item is a line of JSON, LF, and a payload of `length` bytes
 * or, without a length, up to the next LF. Stricter than any server, so that a sender that passes here is accepted everywhere.
 *
 * @param bytes the body of the request, decompressed
 * @returns payloads are views on `bytes`
 * @throws MalformedEnvelopeError
 */
export function parseEnvelope(bytes: Uint8Array): ParsedEnvelope {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readHeader(buffer, 0);
  const items: ParsedItem[] = [];
  let offset = header.end;
  // Here `offset` stands at an LF or at the end; an LF that is the very last byte ends the envelope.
  while (offset < buffer.length - 1) {
    const { item, end } = readItem(buffer, offset + 1);
    items.push(item);
    offset = end;
  }
  return { headers: header.json, items };
}

function readItem(buffer: Buffer, start: number): { item: ParsedItem; end: number } {
  const { json, end: headerEnd } = readHeader(buffer, start);
  const { type, length } = json;
  if (typeof type !== 'string') fail('the item header has no type', start);
  if (headerEnd === buffer.length) fail('the item has no payload', start);
  const payloadStart = headerEnd + 1;
  const end = length === undefined ? endOfLine(buffer, payloadStart) : endOfPayload(buffer, payloadStart, length);
  const headers = json as ParsedItem['headers'];
  return { item: { headers, payload: buffer.subarray(payloadStart, end) }, end };
}

/** @param length what the item header says */
function endOfPayload(buffer: Buffer, start: number, length: unknown): number {
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) {
    fail(`length is ${JSON.stringify(length)}, not a count of bytes`, start);
  }
  const end = start + length;
  if (end > buffer.length) fail(`the payload of ${length} bytes ends after ${buffer.length - start}`, start);
  if (end < buffer.length && buffer[end] !== LF) fail(`no line feed follows the payload of ${length} bytes`, end);
  return end;
}

function readHeader(buffer: Buffer, start: number): { json: Record<string, unknown>; end: number } {
  const end = endOfLine(buffer, start);
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(buffer.subarray(start, end)));
  } catch {
    fail('the header line is not JSON', start);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) fail('the header is not a JSON object', start);
  return { json: json as Record<string, unknown>, end };
}

function endOfLine(buffer: Buffer, start: number): number {
  const end = buffer.indexOf(LF, start);
  return end === -1 ? buffer.length : end;
}

function fail(what: string, offset: number): never {
  throw new MalformedEnvelopeError(`${what} (byte ${offset})`);
}
