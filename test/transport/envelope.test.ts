import { expect, it } from 'vitest';
import { SDK_NAME, SDK_VERSION } from '../../src/internal/version.js';
import type { OutgoingItem } from '../../src/model/delivery/outbox.js';
import { parseDsn } from '../../src/transport/dsn.js';
import { createEnvelope } from '../../src/transport/envelope.js';

const dsn = parseDsn('https://ab12:s3cret@errors.example.com/42')!;
const facts = { dsn, nowMillis: Date.UTC(2026, 0, 5, 9, 30, 12, 418) };

const event: OutgoingItem = {
  content: [{ type: 'event' }, { message: 'hello' }],
  quantities: [['error', 1]],
  envelopeHeaders: { event_id: 'a'.repeat(32) },
};
const file: OutgoingItem = { content: [{ type: 'attachment' }, 'x'], quantities: [['attachment', 1]] };
const report: OutgoingItem = { content: [{ type: 'client_report' }, {}], quantities: [] };

it('an envelope has its items in order, the headers that they need, the time of sending and the SDK', () => {
  expect(createEnvelope([event, file], facts)).toEqual([
    {
      event_id: 'a'.repeat(32),
      sent_at: '2026-01-05T09:30:12.418Z',
      sdk: { name: SDK_NAME, version: SDK_VERSION },
    },
    [event.content, file.content],
  ]);
});

it('an envelope names the destination only with a tunnel, and never its secret key', () => {
  const [headers] = createEnvelope([event], { ...facts, tunnel: 'http://tunnel/' });
  expect(headers.dsn).toBe('https://ab12@errors.example.com/42');
});

it('a report has no header but the destination, with a tunnel', () => {
  expect(createEnvelope([report], facts)[0]).toEqual({});
  expect(createEnvelope([report], { ...facts, tunnel: 'http://tunnel/' })[0]).toEqual({
    dsn: 'https://ab12@errors.example.com/42',
  });
});

it('the time of sending is that of the clock, whatever was sent before', () => {
  const times = [
    0, 5, 999, 1000, 1000.9, 1_767_605_412_418, 1_767_605_412_999, 1_767_605_413_000, -1, -1000, 8.64e15, 5,
  ];
  for (const nowMillis of times) {
    const [{ sent_at }] = createEnvelope([event], { dsn, nowMillis });
    expect(sent_at).toBe(new Date(nowMillis).toISOString());
  }
});
