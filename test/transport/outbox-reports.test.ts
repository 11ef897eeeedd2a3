import { describe, expect, it } from 'vitest';
import { passMinute, receive, setUp } from './outbox-rig.js';

describe('client reports', () => {
  it('tell what was lost, why, and how much of it', async () => {
    const receiver = await receive();
    const { outbox, ledger } = setUp({ dsn: receiver.dsn, clock: () => 1_500 });
    ledger.captureAndDiscard('sample_rate', [['error', 2]]);
    ledger.captureAndDiscard('before_send', [
      ['transaction', 1],
      ['span', 3],
    ]);
    await outbox.flush(5000);
    await outbox.flush(5000);
    expect(receiver.clientReports).toEqual([
      {
        timestamp: 1.5,
        discarded_events: [
          { reason: 'sample_rate', category: 'error', quantity: 2 },
          { reason: 'before_send', category: 'transaction', quantity: 1 },
          { reason: 'before_send', category: 'span', quantity: 3 },
        ],
      },
    ]);
    expect(receiver.envelopes[0]!.headers).toEqual({});
    expect(receiver.violations).toEqual([]);
  });

  it('leave by themselves, each clientReportIntervalMillis', async () => {
    const receiver = await receive();
    const { ledger } = setUp({ dsn: receiver.dsn, clientReportIntervalMillis: 20 });
    for (const category of ['error', 'transaction'] as const) {
      ledger.captureAndDiscard('sample_rate', [[category, 1]]);
      await receiver.waitFor(() => receiver.discardedTotal('sample_rate', category) === 1);
    }
    expect(receiver.clientReports).toHaveLength(2);
  });

  it('do not leave when nothing was lost', async () => {
    const receiver = await receive();
    const { outbox, capture } = setUp({ dsn: receiver.dsn });
    capture();
    await outbox.flush(5000);
    expect(receiver.items().map(({ headers }) => headers.type)).toEqual(['event']);
  });

  it.each([
    ['refused', { statusCode: 500 }],
    ['not wanted now', { statusCode: 429, headers: { 'retry-after': '0' } }],
    ['lost on its way', { drop: true }],
  ])('are repeated when one was %s', async (_, respond) => {
    const receiver = await receive({ respond });
    const { outbox, ledger, balance } = setUp({ dsn: receiver.dsn });
    ledger.captureAndDiscard('sample_rate', [['error', 2]]);
    await outbox.flush(5000);
    receiver.respondWith();
    await outbox.flush(5000);
    expect(receiver.discards()).toEqual([{ reason: 'sample_rate', category: 'error', quantity: 2 }]);
    expect(balance()).toEqual({ error: { captured: 2, discarded: 2 } });
  });

  it('are repeated when the transport itself dropped one', async () => {
    const receiver = await receive({ respond: { headers: { 'x-sentry-rate-limits': '60::key' } } });
    const { outbox, ledger, capture } = setUp({ dsn: receiver.dsn });
    capture();
    await outbox.flush(5000);
    ledger.captureAndDiscard('sample_rate', [['error', 2]]);
    await outbox.flush(5000);
    expect(receiver.clientReports).toEqual([]);
    passMinute();
    await outbox.flush(5000);
    expect(receiver.discards()).toEqual([{ reason: 'sample_rate', category: 'error', quantity: 2 }]);
  });

  it('leave although the buffer is full', async () => {
    const receiver = await receive({ respond: ({ envelope }) => ({ hang: envelope!.headers.event_id !== undefined }) });
    const { capture, outbox } = setUp({ dsn: receiver.dsn, transportOptions: { bufferSize: 2 } });
    for (let i = 0; i < 5; i++) capture();
    void outbox.flush();
    await receiver.waitFor(({ clientReports }) => clientReports.length > 0);
    expect(receiver.discards()).toEqual([{ reason: 'queue_overflow', category: 'error', quantity: 3 }]);
  });

  it('are not sent when they are switched off', async () => {
    const receiver = await receive();
    const { outbox, ledger } = setUp({ dsn: receiver.dsn, sendClientReports: false });
    ledger.captureAndDiscard('sample_rate', [['error', 2]]);
    await outbox.flush(5000);
    expect(receiver.requests).toEqual([]);
  });
});
