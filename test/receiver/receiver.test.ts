import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type EnvelopeItemType, traitsOf } from '../../src/model/delivery/item-types.js';
import {
  ENVELOPE_TYPE,
  EVENT,
  EVENT_ID,
  envelopeBytes,
  event,
  postEnvelope,
  report,
  TRANSACTION,
  transaction,
} from '../support/envelope-bytes.js';
import { type Receiver, type ReceiverOptions, startReceiver } from '../support/receiver.js';

/** The compiler wants all of them. */
const KNOWN_TYPES: Record<EnvelopeItemType, true> = {
  event: true,
  feedback: true,
  transaction: true,
  profile: true,
  replay_event: true,
  attachment: true,
  session: true,
  sessions: true,
  client_report: true,
};

let receiver: Receiver;
const start = async (options?: ReceiverOptions) => {
  receiver = await startReceiver(options);
};
afterEach(() => receiver.close());

const post = (body: Uint8Array, headers?: Record<string, string>, path?: string) =>
  postEnvelope(receiver, body, headers, path);

describe('what arrives', () => {
  it('is sorted by kind and counted by category, a transaction with its spans', async () => {
    await start();
    await post(event());
    await post(transaction());
    await post(
      envelopeBytes(
        { event_id: EVENT_ID },
        [{ type: 'event' }, JSON.stringify(EVENT)],
        [{ type: 'attachment', filename: 'a.bin' }, Buffer.from([0x0a, 0xff])],
      ),
    );
    await post(report({ reason: 'sample_rate', category: 'error', quantity: 3 }));

    expect(receiver.violations).toEqual([]);
    expect(receiver.events).toEqual([EVENT, EVENT]);
    expect(receiver.transactions).toEqual([TRANSACTION]);
    expect(receiver.attachments.map(({ headers, payload }) => [headers.filename, payload])).toEqual([
      ['a.bin', Buffer.from([0x0a, 0xff])],
    ]);
    expect(receiver.counts()).toEqual({ error: 2, transaction: 1, span: 2, attachment: 1, internal: 1 });
    expect(receiver.requests.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  });

  it('is counted by the category by which the SDK counts it', async () => {
    await start();
    const types = Object.keys(KNOWN_TYPES) as EnvelopeItemType[];
    for (const type of types) await post(envelopeBytes({}, [{ type }, '{}']));
    const categories = types.map((type) => traitsOf(type).category);
    expect(Object.keys(receiver.counts()).sort(), 'CATEGORY_OF in src/receiver/inbox.ts').toEqual(
      [...new Set([...categories, 'span'])].sort(),
    );
  });

  it('is answered with the event id', async () => {
    await start();
    expect(await post(event())).toEqual({ statusCode: 200, text: JSON.stringify({ id: EVENT_ID }) });
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('is decompressed: %s', async (encoding, compress) => {
    await start();
    const compressed = compress(event());
    await post(compressed, { 'content-encoding': encoding });
    expect(receiver.events).toEqual([EVENT]);
    expect(receiver.requests.map(({ wireBytes, body }) => [wireBytes, body])).toEqual([[compressed.length, event()]]);
  });

  it('may come with its key in a header', async () => {
    await start();
    const { username } = new URL(receiver.dsn);
    await post(event(), { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${username}` }, '/api/1/envelope/');
    expect([receiver.events, receiver.violations]).toEqual([[EVENT], []]);
  });

  it('may come under the path of the DSN', async () => {
    await start({ path: '/errors/here' });
    await post(event());
    expect([receiver.events, receiver.violations]).toEqual([[EVENT], []]);
  });

  it('may have a key that does not change with each start', async () => {
    await start({ publicKey: 'shop_tests' });
    expect(receiver.dsn).toBe(`http://shop_tests@127.0.0.1:${receiver.port}/1`);
    await post(event());
    expect([receiver.events, receiver.violations]).toEqual([[EVENT], []]);
  });

  it('may come through a tunnel with the DSN in the envelope', async () => {
    await start({ tunnelPath: '/tunnel' });
    const bytes = envelopeBytes({ event_id: EVENT_ID, dsn: receiver.dsn }, [{ type: 'event' }, JSON.stringify(EVENT)]);
    await post(bytes, {}, '/tunnel');
    expect([receiver.events, receiver.violations]).toEqual([[EVENT], []]);
  });

  it('is forgotten on clear', async () => {
    await start();
    await post(event());
    receiver.clear();
    expect([receiver.requests, receiver.events, receiver.counts()]).toEqual([[], [], {}]);
  });
});

describe('losses', () => {
  it('are summed over the client reports, by reason and category', async () => {
    await start();
    await post(report({ reason: 'sample_rate', category: 'error', quantity: 3 }));
    await post(
      report(
        { reason: 'sample_rate', category: 'error', quantity: 2 },
        { reason: 'sample_rate', category: 'span', quantity: 1 },
      ),
    );
    expect(receiver.discards()).toEqual([
      { reason: 'sample_rate', category: 'error', quantity: 5 },
      { reason: 'sample_rate', category: 'span', quantity: 1 },
    ]);
    expect([
      receiver.discardedTotal(),
      receiver.discardedTotal('sample_rate', 'error'),
      receiver.discardedTotal(undefined, 'span'),
      receiver.discardedTotal('before_send'),
    ]).toEqual([6, 5, 1, 0]);
  });

  it('of reports that are malformed are left out, and the reports are violations', async () => {
    await start();
    await post(envelopeBytes({}, [{ type: 'client_report' }, '{"timestamp":1}']));
    await post(report({ reason: 'sample_rate', category: 'error' }, { reason: 1 }));
    expect(receiver.violations).not.toEqual([]);
    expect([receiver.discards(), receiver.discardedTotal()]).toEqual([[], 0]);
  });

  it('that the server caused with 429 are counted apart', async () => {
    await start({ respond: { statusCode: 429 } });
    await post(transaction());
    expect([receiver.counts(), receiver.refused()]).toEqual([{}, { transaction: 1, span: 2 }]);
  });
});

describe('an answer', () => {
  it('other than 2xx means that nothing was received', async () => {
    await start({ respond: () => ({ statusCode: 503, headers: { 'retry-after': '7' }, body: 'later' }) });
    expect(await post(event())).toEqual({ statusCode: 503, text: 'later' });
    expect(receiver.events).toEqual([]);
    expect(receiver.requests.map(({ statusCode, envelope }) => [statusCode, envelope?.items.length])).toEqual([
      [503, 1],
    ]);
  });

  it('can be changed, and changed back', async () => {
    await start();
    receiver.respondWith({ statusCode: 500 });
    expect(await post(event())).toMatchObject({ statusCode: 500 });
    receiver.respondWith();
    expect(await post(event())).toMatchObject({ statusCode: 200 });
  });

  it('can depend on the request', async () => {
    await start({
      respond: ({ envelope }) => ({ statusCode: envelope?.items[0]?.headers.type === 'event' ? 201 : 500 }),
    });
    expect(await post(event())).toMatchObject({ statusCode: 201 });
    expect(await post(transaction())).toMatchObject({ statusCode: 500 });
    expect(receiver.counts()).toEqual({ error: 1 });
  });

  it('can be a connection that is dropped', async () => {
    await start({ respond: { drop: true } });
    await expect(post(event())).rejects.toThrow('fetch failed');
    expect([receiver.requests.length, receiver.events]).toEqual([1, []]);
  });

  it('keeps its DSN when it is closed', async () => {
    await start();
    const { dsn } = receiver;
    await receiver.close();
    expect(receiver.dsn).toBe(dsn);
  });

  it('can be none at all, until the receiver closes', async () => {
    await start({ respond: { hang: true } });
    const posted = post(event());
    await receiver.waitFor(({ requests }) => requests.length === 1);
    await receiver.close();
    await expect(posted).rejects.toThrow('fetch failed');
    expect(receiver.events).toEqual([]);
  });

  it('that comes too late for the sender means that nothing was received', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    await start({
      respond: () => {
        setImmediate(() => controller.abort());
        return { delayMillis: 100 };
      },
    });
    const { username } = new URL(receiver.dsn);
    const url = `${receiver.url}/api/1/envelope/?sentry_key=${username}`;
    await expect(fetch(url, { method: 'POST', headers: ENVELOPE_TYPE, body: event(), signal })).rejects.toThrow(
      'aborted',
    );
    receiver.respondWith();
    await post(event());
    expect(receiver.requests.map(({ statusCode }) => statusCode)).toEqual([undefined, 200]);
    expect([receiver.events.length, receiver.violations]).toEqual([1, []]);
  });
});

describe('waitFor', () => {
  it('gives the first truthy result', async () => {
    await start();
    const waited = receiver.waitFor(({ events }) => events[1]?.event_id);
    await post(event());
    await post(event());
    expect(await waited).toBe(EVENT_ID);
  });

  it('rejects with what was received, when time is up', async () => {
    await start();
    await post(event());
    await expect(receiver.waitFor(({ events }) => events.length === 2, 10)).rejects.toThrow(
      /not within 10 ms.*length === 2.*"error":1/,
    );
  });
});

describe('a request is refused', () => {
  it.each<[string, number, () => Promise<unknown>]>([
    ['at another path', 404, () => post(event(), {}, '/api/1/store/?sentry_key=x')],
    ['with another key', 403, () => post(event(), {}, `/api/1/envelope/?sentry_key=${'0'.repeat(32)}`)],
    ['without a key', 403, () => post(event(), {}, '/api/1/envelope/')],
    ['when it is no envelope', 400, () => post(Buffer.from('{}\nnonsense'))],
    ['when a payload is no JSON', 400, () => post(envelopeBytes({}, [{ type: 'event' }, '{']))],
    ['when it is not compressed as it says', 400, () => post(event(), { 'content-encoding': 'gzip' })],
    ['in an unknown encoding', 400, () => post(event(), { 'content-encoding': 'rot13' })],
  ])('%s', async (_, statusCode, send) => {
    await start();
    expect(await send()).toMatchObject({ statusCode });
    expect([receiver.envelopes, receiver.violations.length]).toEqual([[], 1]);
  });

  it('that is no POST', async () => {
    await start();
    const { status } = await fetch(`${receiver.url}/api/1/envelope/`);
    expect([status, receiver.violations]).toEqual([405, ['GET in place of POST']]);
  });
});
