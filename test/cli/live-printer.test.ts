import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventStore } from '../../src/cli/dev/event-store.js';
import { LivePrinter } from '../../src/cli/dev/live-printer.js';
import { parseEnvelope } from '../../src/receiver/parse-envelope.js';
import { event, transaction } from '../support/envelope-bytes.js';

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
