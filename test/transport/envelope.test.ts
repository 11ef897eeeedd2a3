import { describe, expect, it } from 'vitest';
import { parseEnvelope } from '../../examples/receiver/parse-envelope.js';
import { SDK_NAME, SDK_VERSION } from '../../src/internal/version.js';
import type { Attachment } from '../../src/model/attachment.js';
import type { Envelope } from '../../src/model/envelope.js';
import type { Event } from '../../src/model/event.js';
import { parseDsn } from '../../src/transport/dsn.js';
import { createClientReportEnvelope, createEventEnvelope, serializeEnvelope } from '../../src/transport/envelope.js';

const EVENT_ID = '6d1f0b6c8f1b4e0b9a3c2d5e7f901234';
const dsn = parseDsn('https://ab12:s3cret@errors.example.com/42')!;
const facts = { dsn, nowMillis: Date.UTC(2026, 0, 5, 9, 30, 12, 418) };

const event = (parts: object = {}): Event => ({ event_id: EVENT_ID, message: 'hello', ...parts }) as Event;
const read = (envelope: Envelope) => parseEnvelope(Buffer.from(serializeEnvelope(envelope) as string));
const payloadOf = (envelope: Envelope) => JSON.parse(String(read(envelope).items[0]!.payload));

describe('the header of an event envelope', () => {
  it('names the event, the time of sending and the SDK', () => {
    expect(createEventEnvelope(event(), [], facts)[0]).toEqual({
      event_id: EVENT_ID,
      sent_at: '2026-01-05T09:30:12.418Z',
      sdk: { name: SDK_NAME, version: SDK_VERSION },
    });
  });

  it('names the destination only with a tunnel, and never its secret', () => {
    expect(createEventEnvelope(event(), [], { ...facts, tunnel: 'http://tunnel/' })[0].dsn).toBe(
      'https://ab12@errors.example.com/42',
    );
  });

  it.each([
    [{ trace_id: 'a'.repeat(32), public_key: 'ab12', sampled: 'true' }, true],
    [{ trace_id: 'a'.repeat(32) }, false],
    [{ public_key: 'ab12' }, false],
    [{}, false],
    [undefined, false],
  ])('carries the trace %j: %s', (dsc, isCarried) => {
    expect(createEventEnvelope(event(), [], { ...facts, dsc })[0].trace).toEqual(isCarried ? dsc : undefined);
  });

  it('gives an event without an id one, the same in the payload', () => {
    const [headers, items] = createEventEnvelope(event({ event_id: undefined }), [], facts);
    expect(headers.event_id).toMatch(/^[0-9a-f]{32}$/);
    expect(items[0]![1]).toMatchObject({ event_id: headers.event_id });
  });
});

describe('the event in its envelope', () => {
  it.each([
    [undefined, 'event'],
    ['transaction', 'transaction'],
    ['feedback', 'feedback'],
    [null, 'event'],
  ])('of the type %s is an item of the type %s', (type, itemType) => {
    expect(createEventEnvelope(event({ type }), [], facts)[1][0]![0]).toEqual({ type: itemType });
  });

  it('lacks the data of the SDK, and the level `log`, which the event itself keeps', () => {
    const given = Object.freeze(event({ level: 'log', sdkProcessingMetadata: { secret: 1 } }));
    expect(createEventEnvelope(given, [], facts)[1][0]![1]).toEqual({
      event_id: EVENT_ID,
      message: 'hello',
      level: 'info',
    });
    expect(given).toMatchObject({ level: 'log', sdkProcessingMetadata: { secret: 1 } });
  });

  it('lacks the level `log` in breadcrumbs, too', () => {
    const breadcrumbs = [{ message: 'a', level: 'log' }, { message: 'b', level: 'error' }, null];
    const given = Object.freeze(event({ breadcrumbs: Object.freeze(breadcrumbs) }));
    expect(payloadOf(createEventEnvelope(given, [], facts))).toMatchObject({
      breadcrumbs: [{ message: 'a', level: 'info' }, { message: 'b', level: 'error' }, null],
    });
    expect(breadcrumbs[0]).toEqual({ message: 'a', level: 'log' });
  });

  it('lacks a property that cannot be read', () => {
    const given = event();
    Object.defineProperty(given, 'extra', { enumerable: true, get: failing });
    expect(payloadOf(createEventEnvelope(given, [], facts))).toEqual({ event_id: EVENT_ID, message: 'hello' });
  });

  it('leaves although JSON cannot hold all of it', () => {
    const extra: Record<string, unknown> = { big: 1n, broken: { toJSON: failing } };
    extra['self'] = extra;
    expect(payloadOf(createEventEnvelope(event({ extra }), [], facts))).toEqual({
      event_id: EVENT_ID,
      message: 'hello',
      extra: { big: '[BigInt: 1]', broken: {}, self: '[Circular ~]' },
    });
  });
});

describe('an attachment', () => {
  const bytes = new Uint8Array([0, 10, 13, 255]);
  const hostile = {
    filename: 'h.txt',
    get data(): never {
      throw new Error('getter');
    },
  };
  const rows: [what: string, attachment: unknown, headers: object, payload: string | Uint8Array][] = [
    ['of text', { filename: 'a.txt', data: 'ü\n😀' }, { filename: 'a.txt' }, 'ü\n😀'],
    ['of bytes', { filename: 'a.bin', data: bytes }, { filename: 'a.bin' }, bytes],
    ['of a Buffer', { filename: 'a.bin', data: Buffer.from(bytes) }, { filename: 'a.bin' }, bytes],
    ['of an ArrayBuffer', { filename: 'a.bin', data: bytes.buffer }, { filename: 'a.bin' }, bytes],
    [
      'of a DataView',
      { filename: 'a', data: new DataView(bytes.buffer, 1, 2) },
      { filename: 'a' },
      bytes.subarray(1, 3),
    ],
    ['of an object', { filename: 'a.json', data: { a: 1n } }, { filename: 'a.json' }, '{"a":"[BigInt: 1]"}'],
    ['of nothing', { filename: 'a.txt', data: undefined }, { filename: 'a.txt' }, ''],
    ['without a name', { data: 'x' }, { filename: 'attachment' }, 'x'],
    ['that cannot be read', hostile, { filename: 'h.txt' }, ''],
    ['that is none', null, { filename: 'attachment' }, ''],
    [
      'with a media type and a kind',
      { filename: 'a.png', data: bytes, contentType: 'image/png', attachmentType: 'event.view_hierarchy' },
      { filename: 'a.png', content_type: 'image/png', attachment_type: 'event.view_hierarchy' },
      bytes,
    ],
  ];
  it.each(rows)('%s follows its event', (_, attachment, headers, payload) => {
    const { items } = read(createEventEnvelope(event(), [attachment as Attachment], facts));
    const expected = Buffer.from(payload as string);
    expect(items.map((item) => item.headers.type)).toEqual(['event', 'attachment']);
    expect(items[1]!.headers).toEqual({ type: 'attachment', ...headers, length: expected.length });
    expect(items[1]!.payload).toEqual(expected);
  });
});

describe('a serialized envelope', () => {
  it('is lines of JSON, with the length of each payload in bytes', () => {
    const envelope: Envelope = [
      { event_id: EVENT_ID },
      [
        [{ type: 'event' }, { message: 'ü\n' }],
        [{ type: 'attachment', filename: 'a' }, 'x\ny'],
      ],
    ];
    expect(serializeEnvelope(envelope)).toBe(
      `{"event_id":"${EVENT_ID}"}\n` +
        '{"type":"event","length":18}\n{"message":"ü\\n"}\n' +
        '{"type":"attachment","filename":"a","length":3}\nx\ny',
    );
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
    const serialized = serializeEnvelope(envelope);
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
    const envelope = createEventEnvelope(event(), [], facts);
    const before = structuredClone(envelope);
    serializeEnvelope(envelope);
    expect(envelope).toEqual(before);
  });
});

describe('a client report', () => {
  const discards = [{ reason: 'sample_rate', category: 'error', quantity: 3 }] as const;

  it('is an item of its own, with its time in seconds', () => {
    expect(serializeEnvelope(createClientReportEnvelope(discards, facts))).toBe(
      '{}\n{"type":"client_report","length":106}\n' +
        '{"timestamp":1767605412.418,"discarded_events":[{"reason":"sample_rate","category":"error","quantity":3}]}',
    );
  });

  it('names the destination with a tunnel', () => {
    expect(createClientReportEnvelope(discards, { ...facts, tunnel: 'http://tunnel/' })[0]).toEqual({
      dsn: 'https://ab12@errors.example.com/42',
    });
  });
});

function failing(): never {
  throw new Error('toJSON');
}
