import { expect, it } from 'vitest';
import { runScript } from '../integrations/run-script.js';

/** Counts what is still in memory, in a process of its own; `faultline` is the built package. */
async function runWithCollector<T>(script: string): Promise<T> {
  const { status, stdout, stderr } = await runScript(
    `
      import { setTimeout as sleep } from 'node:timers/promises';
      async function countAlive(references) {
        for (let i = 0; i < 5; i++) {
          await sleep(10);
          globalThis.gc();
        }
        return references.filter((reference) => reference.deref() !== undefined).length;
      }
      ${script}`,
    { nodeOptions: ['--expose-gc'] },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as T;
}

/** A few timers of the SDK belong to the request that started them. */
const MAX_KEPT = 5;

it.each(['{}', '{ skipOpenTelemetrySetup: true }'])(
  'of 200 requests whose events were sent nothing is kept by the open connections, init(%s)',
  async (options) => {
    const counts = await runWithCollector<Record<string, number>>(`
      import { AsyncLocalStorage } from 'node:async_hooks';
      import { captureMessage, flush, getClient, init, startSpan, withIsolationScope } from 'faultline';
      import { startReceiver } from 'faultline/receiver';
      const receiver = await startReceiver();
      init({ dsn: receiver.dsn, tracesSampleRate: 1, transportOptions: { store: false }, ...${options} });
      const ofApplication = new AsyncLocalStorage();
      const stores = [];
      const scopes = [];
      const handle = () => ofApplication.run({}, () => withIsolationScope((scope) => {
        stores.push(new WeakRef(ofApplication.getStore()));
        scopes.push(new WeakRef(scope));
        return startSpan({ name: 'request' }, async () => {
          await sleep(1);
          captureMessage('handled');
        });
      }));
      for (let i = 0; i < 5; i++) {
        await Promise.all(Array.from({ length: 40 }, handle));
        await flush();
      }
      const [keptStores, keptScopes] = [await countAlive(stores), await countAlive(scopes)];
      console.log(JSON.stringify({ events: receiver.events.length, keptStores, keptScopes }));
      process.exit();`);
    expect(counts['events']).toBe(200);
    expect(counts['keptStores']).toBeLessThanOrEqual(MAX_KEPT);
    expect(counts['keptScopes']).toBeLessThanOrEqual(MAX_KEPT);
  },
);

it('of clients that were closed only the last one is kept, whatever integrations they had', async () => {
  const kept = await runWithCollector<Record<string, number>>(`
    import * as faultline from 'faultline';
    const { log } = console;
    const kept = {};
    const use = async (integration) => {
      const client = faultline.init({
        dsn: 'http://key@127.0.0.1:9/1',
        tracesSampleRate: 1,
        integrations: [integration],
        transport: (options) => faultline.createTransport(options, async () => ({ statusCode: 200 })),
      });
      faultline.startSpan({ name: 'work' }, () => faultline.captureException(new Error('at work')));
      console.log('a message');
      await client.close();
      return new WeakRef(client);
    };
    for (const [name, create] of Object.entries(faultline)) {
      if (!name.endsWith('Integration')) continue;
      const clients = [];
      for (let i = 0; i < 4; i++) clients.push(await use(create()));
      kept[name] = await countAlive(clients);
      if (console.log !== log) kept[name] += ', and a wrapper of the console';
    }
    log(JSON.stringify(kept));
    process.exit();`);
  expect(kept).toHaveProperty('captureConsoleIntegration');
  expect(kept).toEqual(Object.fromEntries(Object.keys(kept).map((name) => [name, 1])));
});

it('of strings that are thrown in a unit of work without end, only the last ones are kept', async () => {
  const { grown, captured } = await runWithCollector<Record<string, number>>(`
    import { init, startSpan, withIsolationScope } from 'faultline';
    const client = init({ dsn: 'http://key@127.0.0.1:1/1', sampleRate: 0, tracesSampleRate: 0, quiet: true, transportOptions: { store: false } });
    const page = 'x'.repeat(2000);
    async function work(times) {
      for (let i = 0; i < times; i++) {
        try {
          startSpan({ name: 'job' }, () => { throw Buffer.from('order ' + Math.random() + ' was answered with ' + page).toString(); });
        } catch {}
        if (i % 100 === 0) await sleep(0);
      }
      await countAlive([]);
      return process.memoryUsage().heapUsed / 1024 / 1024;
    }
    await withIsolationScope(async () => {
      const before = await work(2000);
      const grown = (await work(10_000)) - before;
      console.log(JSON.stringify({ grown, captured: client.ledger.balance().error.captured }));
      process.exit();
    });`);
  expect(captured).toBe(12_000);
  // Megabytes; all of the strings would take 20.
  expect(grown).toBeLessThan(5);
});
