import { describe, expect, it } from 'vitest';
import type { Envelope, EnvelopeItem } from '../../../src/model/delivery/envelope.js';
import { WrittenSpans } from '../../../src/model/event/written-spans.js';
import { parseEnvelope } from '../../../src/receiver/parse-envelope.js';
import { ENVELOPE_FORMAT } from '../../../src/transport/formats/envelope-format.js';

const EVENT_ID = '6d1f0b6c8f1b4e0b9a3c2d5e7f901234';
const { serialize } = ENVELOPE_FORMAT;
const read = (envelope: Envelope) => parseEnvelope(Buffer.from(serialize(envelope) as string));

describe('a serialized envelope', () => {
  it('is lines of JSON, with the length of each payload in bytes', () => {
    const envelope: Envelope = [
      { event_id: EVENT_ID },
      [
        [{ type: 'event' }, { message: 'ü\n' }],
        [{ type: 'attachment', filename: 'a' }, 'x\ny'],
      ],
    ];
    expect(serialize(envelope)).toBe(
      `{"event_id":"${EVENT_ID}"}\n` +
        '{"type":"event","length":18}\n{"message":"ü\\n"}\n' +
        '{"type":"attachment","filename":"a","length":3}\nx\ny',
    );
  });

  it('has an empty payload where bytes were transferred to a worker', () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    const { items } = read([
      {},
      [
        [{ type: 'event' }, { message: 'a' }],
        [{ type: 'attachment', filename: 'a' }, bytes],
        [{ type: 'attachment', filename: 'b' }, new Uint8Array([120])],
      ],
    ]);
    expect(items.map(({ headers, payload }) => [headers.type, payload.length])).toEqual([
      ['event', 15],
      ['attachment', 0],
      ['attachment', 1],
    ]);
  });

  it('takes the place of a transaction that nobody else reads, which stays sendable', () => {
    const transaction = { type: 'transaction' as const, spans: WrittenSpans.create('[{"op":"ü"}]', 1) };
    const attachment: EnvelopeItem = [{ type: 'attachment', filename: 'a' }, 'x'];
    const envelope: Envelope = [{}, [[{ type: 'transaction' }, transaction], attachment]];
    const text = '{"type":"transaction","spans":[{"op":"ü"}]}';
    const body = serialize(envelope);
    expect(envelope[1]).toEqual([[{ type: 'transaction' }, text], attachment]);
    expect(serialize(envelope)).toBe(body);
    expect(serialize([{}, [envelope[1][0]!]])).toBe(`{}\n{"type":"transaction","length":44}\n${text}`);
  });

  it('leaves events as they are that somebody else may read', () => {
    const event = { message: 'a' };
    const transaction = { type: 'transaction' as const, spans: [] };
    const envelope: Envelope = [
      {},
      [
        [{ type: 'event' }, event],
        [{ type: 'transaction' }, transaction],
      ],
    ];
    serialize(envelope);
    expect(envelope[1].map(([, payload]) => payload)).toEqual([event, transaction]);
  });

  it('is bytes as soon as one payload is', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const envelope: Envelope = [
      {},
      [
        [{ type: 'event' }, { message: 'ü' }],
        [{ type: 'attachment', filename: 'a' }, bytes],
        [{ type: 'attachment', filename: 'b' }, new Uint8Array()],
        [{ type: 'attachment', filename: 'c' }, 'ö'],
      ],
    ];
    const serialized = serialize(envelope);
    expect(serialized).toBeInstanceOf(Uint8Array);
    expect(parseEnvelope(serialized as Uint8Array).items.map(({ payload }) => payload)).toEqual(
      ['{"message":"ü"}', bytes, '', 'ö'].map((payload) => Buffer.from(payload as string)),
    );
  });

  it('counts a lone surrogate as the three bytes it becomes', () => {
    const envelope: Envelope = [{}, [[{ type: 'attachment', filename: 'a' }, 'x\ud800y']]];
    expect(read(envelope).items[0]).toMatchObject({ headers: { length: 5 }, payload: Buffer.from('x\ufffdy') });
  });

  it('leaves the envelope as it was', () => {
    const envelope: Envelope = [{}, [[{ type: 'event' }, { message: 'hello', tags: { a: 'b' } }]]];
    const before = structuredClone(envelope);
    serialize(envelope);
    expect(envelope).toEqual(before);
  });
});
