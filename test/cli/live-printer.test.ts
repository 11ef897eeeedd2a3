import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStore } from '../../src/cli/dev/event-store.js';
import { LivePrinter } from '../../src/cli/dev/live-printer.js';
import { parseEnvelope } from '../../src/receiver/parse-envelope.js';
import { envelopeBytes, event, TRANSACTION, transaction } from '../support/envelope-bytes.js';

const MINUTE = 60_000;

let written: string;
let store: EventStore;
let printer: LivePrinter;

beforeEach(() => {
  vi.useFakeTimers();
  written = '';
  store = new EventStore('');
  printer = new LivePrinter((text) => (written += text), {}, store);
});

afterEach(() => {
  vi.useRealTimers();
});

function receive(bytes: Buffer): void {
  const { headers, items } = parseEnvelope(bytes);
  const added = store.add({
    headers,
    items: items.map((item) => ({ ...item, json: JSON.parse(item.payload.toString()) })),
  });
  printer.show({ added, discards: [] });
}

const FAILED = { contexts: { trace: { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' } } };
const FAILED_REQUEST = {
  contexts: { trace: { ...FAILED.contexts.trace, op: 'http.server', data: { 'http.response.status_code': 500 } } },
};

it('an error is in its trace, however long the request takes after it', () => {
  receive(event({ exception: { values: [{ type: 'CardError', value: 'expired' }] } }));
  vi.advanceTimersByTime(MINUTE);
  expect(written).not.toContain('trace 0af7651916cd43dd8448eb211c80319c:');
  receive(transaction(FAILED_REQUEST));
  vi.advanceTimersByTime(MINUTE);
  expect(written).toMatch(/trace \w{32}: 2 spans, 1 error[\s\S]*✗ CardError: expired/);
  expect(written).not.toContain('no error was captured');
});

it('a trace is printed once nothing of it arrives any more', () => {
  receive(transaction(FAILED_REQUEST));
  expect(written).toBe('');
  vi.advanceTimersByTime(MINUTE);
  expect(written).toMatch(/trace \w{32}: 2 spans, 0 errors[\s\S]*no error was captured/);
});

it('a part of a trace that arrives later is printed with the errors of the whole', () => {
  receive(event({ exception: { values: [{ type: 'CardError', value: 'expired' }] } }));
  receive(transaction());
  vi.advanceTimersByTime(MINUTE);
  written = '';
  receive(transaction(FAILED_REQUEST));
  vi.advanceTimersByTime(MINUTE);
  expect(written).toMatch(/trace \w{32}: 2 spans, 1 error/);
  expect(written).not.toContain('no error was captured');
});

describe('a trace is printed although it has', () => {
  /** Cannot be converted to a string or a number. */
  const NO_TEXT = '{"toString":1,"valueOf":1}';
  /** More levels than the stack has room for. */
  const DEEP = '['.repeat(20_000) + ']'.repeat(20_000);
  const { trace } = FAILED_REQUEST.contexts;
  it.each([
    ['a name without a text', { transaction: '?' }, NO_TEXT],
    ['a name of many levels', { transaction: '?' }, DEEP],
    [
      'a status that is no number',
      { contexts: { trace: { ...trace, data: { 'http.response.status_code': '?' } } } },
      NO_TEXT,
    ],
    ['a description of many levels', { spans: [{ description: '?' }] }, DEEP],
    ['an op of many levels', { spans: [{ op: '?' }] }, DEEP],
  ])('%s', (_, members, json) => {
    const payload = JSON.stringify({ ...TRANSACTION, ...FAILED_REQUEST, ...members }).replace('"?"', json);
    receive(envelopeBytes({}, [{ type: 'transaction' }, payload]));
    vi.advanceTimersByTime(MINUTE);
    expect(written).toMatch(/trace \w{32}: 2 spans, 0 errors/);
  });
});
