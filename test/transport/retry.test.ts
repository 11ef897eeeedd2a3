import { describe, expect, it } from 'vitest';
import { createEvent, createTransaction, file, receive, setUp } from './outbox-rig.js';

const queued = {
  transaction: { captured: 1, queued: 1 },
  span: { captured: 3, queued: 3 },
  attachment: { captured: 1, queued: 1 },
};
const delivered = {
  transaction: { captured: 1, delivered: 1 },
  span: { captured: 3, delivered: 3 },
  attachment: { captured: 1, delivered: 1 },
};

describe('what cannot be delivered now waits, and is delivered once', () => {
  it.each([
    ['the connection breaks', { drop: true }],
    ['no answer comes in time', { hang: true }],
    ['a proxy answers 408', { statusCode: 408 }],
    ['a proxy answers 502', { statusCode: 502 }],
    ['a proxy answers 503', { statusCode: 503 }],
    ['a proxy answers 504', { statusCode: 504 }],
    ['a load balancer answers 200 with a page', { headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html>' }],
  ])('when %s', async (_, respond) => {
    const receiver = await receive({ respond });
    const options = { transportOptions: { timeoutMillis: 200 }, clock: () => 1_767_571_200_000 };
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn, ...options });
    capture(createTransaction(2), [file]);
    await receiver.waitFor(({ requests }) => requests.length >= 2);
    expect(balance()).toEqual(queued);
    receiver.respondWith();
    expect(await outbox.flush(15_000)).toBe(true);
    expect(balance()).toEqual(delivered);
    expect(receiver.discards()).toEqual([]);
    const [first, ...again] = receiver.requests.map(({ body }) => body);
    for (const body of again) expect(body).toEqual(first);
  });

  it('when nobody listens', async () => {
    const receiver = await receive();
    const { dsn, port } = receiver;
    await receiver.close();
    const { outbox, capture, balance } = setUp({ dsn });
    capture(createTransaction(2), [file]);
    expect(await outbox.flush(300)).toBe(false);
    expect(balance()).toEqual(queued);
    await receiver.listen(port);
    expect(await outbox.flush(15_000)).toBe(true);
    expect(balance()).toEqual(delivered);
    expect(receiver.transactions).toHaveLength(1);
  });
});

it.each([
  ['text', createTransaction(2), []],
  ['bytes', createTransaction(2), [file]],
  ['a large event', createEvent({ message: 'ü'.repeat(300_000) }), []],
])('what is sent again says when, and is the same otherwise: %s', async (_, event, attachments) => {
  const receiver = await receive({ respond: { statusCode: 503 } });
  const clock = { millis: Date.UTC(2026, 0, 5) };
  const { outbox, capture } = setUp({ dsn: receiver.dsn, clock: () => clock.millis });
  capture(event, attachments);
  await receiver.waitFor(({ requests }) => requests.length >= 1);
  clock.millis += 60_000;
  receiver.respondWith();
  expect(await outbox.flush(15_000)).toBe(true);
  const envelopes = receiver.requests.map(({ envelope }) => envelope!);
  const [first, last] = [envelopes.at(0)!, envelopes.at(-1)!];
  expect(first.headers.sent_at).toBe('2026-01-05T00:00:00.000Z');
  expect(last).toEqual({ ...first, headers: { ...first.headers, sent_at: '2026-01-05T00:01:00.000Z' } });
});

it('an outage costs a request per interval, not one per event', async () => {
  const receiver = await receive({ respond: { statusCode: 502 } });
  const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
  capture();
  await receiver.waitFor(({ requests }) => requests.length >= 1);
  for (let i = 0; i < 500; i++) capture();
  await receiver.waitFor(({ requests }) => requests.length >= 3);
  expect(receiver.requests.length).toBeLessThan(40);
  receiver.respondWith();
  expect(await outbox.flush(15_000)).toBe(true);
  expect(balance()).toEqual({ error: { captured: 501, delivered: 501 } });
});

it('Retry-After is obeyed, and no category is closed', async () => {
  const receiver = await receive({ respond: { statusCode: 503, headers: { 'retry-after': '3600' } } });
  const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
  capture();
  expect(await outbox.flush()).toBe(false);
  receiver.respondWith();
  expect(await outbox.flush(1000)).toBe(false);
  expect(receiver.requests).toHaveLength(1);
  expect(balance()).toEqual({ error: { captured: 1, queued: 1 } });
});

it('rate limits of an answer after which others are tried again are obeyed', async () => {
  const headers = { 'x-sentry-rate-limits': '60:error:key' };
  const receiver = await receive({ respond: { statusCode: 503, headers } });
  const { outbox, capture, balance } = setUp({ dsn: receiver.dsn, sendClientReports: false });
  capture();
  await receiver.waitFor(({ requests }) => requests.length >= 1);
  receiver.respondWith();
  capture(createTransaction(0));
  expect(await outbox.flush(15_000)).toBe(true);
  expect(balance()).toEqual({
    error: { captured: 1, discarded: 1 },
    transaction: { captured: 1, delivered: 1 },
    span: { captured: 1, delivered: 1 },
  });
  expect(receiver.requests).toHaveLength(2);
});

it('flush without a timeout gives up when the destination does not answer', async () => {
  const { outbox, capture } = setUp();
  capture();
  expect(await outbox.flush()).toBe(false);
});

it('closing counts what waits for the destination', async () => {
  const { outbox, capture, balance } = setUp();
  capture(createTransaction(2), [file]);
  expect(await outbox.flush(100)).toBe(false);
  outbox.close();
  expect(balance()).toEqual({
    transaction: { captured: 1, discarded: 1 },
    span: { captured: 3, discarded: 3 },
    attachment: { captured: 1, discarded: 1 },
  });
});

it('what cannot be serialized is not tried again, and holds nothing up', async () => {
  const receiver = await receive();
  const { outbox, capture, balance } = setUp({ dsn: receiver.dsn });
  const data = new Uint8Array([1, 2, 3]);
  capture(createTransaction(0), [{ filename: 'gone', data }]);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  capture(createTransaction(0));
  expect(await outbox.flush(15_000)).toBe(true);
  expect(balance()).toMatchObject({ transaction: { captured: 2 } });
  expect(balance().transaction?.queued).toBeUndefined();
});
