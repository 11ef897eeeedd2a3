import { isUint8Array } from 'node:util/types';
import { stringify } from '../../internal/values/json.js';
import { mergeOwn } from '../../internal/values/merge-own.js';
import { isObject } from '../../internal/values/read.js';
import type { Envelope, EnvelopeItem, EnvelopeItemHeaders } from '../../model/delivery/envelope.js';
import type { Event } from '../../model/event/event.js';
import { stringifyEvent } from '../../model/items/event-json.js';
import { EventSnapshot, PIECE_LENGTH } from '../../model/items/event-snapshot.js';
import type { BodyParts } from './wire-format.js';

interface Part {
  readonly headers: EnvelopeItemHeaders;
  readonly content: Uint8Array | EventSnapshot;
}

/** Copies the content of an envelope with a large event, to be serialized in parts. `undefined` for other envelopes. */
export function beginLargeEnvelope(envelope: Envelope): BodyParts | undefined {
  // Not destructured, which would allocate iterators for each envelope.
  const event = envelope[1].find(isEvent);
  const snapshot = event && EventSnapshot.take(event[1] as Event);
  if (snapshot === undefined) return undefined;
  const [headers, items] = envelope;
  const parts = items.map((item) => takePart(item, item === event ? snapshot : undefined));
  return { size: sizeOf(parts), steps: writeParts(stringify(headers), parts) };
}

function isEvent(item: EnvelopeItem): boolean {
  return isObject(item[1]) && !isUint8Array(item[1]);
}

function takePart([headers, payload]: EnvelopeItem, snapshot: EventSnapshot | undefined): Part {
  return { headers: mergeOwn(headers), content: snapshot ?? copyPayload(payload) };
}

/** The application may change or transfer its bytes meanwhile. */
function copyPayload(payload: EnvelopeItem[1]): Uint8Array {
  if (isUint8Array(payload)) return payload.byteLength > 0 ? Buffer.from(payload) : Buffer.alloc(0);
  return Buffer.from(typeof payload === 'string' ? payload : stringifyEvent(payload));
}

function sizeOf(parts: readonly Part[]): number {
  let size = 0;
  for (const { content } of parts) size += content instanceof EventSnapshot ? content.size : content.byteLength;
  return size;
}

function* writeParts(headerLine: string, parts: readonly Part[]): Generator<undefined, Uint8Array> {
  const chunks: Uint8Array[] = [Buffer.from(headerLine)];
  for (const { headers, content } of parts) {
    const contents: Uint8Array[] = [];
    if (content instanceof EventSnapshot) {
      for (const text of joinShort(content.pieces())) {
        contents.push(Buffer.from(text));
        yield;
      }
    } else contents.push(content);
    const length = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
    chunks.push(Buffer.from(formatItemHeaders(headers, length)), ...contents);
  }
  return Buffer.concat(chunks);
}

export function formatItemHeaders(headers: EnvelopeItemHeaders, length: number): string {
  return `\n${stringify(mergeOwn(headers, { length }))}\n`;
}

function* joinShort(pieces: Iterable<string>): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
