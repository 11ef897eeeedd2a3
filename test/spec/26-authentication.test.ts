import { describe, expect, it } from 'vitest';
import { captureMessage, close, init } from '../../src/index.js';
import { expectConservation } from '../support/conservation.js';
import { startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry } from '../support/story.js';
import { send, sendNothing } from './send.js';

describe('Authentication', () => {
  it('dsn names the destination: host, path and project', async () => {
    const receiver = await startReceiver({ path: '/errors/eu' });
    const client = init({ dsn: receiver.dsn });
    captureMessage('m');
    await expectConservation(client, receiver);
    expect(receiver.requests.map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/errors/eu/api/1/envelope/'],
    ]);
    expect(receiver.events).toHaveLength(1);
    await close();
    await receiver.close();
    resetOpenTelemetry();
  });

  it('dsn is needed for sending data: without a usable one, nothing is sent', async () => {
    for (const dsn of [undefined, '', 'nowhere', 'https://errors.example.com/1', 'ftp://key@127.0.0.1/1']) {
      await sendNothing(() => captureMessage('m'), { dsn });
    }
  });

  it('transportOptions.headers adds request headers, also such as a proxy asks for', async () => {
    const headers = { 'x-team': 'shop', authorization: 'Bearer for-the-proxy' };
    const { requests } = await send(() => captureMessage('m'), { transportOptions: { headers } });
    expect(requests.map((request) => request.headers)).toEqual([expect.objectContaining(headers)]);
  });

  it('the key of the dsn goes with each request as sentry_key, by which the destination knows its senders', async () => {
    const receiver = await startReceiver();
    const dsn = new URL(receiver.dsn);
    const { username: key } = dsn;
    for (const username of [key, key.replaceAll(/./g, 'a')]) {
      dsn.username = username;
      const client = init({ dsn: dsn.href });
      captureMessage('m');
      await client.close();
      resetOpenTelemetry();
    }
    const events = receiver.requests.filter(({ envelope }) => envelope?.items[0]?.headers.type === 'event');
    expect(events.map(({ query }) => query.get('sentry_key') === key)).toEqual([true, false]);
    expect(receiver.events).toHaveLength(1);
    await receiver.close();
  });
});
