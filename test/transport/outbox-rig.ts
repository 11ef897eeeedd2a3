import { onTestFinished, vi } from 'vitest';
import type { Envelope } from '../../src/model/delivery/envelope.js';
import { type CategoryBalance, Ledger } from '../../src/model/delivery/ledger.js';
import type { DataCategory } from '../../src/model/delivery/outcome.js';
import type { Transport, TransportFactory, TransportResponse } from '../../src/model/delivery/transport.js';
import type { Attachment } from '../../src/model/event/attachment.js';
import { type Event, quantitiesOf } from '../../src/model/event/event.js';
import { createEventItems } from '../../src/model/items/event-items.js';
import { createOutbox, type OutboxOptions } from '../../src/transport/create-outbox.js';
import { parseDsn } from '../../src/transport/dsn.js';
import { type Receiver, type ReceiverOptions, startReceiver } from '../support/receiver.js';

export const NEVER = new Promise<never>(() => undefined);
export const file: Attachment = { filename: 'a.bin', data: new Uint8Array([0, 10, 255]) };

let lastId = 0;
export function createEvent(parts: Event = {}): Event {
  lastId += 1;
  return {
    event_id: String(lastId).padStart(32, '0'),
    timestamp: 1,
    platform: 'node',
    sdk: { name: 'faultline.javascript.node', version: '0.1.0' },
    ...parts,
  };
}

export function createTransaction(spans: number): Event {
  const trace = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) };
  const span = { ...trace, start_timestamp: 1, timestamp: 2, data: {} };
  return createEvent({
    type: 'transaction',
    transaction: 'GET /',
    start_timestamp: 1,
    contexts: { trace },
    spans: Array(spans).fill(span),
  });
}

export type Setup = Partial<OutboxOptions['settings']> & Pick<OutboxOptions, 'emit' | 'clock'> & { dsn?: string };

/** An outbox and the ledger of its client, which counts what it hands over. */
export function setUp({ dsn = 'http://ab12@127.0.0.1:1/1', emit, clock, ...settings }: Setup = {}) {
  const ledger = new Ledger();
  const outbox = createOutbox({
    settings: {
      enabled: true,
      sendClientReports: true,
      clientReportIntervalMillis: 60_000,
      transportOptions: {},
      ...settings,
    },
    dsn: parseDsn(dsn),
    ledger,
    emit,
    clock,
  });
  onTestFinished(() => outbox.close());
  const capture = (
    event: Event = createEvent(),
    attachments: Attachment[] = [],
    onAnswer?: (response: TransportResponse) => void,
  ) => {
    ledger.capture(quantitiesOf(event));
    ledger.capture([['attachment', attachments.length]]);
    outbox.send(createEventItems(event, attachments, onAnswer));
  };
  return { ledger, outbox, capture, balance: () => withoutEmpty(ledger.balance()) };
}

type Balance = Partial<Record<DataCategory, Partial<CategoryBalance>>>;

/** Only the counts that are not 0, so that an expectation names all there is. */
function withoutEmpty(balance: Balance): Balance {
  const rows = Object.entries(balance).map(([category, counts]) => {
    return [category, Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))] as const;
  });
  return Object.fromEntries(rows.filter(([, counts]) => Object.keys(counts).length > 0));
}

export async function receive(options?: ReceiverOptions): Promise<Receiver> {
  const receiver = await startReceiver(options);
  onTestFinished(() => receiver.close());
  return receiver;
}

export const transportOf = (send: (envelope: Envelope) => unknown, rest: object = {}): TransportFactory => {
  return () => ({ send, flush: async () => true, ...rest }) as Transport;
};

/** Lets a minute pass at once, for the clock that measures durations. */
export function passMinute(): void {
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  onTestFinished(() => spy.mockRestore());
}
