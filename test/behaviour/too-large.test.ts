import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  addBreadcrumb,
  type Client,
  captureException,
  captureMessage,
  getCurrentScope,
  init,
} from '../../src/index.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry } from '../support/story.js';

/** Servers refuse envelopes above their limit with 413. */

let receiver: Receiver;
let client: Client;
let limit: number;
const warnings: string[] = [];
beforeEach(async () => {
  warnings.length = 0;
  receiver = await startReceiver();
  receiver.respondWith(({ body }) => ({ statusCode: body.length > limit ? 413 : 200 }));
  client = init({ dsn: receiver.dsn });
  const logger = {
    error() {},
    warn: (...parts: unknown[]) => void warnings.push(parts.join(' ')),
    info() {},
    debug() {},
    verbose() {},
  };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
});
afterEach(async () => {
  diag.disable();
  await client.close(2000);
  resetOpenTelemetry();
  await receiver.close();
});

/** Those that the server accepted. */
const accepted = () => receiver.requests.filter(({ statusCode }) => statusCode === 200);
const itemsOf = (type: string) =>
  accepted().flatMap(({ envelope }) => envelope!.items.filter(({ headers }) => headers.type === type));

it('attachments are sent by themselves, so that a large one does not take the event with it', async () => {
  limit = 50_000;
  getCurrentScope().addAttachment({ filename: 'large.txt', data: 'x'.repeat(100_000) });
  getCurrentScope().addAttachment({ filename: 'small.txt', data: 'small' });
  const id = captureMessage('with attachments');
  expect(await client.flush(5000)).toBe(false);
  expect(itemsOf('event')).toHaveLength(1);
  expect(itemsOf('attachment').map(({ headers }) => headers.filename)).toEqual(['small.txt']);
  expect(
    accepted()
      .map(({ envelope }) => envelope!.headers.event_id)
      .filter(Boolean),
  ).toEqual([id, id]);
  expect(client.ledger.balance()).toMatchObject({
    error: { captured: 1, delivered: 1, discarded: 0, queued: 0 },
    attachment: { captured: 2, delivered: 1, discarded: 1, queued: 0 },
  });
  getCurrentScope().clear();
});

it('an error loses its source lines first', async () => {
  limit = 12_000;
  captureException(new Error('boom'));
  expect(await client.flush(5000)).toBe(true);
  const sizes = receiver.requests.map(({ body }) => body.length);
  expect(sizes[0]).toBeGreaterThan(limit);
  const [event] = itemsOf('event');
  expect(JSON.stringify(event!.json)).not.toContain('context_line');
  expect(client.ledger.balance().error).toMatchObject({ captured: 1, delivered: 1, queued: 0 });
  expect(warnings.join()).toMatch(/refused event \w{32} as too large \(\d+ kB\): it is sent again with less/);
});

it('then its oldest breadcrumbs', async () => {
  limit = 60_000;
  for (let i = 0; i < 100; i++) addBreadcrumb({ message: `${i} ${'x'.repeat(1000)}` });
  captureMessage('with breadcrumbs');
  expect(await client.flush(5000)).toBe(true);
  const crumbs = itemsOf('event')[0]!.json!['breadcrumbs'] as { message: string }[];
  expect(crumbs).toHaveLength(50);
  expect(crumbs.at(-1)!.message).toMatch(/^99 /);
});

it('what is still too large is lost, counted and said with its id and size', async () => {
  limit = 200;
  const id = captureMessage('too large');
  await client.flush(5000);
  expect(client.ledger.balance().error).toMatchObject({ captured: 1, delivered: 0, discarded: 1, queued: 0 });
  expect(warnings.join()).toContain(`refused event ${id} as too large`);
  expect(warnings.join()).toContain('it is lost');
});

it('an item that a rate limit has dropped leaves the others of its envelope counted', async () => {
  limit = 60_000;
  const closed = { 'X-Sentry-Rate-Limits': '60:attachment:organization' };
  receiver.respondWith(({ body }) => ({ statusCode: body.length > limit ? 413 : 200, headers: closed }));
  captureMessage('says what is closed');
  await client.flush(5000);
  for (let i = 0; i < 100; i++) addBreadcrumb({ message: `${i} ${'x'.repeat(1000)}` });
  getCurrentScope().addAttachment({ filename: 'a.txt', data: 'dropped' });
  captureMessage('too large');
  await client.flush(5000);
  expect(receiver.requests.map(({ statusCode }) => statusCode)).toContain(413);
  expect(itemsOf('event')).toHaveLength(2);
  expect(client.ledger.balance()).toMatchObject({
    error: { captured: 2, delivered: 2, discarded: 0, queued: 0 },
    attachment: { captured: 1, delivered: 0, discarded: 1, queued: 0 },
  });
  getCurrentScope().clear();
});
