import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Client, captureEvent, captureException, init, type Scope, startSpan } from '../../src/index.js';
import type { Attachment } from '../../src/model/event/attachment.js';
import type { Event } from '../../src/model/event/event.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry } from '../support/story.js';

/** Values are cut by normalization; these are the names around them, and what is searched before it is cut. */

const LONG = 'long '.repeat(60_000);
const MAX_BYTES = 100_000;
const NOW = 1_700_000_000;

let receiver: Receiver;
let client: Client;
beforeEach(async () => {
  receiver = await startReceiver();
  client = init({ dsn: receiver.dsn, tracesSampleRate: 1, defaultIntegrations: false, serverName: LONG });
});
afterEach(async () => {
  await client.close(2000);
  await receiver.close();
  resetOpenTelemetry();
});

const scopes: Record<string, (scope: Scope) => unknown> = {
  'the name of a context': (scope) => scope.setContext(LONG, { a: 1 }),
  'the type of a breadcrumb': (scope) => scope.addBreadcrumb({ type: LONG }),
  'the category of a breadcrumb': (scope) => scope.addBreadcrumb({ category: LONG }),
  'another member of a breadcrumb': (scope) => scope.addBreadcrumb({ other: LONG } as never),
  'a tag': (scope) => scope.setTag(LONG, LONG),
};

it.each(Object.entries(scopes))('%s is cut', async (_, change) => {
  captureException(new Error('with a long name'), (scope) => void change(scope));
  await client.flush(5000);
  expect(receiver.events).toHaveLength(1);
  expect(receiver.requests[0]!.body.length).toBeLessThan(MAX_BYTES);
});

const times = { start_timestamp: NOW, timestamp: NOW + 1 };
const span = { ...times, trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), data: {} };
const long = { [LONG]: { value: 1, unit: 'none' } };
const events: Record<string, Event> = {
  'a module': { modules: { [LONG]: '1.0.0' } },
  'a member that the protocol does not have': { [LONG]: 1 } as Event,
  'a measurement': { type: 'transaction', transaction: 'work', ...times, measurements: long },
  'a measurement of a span': {
    type: 'transaction',
    transaction: 'work',
    ...times,
    spans: [{ ...span, measurements: long }],
  },
};

it.each(Object.entries(events))('the name of %s is cut', async (_, event) => {
  captureEvent(event);
  await client.flush(5000);
  expect(receiver.counts()).toMatchObject(event.type ? { transaction: 1 } : { error: 1 });
  expect(receiver.requests[0]!.body.length).toBeLessThan(MAX_BYTES);
});

it.each<keyof Attachment>(['filename', 'contentType', 'attachmentType'])(
  'the %s of an attachment is cut',
  async (member) => {
    captureException(new Error('with a file'), { attachments: [{ filename: 'a', data: 'content', [member]: LONG }] });
    await client.flush(5000);
    expect(receiver.attachments.map(({ payload }) => payload.toString())).toEqual(['content']);
    expect(receiver.requests[0]!.body.length).toBeLessThan(MAX_BYTES);
  },
);

it.each(['db.statement', 'url.full', 'http.target', 'exception.message', 'process.command_line'])(
  'of a long %s only what is sent is searched for secrets',
  async (key) => {
    const cpuMicros = async (value: string) => {
      startSpan({ name: value, attributes: { 'db.system': 'mysql', [key]: value } }, () => undefined);
      const before = process.cpuUsage();
      await client.flush(10_000);
      return process.cpuUsage(before).user;
    };
    const limit = 'token=a&'.repeat(2048);
    await cpuMicros(limit);
    const ofLimit = await cpuMicros(limit);
    expect(await cpuMicros(limit.repeat(200))).toBeLessThan(ofLimit * 4 + 100_000);
  },
);

it('1,000 spans with long statements leave in transactions whose size servers accept', async () => {
  const statement = `SELECT ${'column, '.repeat(7000)}last`;
  startSpan({ name: 'root' }, () => {
    for (let i = 0; i < 999; i++) {
      startSpan({ name: statement, attributes: { 'db.system': 'mysql', 'db.statement': statement } }, () => undefined);
    }
  });
  await client.flush(10_000);
  expect(receiver.transactions.flatMap(({ spans }) => [spans, ...spans])).toHaveLength(1000);
  for (const { payload } of receiver.items('transaction')) expect(payload.length).toBeLessThan(2_000_000);
});

it('the attributes of a link are cut', async () => {
  startSpan({ name: 'with a link' }, (span) => {
    span.addLink({ context: span.spanContext(), attributes: { [LONG]: LONG, a: LONG } });
  });
  await client.flush(5000);
  expect(receiver.transactions[0]!.contexts.trace.links).toHaveLength(1);
  expect(receiver.requests[0]!.body.length).toBeLessThan(MAX_BYTES);
});
