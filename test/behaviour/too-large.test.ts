import { type Attributes, DiagLogLevel, diag, SpanKind } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  type Client,
  captureEvent,
  captureException,
  captureMessage,
  getCurrentScope,
  init,
  startSpan,
} from '../../src/index.js';
import { expectConservation } from '../support/conservation.js';
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
  client = init({ dsn: receiver.dsn, tracesSampleRate: 1 });
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

it('before these, most of its data and of the body, whatever its text', async () => {
  const BINARY = '\u0001漢'.repeat(500_000);
  limit = 1024 * 1024;
  for (let i = 0; i < 100; i++) addBreadcrumb({ message: `${i}` });
  captureEvent({
    message: 'import failed',
    extra: { rows: Array.from({ length: 1000 }, (_, i) => ({ i, text: 'x'.repeat(300) })) },
    request: { url: 'http://localhost/import', data: BINARY },
    exception: { values: [{ type: 'Error', value: 'boom', stacktrace: { frames: [{ context_line: 'fail();' }] } }] },
  });
  expect(await client.flush(20_000)).toBe(true);
  expect(receiver.requests.map(({ statusCode }) => statusCode)).toEqual([413, 200]);
  const { request, extra, breadcrumbs, exception } = receiver.events[0]!;
  expect(request).toEqual({ url: 'http://localhost/import', data: `${BINARY.slice(0, 128 * 1024)}...` });
  const rows = extra['rows'] as unknown[];
  expect([rows[0], rows.at(-1)]).toEqual([{ i: 0, text: 'x'.repeat(300) }, '[MaxSize ~]']);
  expect(breadcrumbs).toHaveLength(100);
  expect(exception.values[0]!.stacktrace.frames[0]!.context_line).toBe('fail();');
  expect(client.ledger.balance().error).toMatchObject({ captured: 1, delivered: 1, discarded: 0, queued: 0 });
});

it('then its oldest breadcrumbs, in steps', async () => {
  limit = 40_000;
  for (let i = 0; i < 100; i++) addBreadcrumb({ message: `${i} ${'x'.repeat(1000)}` });
  captureMessage('with breadcrumbs');
  expect(await client.flush(5000)).toBe(true);
  expect(itemsOf('event')[0]!.json!['breadcrumbs']).toHaveLength(25);
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

describe('what takes more bytes than characters arrives at a server that accepts 1 MiB per item:', () => {
  const MEBIBYTE = 1024 * 1024;
  const SCRIPTS = [
    ['Chinese', '漢'],
    ['control characters', '\u0001'],
    ['quotes', '"'],
  ];
  const KINDS: [string, (text: (length: number) => string) => Attributes[]][] = [
    ['names', (text) => Array(1000).fill({ 'db.system': 'postgresql', 'db.statement': text(400) })],
    ['short attributes', (text) => Array(1000).fill({ text: text(450) })],
    ['long attributes', (text) => Array(40).fill({ text: text(15_000) })],
    ['lists', (text) => Array(100).fill({ list: Array.from({ length: 100 }, () => text(100)) })],
    ['few spans, each of them large', (text) => Array(3).fill(membersOf(60, text(8_000)))],
  ];
  const membersOf = <T>(count: number, value: T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`member${i}`, value]));

  beforeEach(() => {
    limit = MEBIBYTE;
    receiver.respondWith(({ envelope }) => {
      const isTooLarge = envelope!.items.some(({ payload }) => payload.length > limit);
      return { statusCode: isTooLarge ? 413 : 200 };
    });
  });

  function sendTrace(children: readonly Attributes[]): void {
    startSpan({ name: 'root' }, () => {
      for (const attributes of children)
        startSpan({ name: 'child', kind: SpanKind.CLIENT, attributes }, () => undefined);
    });
  }

  async function expectDelivered(counts: object): Promise<void> {
    expect(await client.flush(20_000)).toBe(true);
    expect(client.ledger.balance()).toMatchObject(counts);
    await expectConservation(client, receiver);
  }

  for (const [script, character] of SCRIPTS) {
    const text = (length: number) => character!.repeat(length);

    it.each(KINDS)(`a trace with ${script} in %s`, async (_, childrenOf) => {
      const children = childrenOf(text);
      sendTrace(children);
      const spans = children.length + 1;
      await expectDelivered({ span: { captured: spans, delivered: spans } });
      expect(receiver.requests.map(({ statusCode }) => statusCode)).not.toContain(413);
      expect(receiver.violations).toEqual([]);
    });

    it(`an error with ${script} in its data, contexts, tags and breadcrumbs, the latest of them`, async () => {
      const scope = getCurrentScope();
      scope.setContext('text', membersOf(5, text(15_000)));
      for (let i = 0; i < 100; i++) scope.addBreadcrumb({ message: `${i}`, data: { text: text(8_000) } });
      scope.setTags(membersOf(50, text(200)));
      captureException(new Error(text(10_000)), { extra: membersOf(10, text(15_000)) });
      scope.clear();
      await expectDelivered({ error: { captured: 1, delivered: 1 } });
      const [event] = receiver.events;
      expect(event!.extra['member0']).toBe(text(15_000));
      expect(event!.contexts['text']).toHaveProperty('member4', text(15_000));
      expect(event!.breadcrumbs.at(-1)).toMatchObject({ message: '99' });
      expect(receiver.requests.map(({ statusCode }) => statusCode)).not.toContain(413);
    });
  }

  it('a large trace beside much data of a scope, and one with a large body', async () => {
    const children = Array(1000).fill({ 'db.system': 'postgresql', 'db.statement': 'o.column, '.repeat(40) });
    const scope = getCurrentScope();
    scope.setExtras(membersOf(30, 'x'.repeat(15_000)));
    sendTrace(children);
    scope.clear();
    scope.addEventProcessor((event) => ({ ...event, request: { data: '漢'.repeat(400_000) } }));
    sendTrace([{}]);
    scope.clear();
    await expectDelivered({ span: { captured: 1003, delivered: 1003, discarded: 0 } });
    expect(receiver.requests.map(({ statusCode }) => statusCode)).toContain(413);
    expect(receiver.transactions.reduce((sum, { spans }) => sum + spans.length + 1, 0)).toBe(1003);
  });

  it('numbers with many digits in lists, of spans and of an error', async () => {
    const vectors = membersOf(
      20,
      Array.from({ length: 1000 }, (_, i) => 1 / (i + 3)),
    );
    sendTrace(Array(10).fill(vectors));
    captureException(new Error('boom'), { extra: membersOf(5, vectors) });
    await expectDelivered({ span: { captured: 11, delivered: 11 }, error: { captured: 1, delivered: 1 } });
    expect(receiver.requests.map(({ statusCode }) => statusCode)).not.toContain(413);
  });
});
