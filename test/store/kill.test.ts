import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runScript } from '../integrations/run-script.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';
import { balanceOf, createDirectory, filesIn, onEnd, start } from './store-rig.js';

/**
 * Runs a script that is killed, then one client more; resolves to the messages that arrived, in alphabetical order.
 *
 * @param body can call `afterRequests` with what to do once that many requests wait for their answers
 */
async function arrivedAfter(
  body: string,
  { requests, expected }: Record<'requests' | 'expected', number>,
): Promise<unknown[]> {
  const receiver = await startReceiver({ respond: { hang: true } });
  onEnd(() => receiver.close());
  const directory = await createDirectory();
  const go = join(await createDirectory(), 'go');
  const source = `import { init, captureMessage } from 'faultline';
  import { existsSync } from 'node:fs';
  import { Worker } from 'node:worker_threads';
  const afterRequests = (run) => {
    const waiting = setInterval(() => existsSync('${go}') && (clearInterval(waiting), run()), 20);
  };
  const options = { dsn: '${receiver.dsn}', transportOptions: { store: { directory: '${directory}' } } };
  ${body}`;
  const running = runScript(source);
  await receiver.waitFor((received) => received.requests.length === requests, 15_000);
  writeFileSync(go, '');
  const { status, stderr } = await running;
  expect(status, stderr).toBe('SIGKILL');
  receiver.respondWith();
  receiver.clear();
  const client = start({ dsn: receiver.dsn, transportOptions: { store: { directory } } });
  await receiver.waitFor(({ events }) => events.length === expected);
  await eventually(() => expect(filesIn(directory)).toEqual([]));
  expect(balanceOf(client)).toEqual({ error: { recovered: expected, delivered: expected } });
  return receiver.events.map(({ message, exception }) => message ?? exception.values.at(-1)!.value).sort();
}

it('a fatal error survives SIGKILL while it is being sent', async () => {
  const body = `init(options);
    captureMessage('fatal', 'fatal');
    captureMessage('not fatal', 'error');
    afterRequests(() => process.kill(process.pid, 'SIGKILL'));`;
  expect(await arrivedAfter(body, { requests: 2, expected: 1 })).toEqual(['fatal']);
});

it('an uncaught exception survives SIGKILL while it is being sent', async () => {
  const body = `init(options);
    afterRequests(() => process.kill(process.pid, 'SIGKILL'));
    throw new Error('boom');`;
  expect(await arrivedAfter(body, { requests: 1, expected: 1 })).toEqual(['boom']);
});

it('every error of a worker survives its termination, and SIGKILL', async () => {
  const worker = `import { parentPort, workerData } from 'node:worker_threads';
    const { init, captureMessage } = await import(workerData.url);
    init(workerData.options);
    captureMessage('in a worker', 'warning');
    parentPort.once('message', () => undefined);`;
  const body = `const workerData = { options, url: import.meta.resolve('faultline') };
    const worker = new Worker(${JSON.stringify(worker)}, { eval: true, workerData });
    afterRequests(async () => {
      await worker.terminate();
      process.kill(process.pid, 'SIGKILL');
    });`;
  expect(await arrivedAfter(body, { requests: 1, expected: 1 })).toEqual(['in a worker']);
});

it.runIf(process.platform === 'linux')('what a terminated worker held is sent by its process', async () => {
  const receiver = await startReceiver({ respond: { hang: true } });
  onEnd(() => receiver.close());
  const directory = await createDirectory();
  const worker = `import { parentPort, workerData } from 'node:worker_threads';
    const { init, captureMessage } = await import(workerData.url);
    init(workerData.options);
    captureMessage('in a worker', 'warning');
    parentPort.once('message', () => undefined);`;
  const running = runScript(`import { init } from 'faultline';
    import { Worker } from 'node:worker_threads';
    import { existsSync, readdirSync } from 'node:fs';
    const options = { dsn: '${receiver.dsn}', transportOptions: { store: { directory: '${directory}' } } };
    const workerData = { options, url: import.meta.resolve('faultline') };
    const worker = new Worker(${JSON.stringify(worker)}, { eval: true, workerData });
    const isStored = () => readdirSync('${directory}', { recursive: true }).some((file) => file.endsWith('.held'));
    const waiting = setInterval(async () => {
      if (!existsSync('${directory}/go')) return;
      clearInterval(waiting);
      await worker.terminate();
      init(options);
      setInterval(() => isStored() || process.exit(), 20);
    }, 20);`);
  await receiver.waitFor(({ requests }) => requests.length === 1, 15_000);
  receiver.respondWith();
  writeFileSync(`${directory}/go`, '');
  expect(await running).toMatchObject({ status: 0 });
  expect(receiver.events.map(({ message }) => message)).toEqual(['in a worker']);
});
