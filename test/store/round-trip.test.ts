import { promises, readdirSync, renameSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { type Client, captureFeedback, endSession, startSession, startSpan } from '../../src/index.js';
import type { InnerClient } from '../../src/model/inner-client.js';
import { runScript } from '../integrations/run-script.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { balanceOf, createDirectory, filesIn, onEnd, start } from './store-rig.js';

/** A destination that is down, and what it takes to bring it up. */
async function createDestination(): Promise<{ receiver: Receiver; dsn: string; listen: () => Promise<void> }> {
  const receiver = await startReceiver();
  const { dsn, port } = receiver;
  await receiver.close();
  onEnd(() => receiver.close());
  return { receiver, dsn, listen: () => receiver.listen(port) };
}

/** A store with what a first process has captured while its destination was down, which is up again. */
async function createFullStore<T>(capture: (first: Client) => T) {
  const { receiver, dsn, listen } = await createDestination();
  const directory = await createDirectory();
  const restart = () => start({ dsn, transportOptions: { store: { directory } } });
  const first = restart();
  const captured = capture(first);
  await first.close(0);
  await listen();
  return { receiver, directory, first, captured, restart };
}

it('what one process could not send is sent by the next one, with its id and its times', async () => {
  const { receiver, dsn, listen } = await createDestination();
  const directory = await createDirectory();
  const options = { dsn, release: 'app@1', transportOptions: { store: { directory } } };

  const first = start(options);
  const id = first.captureException(new Error('boom'), {
    attachments: [{ filename: 'a.bin', data: new Uint8Array([0, 10]) }],
  });
  captureFeedback({ message: 'It is broken' });
  expect(await first.close(5000)).toBe(true);
  expect(balanceOf(first)).toEqual({
    error: { captured: 1, stored: 1 },
    attachment: { captured: 1, stored: 1 },
    feedback: { captured: 1, stored: 1 },
  });
  const storedBefore = Date.now();
  await sleep(5);

  await listen();
  const second = start(options);
  await receiver.waitFor(({ envelopes }) => envelopes.length === 2);
  await eventually(() => expect(filesIn(directory)).toEqual([]));
  expect(balanceOf(second)).toEqual({
    error: { recovered: 1, delivered: 1 },
    attachment: { recovered: 1, delivered: 1 },
    feedback: { recovered: 1, delivered: 1 },
  });
  expect(receiver.events.map(({ event_id }) => event_id)).toEqual([id]);
  expect(receiver.events[0]!.timestamp * 1000).toBeLessThanOrEqual(storedBefore);
  expect(receiver.attachments[0]!.payload).toEqual(Buffer.from([0, 10]));
  // Servers correct times by it.
  expect(Date.parse(receiver.envelopes[0]!.headers.sent_at ?? '')).toBeGreaterThan(storedBefore);
  expect(receiver.violations).toEqual([]);
});

it('a burst of errors in an outage is stored in few files, and sent', async () => {
  const { receiver, dsn, listen } = await createDestination();
  const directory = await createDirectory();
  const client = start({ dsn, transportOptions: { bufferSize: 10, store: { directory } } });
  client.captureMessage('the first one');
  // From now on, the destination is known to be away.
  await client.flush(5000);
  for (let i = 0; i < 300; i++) client.captureMessage(`message ${i}`);
  await eventually(() => expect(balanceOf(client)).toEqual({ error: { captured: 301, queued: 10, stored: 291 } }));
  expect(filesIn(directory).length).toBeLessThan(30);
  await listen();
  await receiver.waitFor(({ events }) => events.length === 301);
  await eventually(() => expect(filesIn(directory)).toEqual([]));
  expect(balanceOf(client)).toEqual({ error: { captured: 301, delivered: 301, stored: 291, recovered: 291 } });
});

it('what is stored and too large is sent again item by item, each with its own outcome', async () => {
  const attachments = [
    { filename: 'large.txt', data: 'x'.repeat(100_000) },
    { filename: 'small.txt', data: 'small' },
  ];
  let id: string | undefined;
  const { receiver, directory, restart } = await createFullStore((first) => {
    id = first.captureException(new Error('boom'), { attachments });
  });
  receiver.respondWith(({ body }) => ({ statusCode: body.length > 50_000 ? 413 : 200 }));
  const second = restart();
  await receiver.waitFor(({ requests }) => requests.length === 4);
  await eventually(() => expect(filesIn(directory)).toEqual([]));
  expect(receiver.requests.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 413, 413]);
  const parts = receiver.requests.slice(1).map(({ envelope }) => envelope!);
  expect(parts.map(({ headers }) => headers.event_id)).toEqual([id, id, id]);
  expect(parts.map(({ items }) => items.map(({ headers }) => headers.type))[0]).toEqual(['event']);
  expect(balanceOf(second)).toEqual({
    error: { recovered: 1, delivered: 1 },
    attachment: { recovered: 2, delivered: 1, discarded: 1 },
  });
});

it('a flush sends what another process has stored meanwhile', async () => {
  const receiver = await startReceiver();
  onEnd(() => receiver.close());
  const directory = await createDirectory();
  const running = start({ dsn: receiver.dsn, transportOptions: { store: { directory } } });
  expect(await running.flush()).toBe(true);
  const { status } = await runScript(
    `import { captureException, init } from 'faultline';
    init();
    captureException(new Error('boom'));
    process.exit();`,
    { env: { FAULTLINE_DSN: receiver.dsn, FAULTLINE_STORE_DIR: directory } },
  );
  expect([status, receiver.events]).toEqual([0, []]);
  expect(await running.flush()).toBe(true);
  expect(receiver.events).toMatchObject([{ exception: { values: [{ value: 'boom' }] } }]);
});

it('after a silent destination, the next process does not wait for it once more at once', async () => {
  const receiver = await startReceiver({ respond: () => new Promise(() => undefined) });
  onEnd(() => receiver.close());
  const directory = await createDirectory();
  const options = { dsn: receiver.dsn, transportOptions: { store: { directory } } };
  const first = start(options);
  first.captureException(new Error('boom'));
  await first.close(600);
  const second = start(options) as InnerClient;
  expect([second.hasStored(), await second.flush(), receiver.requests.length]).toEqual([false, true, 1]);
  receiver.respondWith({ statusCode: 200 });
  const [file] = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('.after-'),
  );
  renameSync(join(directory, file!), join(directory, file!.replace(/(?<=after-)\w+/, '000000000')));
  expect(second.hasStored()).toBe(true);
  await second.flush();
  expect(balanceOf(second)).toEqual({ error: { recovered: 1, delivered: 1 } });
});

it('a session that could not be sent is sent by the next process', async () => {
  const { receiver, dsn, listen } = await createDestination();
  const directory = await createDirectory();
  const options = { dsn, release: 'app@1', transportOptions: { store: { directory } } };
  const first = start(options);
  startSession({ started: 1_700_000_000 });
  endSession();
  expect(await first.close(5000)).toBe(true);
  expect(balanceOf(first)).toEqual({ session: { captured: 1, stored: 1 } });
  await listen();
  const second = start(options);
  await receiver.waitFor(({ envelopes }) => envelopes.length === 1);
  await eventually(() => expect(balanceOf(second)).toEqual({ session: { recovered: 1, delivered: 1 } }));
  expect(receiver.items('session').map(({ json }) => json)).toMatchObject([
    { started: '2023-11-14T22:13:20.000Z', status: 'exited' },
  ]);
});

it('what is unsent at the end shares a file, and each envelope is sent once', async () => {
  const {
    receiver,
    directory,
    first,
    captured: ids,
    restart,
  } = await createFullStore((client) => Array.from({ length: 100 }, (_, i) => client.captureMessage(`message ${i}`)));
  expect(filesIn(directory)).toHaveLength(1);
  expect(balanceOf(first)).toEqual({ error: { captured: 100, stored: 100 } });
  const second = restart();
  await receiver.waitFor(({ events }) => events.length === 100, 15_000);
  await eventually(() => expect(filesIn(directory)).toEqual([]));
  expect(receiver.events.map(({ event_id }) => event_id)).toEqual(ids);
  expect(balanceOf(second)).toEqual({ error: { recovered: 100, delivered: 100 } });
});

it.each(['open', 'readdir', 'rename'] as const)(
  'what cannot be read for a moment (%s), because too many files are open, is sent before the next scan',
  async (operation) => {
    const { receiver, captured: id, restart } = await createFullStore((first) => first.captureMessage('stored'));
    const refused = vi.spyOn(promises, operation).mockRejectedValueOnce(Object.assign(new Error(), { code: 'EMFILE' }));
    onEnd(() => refused.mockRestore());
    restart();
    await receiver.waitFor(({ events }) => events.length === 1);
    expect(refused.mock.calls.length).toBeGreaterThan(1);
    expect(receiver.events.map(({ event_id }) => event_id)).toEqual([id]);
  },
  20_000,
);

it('what does not fit into memory during an outage is sent by the same process afterwards', async () => {
  const { receiver, dsn, listen } = await createDestination();
  const directory = await createDirectory();
  const client = start({ dsn, transportOptions: { bufferSize: 3, store: { directory } } });
  const ids = [client.captureMessage('first')];
  await eventually(() => expect(filesIn(directory)).toEqual([]));
  // The first one has to fail before the destination counts as down.
  await sleep(50);
  for (let i = 0; i < 9; i++) ids.push(client.captureMessage(`message ${i}`));
  await eventually(() => expect(balanceOf(client)).toEqual({ error: { captured: 10, queued: 3, stored: 7 } }));
  await listen();
  await receiver.waitFor(({ events }) => events.length === 10, 15_000);
  await eventually(() => expect(filesIn(directory)).toEqual([]));
  expect(balanceOf(client)).toEqual({ error: { captured: 10, delivered: 10, stored: 7, recovered: 7 } });
  expect(receiver.events.map(({ event_id }) => event_id).sort()).toEqual(ids.sort());
});

it('however often what is stored is tried, it is counted once', async () => {
  const { receiver, directory, restart } = await createFullStore((first) => first.captureMessage('stored'));
  receiver.respondWith({ statusCode: 503 });
  const second = restart();
  await receiver.waitFor(({ requests }) => requests.length >= 3, 15_000);
  expect(balanceOf(second)).toEqual({});
  receiver.respondWith();
  await eventually(() => expect(filesIn(directory)).toEqual([]));
  expect(balanceOf(second)).toEqual({ error: { recovered: 1, delivered: 1 } });
});

it('what cannot be stored is discarded and counted', async () => {
  const { dsn } = await createDestination();
  const directory = await createDirectory();
  await chmod(directory, 0o777);
  const client = start({ dsn, transportOptions: { store: { directory } } });
  client.captureMessage('lost');
  expect(await client.close(100)).toBe(false);
  expect(balanceOf(client)).toEqual({ error: { captured: 1, discarded: 1 } });
});

it.each([15, 0])(
  'what is stored and never accepted holds nothing up and is seldom tried, beside %i others',
  async (fresh) => {
    const messages = ['never accepted', 'stored 1', 'stored 2'];
    const { receiver, directory, restart } = await createFullStore((first) => {
      for (const message of messages) first.captureMessage(message);
    });
    expect(filesIn(directory)).toHaveLength(1);
    let refusals = 0;
    receiver.respondWith(({ body }) => {
      const isRefused = body.includes('never accepted');
      if (isRefused) refusals += 1;
      return { statusCode: isRefused ? 503 : 200 };
    });
    const second = restart();
    for (let i = 0; i < fresh; i++) {
      second.captureMessage(`fresh ${i}`);
      await sleep(200);
    }
    await eventually(() => expect(receiver.events).toHaveLength(fresh + 2));
    await sleep(500);
    expect(refusals).toBeLessThan(4);
    expect(filesIn(directory)).toHaveLength(1);
    expect(second.ledger.balance().error).toMatchObject({ captured: fresh, recovered: 2, delivered: fresh + 2 });
  },
);

it('what a rate limit took out of a stored copy is not sent by the next process', async () => {
  const receiver = await startReceiver({ respond: { headers: { 'x-sentry-rate-limits': '60:attachment:key' } } });
  onEnd(() => receiver.close());
  const directory = await createDirectory();
  const restart = () => start({ dsn: receiver.dsn, transportOptions: { store: { directory } } });
  const first = restart();
  first.captureMessage('with limits in its answer');
  await first.flush(5000);
  receiver.respondWith({ hang: true });
  first.captureMessage('fatal', 'fatal', { attachments: [{ filename: 'a.txt', data: 'x' }] });
  await eventually(() => expect(filesIn(directory)).toHaveLength(1));
  await first.close(0);
  expect(balanceOf(first)).toEqual({
    error: { captured: 2, delivered: 1, stored: 1 },
    attachment: { captured: 1, discarded: 1 },
  });
  receiver.respondWith();
  const second = restart();
  await eventually(() => expect(balanceOf(second)).toEqual({ error: { recovered: 1, delivered: 1 } }));
  expect(receiver.attachments).toEqual([]);
});

it('what is stored waits while its category is rate limited', async () => {
  const { receiver, directory, restart } = await createFullStore((first) => first.captureMessage('stored'));
  receiver.respondWith({ headers: { 'x-sentry-rate-limits': '60:error:organization' } });
  const second = restart();
  second.captureMessage('fresh');
  expect(await second.flush(2000)).toBe(true);
  // Longer than the background waits for before it looks at the store.
  await sleep(500);
  expect(receiver.events.map(({ message }) => message)).toEqual(['fresh']);
  expect(filesIn(directory)).toHaveLength(1);
  expect(balanceOf(second)).toEqual({ error: { captured: 1, delivered: 1 } });
});

it('what is stored is sent although another category is rate limited', async () => {
  const { receiver, directory, restart } = await createFullStore((first) => {
    first.captureMessage('stored');
    captureFeedback({ message: 'It is broken' });
  });
  receiver.respondWith({ headers: { 'x-sentry-rate-limits': '60:error:organization' } });
  const second = restart();
  second.captureMessage('fresh');
  await receiver.waitFor(() => receiver.items('feedback').length === 1);
  await eventually(() => expect(filesIn(directory)).toHaveLength(1));
  expect(receiver.events.map(({ message }) => message)).toEqual(['fresh']);
  expect(balanceOf(second)).toEqual({
    error: { captured: 1, delivered: 1 },
    feedback: { recovered: 1, delivered: 1 },
  });
});

it('a rate limit for attachments leaves them out of what is stored, as of fresh events, and one for spans stops nothing', async () => {
  const { receiver, dsn, listen } = await createDestination();
  const directory = await createDirectory();
  const attachments = [{ filename: 'a.txt', data: 'x' }];
  const options = { dsn, tracesSampleRate: 1, transportOptions: { store: { directory, transactions: true } } };
  const first = start(options);
  first.captureMessage('stored', 'error', { attachments });
  startSpan({ name: 'stored' }, () => undefined);
  await first.close(0);
  await listen();
  receiver.respondWith({ headers: { 'x-sentry-rate-limits': '60:attachment;span:organization' } });
  const second = start(options);
  second.captureMessage('with limits in its answer');
  await second.flush(2000);
  second.captureMessage('fresh', 'error', { attachments });
  startSpan({ name: 'fresh' }, () => undefined);
  await eventually(() =>
    expect(balanceOf(second)).toEqual({
      error: { captured: 2, recovered: 1, delivered: 3 },
      transaction: { captured: 1, recovered: 1, delivered: 2 },
      span: { captured: 1, recovered: 1, delivered: 2 },
      attachment: { captured: 1, recovered: 1, discarded: 2 },
    }),
  );
  expect(filesIn(directory)).toEqual([]);
  expect(receiver.attachments).toEqual([]);
});

it('a rate limit that comes while a file is being sent keeps the rest of it for later', async () => {
  const { receiver, directory, captured, restart } = await createFullStore((first) => ({
    ids: Array.from({ length: 5 }, (_, i) => first.captureMessage(`message ${i}`)),
    feedback: captureFeedback({ message: 'It is broken' }),
  }));
  const { ids } = captured;
  receiver.respondWith(({ envelope }) => {
    const isSecond = envelope?.headers.event_id === ids[1];
    return isSecond ? { headers: { 'x-sentry-rate-limits': '60:error:organization' } } : undefined;
  });
  const second = restart();
  await receiver.waitFor(() => receiver.items('feedback').length === 1);
  await eventually(() =>
    expect(balanceOf(second)).toEqual({
      error: { recovered: 2, delivered: 2 },
      feedback: { recovered: 1, delivered: 1 },
    }),
  );
  await eventually(() => expect(filesIn(directory)).toHaveLength(1));
  receiver.respondWith();
  const third = restart();
  await eventually(() => expect(balanceOf(third)).toEqual({ error: { recovered: 3, delivered: 3 } }));
  expect(receiver.events.map(({ event_id }) => event_id)).toEqual(ids);
  await eventually(() => expect(filesIn(directory)).toEqual([]));
});

it('what is stored is sent one after the other, with pauses, when nothing fresh waits', async () => {
  const {
    receiver,
    directory,
    captured: stored,
    restart,
  } = await createFullStore((first) => Array.from({ length: 10 }, (_, i) => first.captureMessage(`stored ${i}`)));

  const begins: number[] = [];
  const ends: number[] = [];
  let fresh = 0;
  let freshBeforeStored: number | undefined;
  // Longer than the background waits for before it looks at the store.
  const busy = sleep(500);
  receiver.respondWith(async ({ envelope }) => {
    const isStored = stored.includes(envelope?.headers.event_id ?? '');
    if (isStored) {
      freshBeforeStored ??= fresh;
      begins.push(performance.now());
    } else fresh += 1;
    await busy;
    await sleep(20);
    if (isStored) ends.push(performance.now());
    return undefined;
  });
  const second = restart();
  for (let i = 0; i < 900; i++) second.captureMessage(`fresh ${i}`);
  await busy;
  // Another process could take it.
  expect(filesIn(directory)).toEqual([expect.not.stringContaining('held')]);
  await receiver.waitFor(({ events }) => events.length === 910, 15_000);
  await eventually(() => expect(filesIn(directory)).toEqual([]));
  // The rest is on its way, at most 256 at a time.
  expect(freshBeforeStored).toBeGreaterThanOrEqual(900 - 256);
  const pauses = begins.slice(1).map((begin, i) => begin - ends[i]!);
  // Node's timers may be early by a millisecond.
  expect(Math.min(...pauses)).toBeGreaterThan(4);
  // The last answers may still be on their way.
  expect(await second.flush(15_000)).toBe(true);
  expect(balanceOf(second).error).toEqual({ captured: 900, recovered: 10, delivered: 910 });
});

it('flush is true when everything is stored, and false when something is neither delivered nor stored', async () => {
  const { dsn } = await createDestination();
  const directory = await createDirectory();
  const client = start({ dsn, tracesSampleRate: 1, transportOptions: { store: { directory } } });
  client.captureMessage('stored');
  expect(await client.flush()).toBe(true);
  expect(await client.flush(10_000)).toBe(true);
  startSpan({ name: 'not stored' }, () => undefined);
  expect(await client.flush()).toBe(false);
});

it('a transaction is not stored; the next process reports it as discarded', async () => {
  const { receiver, dsn, listen } = await createDestination();
  const directory = await createDirectory();
  const options = { dsn, tracesSampleRate: 1, transportOptions: { store: { directory } } };
  const first = start(options);
  startSpan({ name: 'work' }, () => startSpan({ name: 'step' }, () => undefined));
  expect(await first.close(100)).toBe(false);
  expect(balanceOf(first)).toEqual({
    transaction: { captured: 1, discarded: 1 },
    span: { captured: 2, discarded: 2 },
  });
  await listen();
  const second = start(options);
  await receiver.waitFor(({ clientReports }) => clientReports.length === 1);
  expect(receiver.discards()).toEqual([
    { reason: 'network_error', category: 'transaction', quantity: 1 },
    { reason: 'network_error', category: 'span', quantity: 2 },
  ]);
  expect(balanceOf(second)).toEqual({});
  await eventually(() => expect(filesIn(directory)).toEqual([]));
});

it('what a report of an earlier process counts is reported until the destination accepts it', async () => {
  const { receiver, dsn, listen } = await createDestination();
  const directory = await createDirectory();
  const options = { dsn, tracesSampleRate: 1, transportOptions: { store: { directory } } };
  const first = start(options);
  startSpan({ name: 'work' }, () => undefined);
  await first.close(100);
  await listen();
  receiver.respondWith({ statusCode: 500 });
  const second = start(options);
  await second.flush();
  expect(receiver.requests.length).toBeGreaterThan(0);
  expect(balanceOf(second)).toEqual({});
  await second.close(100);
  receiver.respondWith({ statusCode: 200 });
  receiver.clear();
  const third = start(options);
  await third.flush();
  expect(receiver.discards()).toEqual([
    { reason: 'network_error', category: 'transaction', quantity: 1 },
    { reason: 'network_error', category: 'span', quantity: 1 },
  ]);
  await eventually(() => expect(filesIn(directory)).toEqual([]));
});

it('with `transactions: true`, a transaction is stored', async () => {
  const { receiver, dsn, listen } = await createDestination();
  const directory = await createDirectory();
  const options = { dsn, tracesSampleRate: 1, transportOptions: { store: { directory, transactions: true } } };
  startSpan({ name: 'before init' }, () => undefined);
  const first = start(options);
  startSpan({ name: 'work' }, () => startSpan({ name: 'step' }, () => undefined));
  expect(await first.close(5000)).toBe(true);
  await listen();
  const second = start(options);
  await receiver.waitFor(({ transactions }) => transactions.length === 1);
  await eventually(() =>
    expect(balanceOf(second)).toEqual({
      transaction: { recovered: 1, delivered: 1 },
      span: { recovered: 2, delivered: 2 },
    }),
  );
});

it('with `store: false`, nothing is stored', async () => {
  const { dsn } = await createDestination();
  const directory = await createDirectory();
  vi.stubEnv('FAULTLINE_STORE_DIR', directory);
  onEnd(() => vi.unstubAllEnvs());
  const client = start({ dsn, transportOptions: { store: false } });
  client.captureMessage('lost');
  expect(await client.close(100)).toBe(false);
  expect(filesIn(directory)).toEqual([]);
  expect(balanceOf(client)).toEqual({ error: { captured: 1, discarded: 1 } });
});

it('FAULTLINE_STORE_DIR names the directory, and the option wins', async () => {
  const { dsn } = await createDestination();
  const [ofVariable, ofOption] = [await createDirectory(), await createDirectory()];
  vi.stubEnv('FAULTLINE_STORE_DIR', ofVariable);
  onEnd(() => vi.unstubAllEnvs());
  for (const [store, directory] of [
    [undefined, ofVariable],
    [{ directory: ofOption }, ofOption],
  ] as const) {
    const client = start({ dsn, transportOptions: { store } });
    client.captureMessage('stored');
    await client.close(0);
    expect(filesIn(directory)).toHaveLength(1);
  }
});

it('by default, what is not sent is below the temporary folder, in a folder of the user', async () => {
  const { dsn } = await createDestination();
  const temporary = await createDirectory();
  vi.stubEnv('FAULTLINE_STORE_DIR', '');
  vi.stubEnv('TMPDIR', temporary);
  onEnd(() => vi.unstubAllEnvs());
  const client = start({ dsn });
  client.captureMessage('stored');
  await client.close(0);
  expect(filesIn(temporary)).toHaveLength(1);
  expect(readdirSync(temporary)).toEqual([`faultline-${userInfo().uid}`]);
});

it('another destination does not get what is stored', async () => {
  const { dsn } = await createDestination();
  const other = await startReceiver();
  onEnd(() => other.close());
  const directory = await createDirectory();
  const first = start({ dsn, transportOptions: { store: { directory } } });
  first.captureMessage('for the one');
  await first.close(0);
  const second = start({ dsn: other.dsn, transportOptions: { store: { directory } } });
  second.captureMessage('for the other');
  await other.waitFor(({ events }) => events.length === 1);
  await sleep(400);
  expect(other.events.map(({ message }) => message)).toEqual(['for the other']);
  expect(filesIn(directory)).toHaveLength(1);
});
