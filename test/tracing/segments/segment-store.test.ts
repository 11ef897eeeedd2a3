import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Attributes, SpanKind } from '@opentelemetry/api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TransactionEvent } from '../../../src/model/event/event.js';
import type { Options } from '../../../src/model/options.js';
import { createProcessorRig } from '../processor-rig.js';

const MEGABYTE = 1024 * 1024;
const MINUTE_MILLIS = 60_000;

afterEach(() => void vi.useRealTimers());

describe('a segment', () => {
  it('leaves as one transaction when its root has ended, with the children that have ended', async () => {
    const { client, start, names } = createProcessorRig();
    const root = start('root');
    start('first', root).end();
    const second = start('second', root);
    start('leaf', second).end();
    second.end();
    expect(names()).toEqual([]);
    root.end();
    await client.flush();
    expect(names()).toEqual([['root', 'first', 'leaf', 'second']]);
  });

  it('takes along children that end in the same tick as its root', async () => {
    const { start, names } = createProcessorRig();
    const root = start('root');
    const child = start('child', root);
    root.end();
    child.end();
    expect(names()).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(names()).toEqual([['root', 'child']]);
  });

  it('a child that ends after its root has left is a transaction of its own', async () => {
    const { client, start, names } = createProcessorRig();
    const root = start('root');
    const child = start('child', root);
    root.end();
    await client.flush();
    child.end();
    expect(names()).toEqual([['root'], ['child']]);
  });

  it('with more children than one transaction may carry leaves in several', async () => {
    const { client, sent, start } = createProcessorRig();
    const root = start('root');
    for (let i = 0; i < 2500; i++) start(`child ${i}`, root).end();
    root.end();
    await client.flush();
    expect(sent.map(({ spans }) => spans!.length)).toEqual([999, 999, 500]);
    expect(client.ledger.balance().span).toEqual({
      captured: 2501,
      delivered: 2501,
      discarded: 0,
      queued: 0,
      stored: 0,
      recovered: 0,
    });
  });
});

describe('children that together are more than servers accept leave in several transactions,', () => {
  const MAX_ENVELOPE_LENGTH = MEGABYTE;
  const QUERY = {
    'db.system': 'postgresql',
    'db.name': 'shop',
    'db.connection_string': 'postgresql://db.internal:5432/shop',
    'net.peer.name': 'db.internal',
    'net.peer.port': 5432,
    'db.user': 'shop',
  };

  async function sendChildren(attributes: Attributes, options: Options) {
    const { client, sent, start } = createProcessorRig(options);
    const root = start('GET /report');
    for (let i = 0; i < 1000; i++) start('pg.query:SELECT shop', root, { kind: SpanKind.CLIENT, attributes }).end();
    root.end();
    await client.flush();
    expect(client.ledger.balance().span).toMatchObject({ captured: 1001, delivered: 1001, queued: 0 });
    return sent.map((event) => JSON.stringify(event));
  }

  it.each([
    ['database statements', 400, {}],
    ['long database statements', 1200, {}],
    ['very long database statements', 15_000, {}],
    ['database statements, shown to a hook,', 800, { beforeSendTransaction: (event: TransactionEvent) => event }],
  ])('each small enough and with all attributes: %s', async (_, length, options) => {
    const statement = `SELECT ${'o.column, '.repeat(length / 10)}1 FROM orders o WHERE o.id = $1`;
    const parts = await sendChildren({ ...QUERY, 'db.statement': statement }, options);

    for (const part of parts) {
      expect(part.length).toBeLessThan(MAX_ENVELOPE_LENGTH);
      expect(part).not.toContain('[MaxSize ~]');
    }
  });

  it('and in one while they are less', async () => {
    expect(await sendChildren({ 'code.function.name': 'renderRow' }, {})).toHaveLength(1);
  });
});

it('of children with many long strings, no attribute is lost', async () => {
  const { client, sent, start } = createProcessorRig();
  const root = start('agent');
  const attributes = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`prompt.${i}`, 'x'.repeat(16_000)]));
  for (let i = 0; i < 20; i++) start('completion', root, { attributes }).end();
  root.end();
  await client.flush();
  const texts = sent.map((event) => JSON.stringify(event));
  for (const text of texts) expect(text.length).toBeLessThan(MEGABYTE);
  expect(texts.join('').match(/"prompt\.\d":"x{16000}"/g)).toHaveLength(20 * 6);
});

it('of strings that are cut when they are sent, only that much counts for the size of a transaction', async () => {
  const { client, start, names } = createProcessorRig();
  const root = start('chat');
  for (let i = 0; i < 10; i++) start('completion', root, { attributes: { prompt: 'x'.repeat(100_000) } }).end();
  root.end();
  await client.flush();
  expect(names()).toHaveLength(1);
});

describe('spans that wait for the end of their root', () => {
  it('are counted as queued from the moment they end', async () => {
    const { client, start } = createProcessorRig();
    const root = start('root');
    for (let i = 0; i < 10; i++) start('child', root).end();
    expect(client.ledger.balance().span).toMatchObject({ captured: 10, queued: 10 });
    root.end();
    expect(client.ledger.balance().span).toMatchObject({ captured: 11, queued: 11 });
    await client.flush();
    expect(client.ledger.balance().span).toMatchObject({ captured: 11, delivered: 11, queued: 0 });
  });

  it('leave early, those of the largest roots first, when all of them take more than 64 MiB', () => {
    const { sent, start } = createProcessorRig();
    const attributes = { text: 'x'.repeat(6 * MEGABYTE) };
    const small = start('small');
    start('child of small', small).end();
    const large = start('large');
    for (let i = 0; i < 10; i++) start(`child ${i}`, large, { attributes }).end();
    expect(sent).toEqual([]);
    const other = start('other');
    start('child of other', other, { attributes }).end();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ transaction: 'child 0' });
    expect(sent[0]!.spans).toHaveLength(9);
  });

  it('are bounded in number over all roots', () => {
    const { client, sent, start } = createProcessorRig();
    const roots = Array.from({ length: 60 }, (_, i) => start(`root ${i}`));
    for (let i = 0; i < 990; i++) for (const root of roots) start('child', root).end();
    const left = sent.reduce((sum, { spans }) => sum + spans!.length + 1, 0);
    expect(left).toBeGreaterThanOrEqual(60 * 990 - 50_000);
    expect(client.ledger.balance().span).toMatchObject({ captured: 60 * 990, delivered: left });
    expect(client.ledger.balance().span!.queued).toBeLessThanOrEqual(50_000);
  });

  it('of roots that never end are sent without these when the client is closed', async () => {
    const { client, start, names } = createProcessorRig();
    const root = start('root');
    start('child', root).end();
    await client.close();
    expect(names()).toEqual([['child']]);
  });

  it('stay with their root when something is flushed meanwhile', async () => {
    const { client, start, names } = createProcessorRig();
    const root = start('root');
    start('child', root).end();
    await client.flush();
    expect(names()).toEqual([]);
    root.end();
    await client.flush();
    expect(names()).toEqual([['root', 'child']]);
  });

  it('leave with the next flush when so many roots are open that these seem not to end', async () => {
    const { client, start } = createProcessorRig();
    const roots = Array.from({ length: 3000 }, () => start('root'));
    for (const root of roots) start('child', root).end();
    expect(client.ledger.balance().span).toMatchObject({ captured: 3000, delivered: 2000, queued: 1000 });
    await client.flush();
    expect(client.ledger.balance().span).toMatchObject({ captured: 3000, delivered: 3000, queued: 0 });
    for (const root of roots) root.end();
    await client.flush();
    expect(client.ledger.balance().span).toMatchObject({ captured: 6000, delivered: 6000, queued: 0 });
  });
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, new Date(Number.NaN), -1e15])(
  'a span with the start %s is sent as one that begins when it ends',
  async (startTime) => {
    const { client, start, sent } = createProcessorRig();
    const root = start('root');
    start('child', root, { startTime }).end();
    root.end();
    start('other', undefined, { startTime }).end();
    await client.flush();
    expect(sent.map(({ transaction }) => transaction)).toEqual(['root', 'other']);
    for (const { start_timestamp: begin, timestamp: end } of [...sent, ...sent[0]!.spans!]) {
      expect([begin! > 0, end! >= begin!]).toEqual([true, true]);
    }
    expect(client.ledger.discards()).toEqual([]);
  },
);

it('a span that starts below a root of a closed client is counted', async () => {
  const { client, start } = createProcessorRig();
  const root = start('root');
  await client.close();
  start('late', root).end();
  root.end();
  expect(client.ledger.discards()).toEqual([
    { reason: 'buffer_overflow', category: 'transaction', quantity: 1 },
    { reason: 'buffer_overflow', category: 'span', quantity: 1 },
    { reason: 'disabled', category: 'span', quantity: 1 },
  ]);
});

describe('spans that never end', () => {
  it('are counted when the client is closed, and ignored when they end after all', async () => {
    const { client, start, names } = createProcessorRig();
    const root = start('root');
    const children = Array.from({ length: 1000 }, () => start('child', root));
    start('done', root).end();
    await client.close();
    const lost = { captured: 1002, delivered: 1, discarded: 1001, queued: 0, stored: 0, recovered: 0 };
    expect(client.ledger.balance()).toMatchObject({
      span: lost,
      transaction: { captured: 2, delivered: 1, discarded: 1 },
    });
    for (const child of children) child.end();
    root.end();
    expect(client.ledger.balance().span).toEqual(lost);
    expect(names()).toEqual([['done']]);
  });

  it('below a root that has ended are counted, too', async () => {
    const { client, start } = createProcessorRig();
    const root = start('root');
    for (let i = 0; i < 1000; i++) start('child', root);
    root.end();
    await client.flush();
    expect(client.ledger.balance().span).toMatchObject({ captured: 1, delivered: 1 });
    await client.close();
    expect(client.ledger.balance().span).toMatchObject({ captured: 1001, delivered: 1, discarded: 1000, queued: 0 });
  });

  it('leave nothing queued for a client that was closed before they started', async () => {
    const { client, start } = createProcessorRig();
    const listeners = process.listenerCount('beforeExit');
    await client.close();
    const root = start('root');
    start('child', root).end();
    expect(client.ledger.balance().span).toMatchObject({ captured: 1, discarded: 1, queued: 0 });
    start('second child', root).end();
    root.end();
    await client.flush();
    expect(client.ledger.balance()).toMatchObject({
      span: { captured: 3, discarded: 3, queued: 0 },
      transaction: { captured: 1, discarded: 1 },
    });
    expect(process.listenerCount('beforeExit')).toBe(listeners);
  });

  it('are counted when the process ends, and not when a listener for that ends them', async () => {
    const { client, start, names } = createProcessorRig();
    const root = start('root');
    start('child', root).end();
    start('open child', root);
    const other = start('other');
    client.storeUnsent();
    expect(client.ledger.takeUnreported()).toEqual([
      { reason: 'buffer_overflow', category: 'transaction', quantity: 2 },
      { reason: 'buffer_overflow', category: 'span', quantity: 3 },
    ]);
    other.end();
    start('begun at the end').end();
    client.storeUnsent();
    expect(names()).toEqual([['child'], ['other'], ['begun at the end']]);
    expect(client.ledger.discards()).toEqual([
      { reason: 'buffer_overflow', category: 'transaction', quantity: 1 },
      { reason: 'buffer_overflow', category: 'span', quantity: 2 },
    ]);
    await client.close();
    expect(client.ledger.balance()).toMatchObject({
      transaction: { captured: 4, delivered: 3, discarded: 1, queued: 0 },
      span: { captured: 5, delivered: 3, discarded: 2, queued: 0 },
    });
  });

  it('are not counted when they are not recorded', async () => {
    const { client, start } = createProcessorRig({ tracesSampleRate: 0 });
    start('child', start('root'));
    await client.close();
    expect(client.ledger.balance().span).toMatchObject({ captured: 1, discarded: 1 });
  });

  it('roots are held by nobody but the application', () => {
    const { client, start } = createProcessorRig();
    for (let i = 0; i < 20_000; i++) start('root');
    expect(client.ledger.balance().span).toBeUndefined();
    void client.close();
    expect(client.ledger.balance()).toMatchObject({
      span: { captured: 20_000, discarded: 20_000 },
      transaction: { captured: 20_000, discarded: 20_000 },
    });
  });

  it('send what has ended below them after ten minutes, and each ten minutes again', async () => {
    vi.useFakeTimers();
    const { start, names } = createProcessorRig();
    const root = start('root');
    start('child', root).end();
    vi.advanceTimersByTime(9 * MINUTE_MILLIS);
    start('later child', root).end();
    expect(names()).toEqual([]);
    vi.advanceTimersByTime(2 * MINUTE_MILLIS);
    expect(names()).toEqual([['child', 'later child']]);
    start('second child', root).end();
    vi.advanceTimersByTime(11 * MINUTE_MILLIS);
    expect(names()).toEqual([['child', 'later child'], ['second child']]);
    start('last child', root).end();
    root.end();
    await nextTurn();
    vi.runAllTimers();
    expect(names().slice(2)).toEqual([['root', 'last child']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('send what has ended below them when a thousand other roots wait', async () => {
    const { client, names, start } = createProcessorRig();
    const roots = Array.from({ length: 20_000 }, (_, i) => {
      const root = start(`root ${i}`);
      start(`child ${i}`, root).end();
      return root;
    });
    expect(names()).toEqual(Array.from({ length: 19_000 }, (_, i) => [`child ${i}`]));
    expect(client.ledger.balance().span).toMatchObject({ captured: 20_000, delivered: 19_000, queued: 1000 });
    start('second child', roots[0]).end();
    roots[0]!.end();
    await client.flush();
    expect(names().slice(19_001)).toEqual([['root 0', 'second child']]);
  });
});
