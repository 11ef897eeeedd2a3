import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createEvent,
  createTransaction,
  file,
  NEVER,
  passMinute,
  receive,
  type Setup,
  setUp,
  transportOf,
} from '../outbox-rig.js';

describe('over HTTP', () => {
  it('an event and its attachments arrive in one envelope and are delivered', async () => {
    const receiver = await receive();
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
    const event = createEvent({ message: 'ü' });
    capture(event, [file, { filename: 'b.txt', data: 'ö', contentType: 'text/plain' }]);
    expect(balance()).toEqual({ error: { captured: 1, queued: 1 }, attachment: { captured: 2, queued: 2 } });
    expect(await outbox.flush(5000)).toBe(true);
    expect(balance()).toEqual({ error: { captured: 1, delivered: 1 }, attachment: { captured: 2, delivered: 2 } });
    expect(receiver.envelopes).toHaveLength(1);
    expect(receiver.events).toEqual([event]);
    expect(receiver.attachments.map(({ headers, payload }) => [headers, payload])).toEqual([
      [{ type: 'attachment', filename: 'a.bin', length: 3 }, Buffer.from([0, 10, 255])],
      [{ type: 'attachment', filename: 'b.txt', content_type: 'text/plain', length: 2 }, Buffer.from('ö')],
    ]);
    expect(receiver.violations).toEqual([]);
  });

  it('a transaction is delivered with all its spans', async () => {
    const receiver = await receive();
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
    capture(createTransaction(3));
    await outbox.flush(5000);
    expect(balance()).toEqual({ transaction: { captured: 1, delivered: 1 }, span: { captured: 4, delivered: 4 } });
    expect(receiver.violations).toEqual([]);
  });

  it('an event larger than the threshold arrives, too', async () => {
    const receiver = await receive();
    const { outbox, capture } = setUp({ dsn: receiver.dsn });
    capture(createEvent({ message: 'x'.repeat(100_000) }));
    await outbox.flush(5000);
    expect(receiver.events[0]!.message).toHaveLength(100_000);
    expect(receiver.requests[0]!.wireBytes).toBeLessThan(10_000);
  });

  it('the trace is in the header of the envelope', async () => {
    const receiver = await receive();
    const { outbox, capture } = setUp({ dsn: receiver.dsn });
    const dsc = { trace_id: 'a'.repeat(32), public_key: 'ab12', sampled: 'true' };
    capture(createEvent({ sdkProcessingMetadata: { dynamicSamplingContext: dsc } }));
    await outbox.flush(5000);
    expect(receiver.envelopes[0]!.headers.trace).toEqual(dsc);
  });

  it('a tunnel takes the place of the destination, events and reports alike', async () => {
    const receiver = await receive({ tunnelPath: '/tunnel' });
    const { outbox, ledger, capture } = setUp({ dsn: receiver.dsn, tunnel: `${receiver.url}/tunnel` });
    capture();
    ledger.captureAndDiscard('before_send', [['error', 1]]);
    await outbox.flush(5000);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/tunnel', '/tunnel']);
    expect(receiver.envelopes.map(({ headers }) => headers.dsn)).toEqual([receiver.dsn, receiver.dsn]);
    expect(receiver.violations).toEqual([]);
  });

  it('30 events are under way at once while the destination does not answer', async () => {
    const receiver = await receive({ respond: { hang: true } });
    const { capture, balance } = setUp({ dsn: receiver.dsn });
    for (let i = 0; i < 30; i++) capture();
    await receiver.waitFor(({ requests }) => requests.length === 30);
    expect(balance()).toEqual({ error: { captured: 30, queued: 30 } });
  });

  it('2000 events at once leave 1000 delivered and 1000 reported as overflow', async () => {
    const receiver = await receive();
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
    for (let i = 0; i < 2000; i++) capture();
    expect(await outbox.flush(10_000)).toBe(true);
    expect(balance()).toEqual({ error: { captured: 2000, delivered: 1000, discarded: 1000 } });
    expect(receiver.events).toHaveLength(1000);
    expect(receiver.discards()).toEqual([{ reason: 'queue_overflow', category: 'error', quantity: 1000 }]);
  });
});

describe('what an answer means:', () => {
  const lost = { captured: 1, discarded: 1 };
  const rows: [statusCode: number, balance: object, reason: string | undefined][] = [
    [200, { captured: 1, delivered: 1 }, undefined],
    [202, { captured: 1, delivered: 1 }, undefined],
    [302, lost, 'send_error'],
    [400, lost, 'send_error'],
    [403, lost, 'send_error'],
    [413, lost, 'send_error'],
    [500, lost, 'send_error'],
    [501, lost, 'send_error'],
  ];
  it.each(rows)('%d', async (statusCode, error, reason) => {
    const receiver = await receive({ respond: { statusCode } });
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
    capture();
    await outbox.flush(5000);
    expect(balance()).toEqual({ error });
    receiver.respondWith();
    await outbox.flush(5000);
    expect(receiver.discards()).toEqual(reason ? [{ reason, category: 'error', quantity: 1 }] : []);
  });

  it('429 is a loss that the destination has counted, and closes it for what follows, which it has not', async () => {
    const receiver = await receive({ respond: { statusCode: 429 } });
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
    capture();
    await outbox.flush(5000);
    receiver.respondWith();
    capture(createTransaction(1), [file]);
    await outbox.flush(5000);
    expect(receiver.requests).toHaveLength(1);
    passMinute();
    await outbox.flush(5000);
    expect(balance()).toEqual({
      error: { captured: 1, discarded: 1 },
      transaction: { captured: 1, discarded: 1 },
      span: { captured: 2, discarded: 2 },
      attachment: { captured: 1, discarded: 1 },
    });
    expect(receiver.discards()).toEqual([
      { reason: 'ratelimit_backoff', category: 'transaction', quantity: 1 },
      { reason: 'ratelimit_backoff', category: 'span', quantity: 2 },
      { reason: 'ratelimit_backoff', category: 'attachment', quantity: 1 },
    ]);
  });

  it('a limit on attachments lets the event leave alone', async () => {
    const receiver = await receive({ respond: { headers: { 'x-sentry-rate-limits': '60:attachment:key' } } });
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
    capture(createEvent(), [file]);
    await outbox.flush(5000);
    capture(createEvent(), [file]);
    await outbox.flush(5000);
    expect(balance()).toEqual({
      error: { captured: 2, delivered: 2 },
      attachment: { captured: 2, delivered: 1, discarded: 1 },
    });
    expect(receiver.envelopes[1]!.items.map(({ headers }) => headers.type)).toEqual(['event']);
  });
});

describe('flush', () => {
  it('waits for answers, and is true when all have come', async () => {
    const receiver = await receive({ respond: { delayMillis: 50 } });
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
    capture();
    expect(await outbox.flush()).toBe(true);
    expect(balance()).toEqual({ error: { captured: 1, delivered: 1 } });
  });

  it('is false when time is up', async () => {
    const receiver = await receive({ respond: { hang: true } });
    const { outbox, capture } = setUp({ dsn: receiver.dsn });
    capture();
    expect(await outbox.flush(20)).toBe(false);
  });

  it.each([
    ['says no', async () => false, false],
    ['says nothing', async () => undefined, true],
    ['is no function', 5, true],
    ['never ends', () => NEVER, false],
    ['rejects', () => Promise.reject(new Error('flush')), true],
  ])('of a transport whose own flush %s', async (_, flush, expected) => {
    const { outbox, capture } = setUp({ transport: transportOf(async () => ({}), { flush }) });
    capture();
    expect(await outbox.flush(20)).toBe(expected);
  });

  it('hands its time on to the transport', async () => {
    const flush = vi.fn(async () => true);
    const { outbox } = setUp({ transport: transportOf(async () => ({}), { flush }) });
    await outbox.flush(1234);
    expect(flush).toHaveBeenCalledExactlyOnceWith(1234);
  });
});

describe('close', () => {
  it('ends what is under way and what waits as network errors; what comes later is disabled', async () => {
    const receiver = await receive({ respond: { hang: true } });
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
    for (let i = 0; i < 40; i++) capture();
    await receiver.waitFor(({ requests }) => requests.length === 32);
    outbox.close();
    expect(await outbox.flush(5000)).toBe(true);
    expect(balance()).toEqual({ error: { captured: 40, discarded: 40 } });
    capture(createEvent(), [file]);
    expect(balance()).toEqual({
      error: { captured: 41, discarded: 41 },
      attachment: { captured: 1, discarded: 1 },
    });
    expect(receiver.requests).toHaveLength(32);
  });

  it('counts what a custom transport never answers', () => {
    const { outbox, capture, balance } = setUp({ transport: transportOf(() => NEVER) });
    capture();
    outbox.close();
    expect(balance()).toEqual({ error: { captured: 1, discarded: 1 } });
  });

  it('may come twice, and stops the timer of the reports', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { outbox } = setUp();
    expect(vi.getTimerCount()).toBe(1);
    outbox.close();
    outbox.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('without a destination everything is disabled, and flushed:', () => {
  it.each<[what: string, setup: Setup]>([
    ['no DSN', { dsn: '' }],
    ['not enabled', { enabled: false }],
    ['a tunnel that is no absolute URL', { tunnel: '/tunnel' }],
    ['a tunnel that is not HTTP', { tunnel: 'ftp://127.0.0.1/tunnel' }],
  ])('%s', async (_, setup) => {
    const { outbox, ledger, capture, balance } = setUp(setup);
    capture(createTransaction(1), [file]);
    expect(balance()).toEqual({
      transaction: { captured: 1, discarded: 1 },
      span: { captured: 2, discarded: 2 },
      attachment: { captured: 1, discarded: 1 },
    });
    expect(ledger.takeUnreported()).toEqual([]);
    expect(await outbox.flush()).toBe(true);
    outbox.close();
  });
});
