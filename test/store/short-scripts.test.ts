import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runScript, type ScriptResult } from '../integrations/run-script.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { createDirectory, filesIn, onEnd, start } from './store-rig.js';

interface Scene {
  readonly receiver: Receiver;
  readonly directory: string;
  readonly run: (body: string, options?: string) => Promise<ScriptResult>;
}

/** A destination that is back, after a process could not send so many messages to it. */
async function createScene(count: number): Promise<Scene> {
  const receiver = await startReceiver();
  const { dsn, port } = receiver;
  await receiver.close();
  onEnd(() => receiver.close());
  const directory = await createDirectory();
  const earlier = start({ dsn, transportOptions: { store: { directory } } });
  for (let i = 0; i < count; i++) earlier.captureMessage(`stored ${i}`);
  await earlier.close(0);
  await receiver.listen(port);
  const run = (body: string, options = '') =>
    runScript(
      `import { captureMessage, close, flush, init } from 'faultline';
      init({ shutdownTimeout: 10_000, ${options} });
      ${body}`,
      { env: { FAULTLINE_DSN: dsn, FAULTLINE_STORE_DIR: directory } },
    );
  return { receiver, directory, run };
}

const messagesOf = ({ events }: Receiver) => events.map(({ message }) => message);

it.each([
  ['that captures nothing', ''],
  ['that flushes', 'await flush(10_000); process.exit();'],
  ['that flushes without a timeout', 'await flush(); process.exit();'],
  ['that closes', 'await close(10_000); process.exit();'],
])('a short script %s sends what is stored', async (_, body) => {
  const { receiver, directory, run } = await createScene(3);
  expect(await run(body)).toMatchObject({ status: 0, stderr: '' });
  expect(messagesOf(receiver)).toEqual(['stored 0', 'stored 1', 'stored 2']);
  expect(filesIn(directory)).toEqual([]);
});

it('what the background has begun to send is finished when the script ends', async () => {
  const { receiver, directory, run } = await createScene(3);
  receiver.respondWith(() => sleep(100).then(() => undefined));
  // One file holds all three; while the background sends them, nothing else is stored.
  await run('await new Promise((resolve) => setTimeout(resolve, 250));');
  expect(messagesOf(receiver)).toEqual(['stored 0', 'stored 1', 'stored 2']);
  expect(filesIn(directory)).toEqual([]);
});

// On a busy machine, the background sends what is stored before the script has come to its own event.
it('what it captures itself is sent first', { retry: 3 }, async () => {
  const { receiver, run } = await createScene(2);
  await run(`captureMessage('fresh');`);
  expect(messagesOf(receiver)).toEqual(['fresh', 'stored 0', 'stored 1']);
});

it('a destination that does not answer holds it for shutdownTimeout at most, and nothing is lost', async () => {
  const { receiver, directory, run } = await createScene(2);
  receiver.respondWith({ hang: true });
  // Only shutdownTimeout ends the wait before the script is killed.
  const { status } = await run('', 'shutdownTimeout: 300, transportOptions: { timeoutMillis: 60_000 }');
  expect(status).toBe(0);
  expect(receiver.requests).toHaveLength(1);
  expect(filesIn(directory)).toEqual([expect.stringMatching(/envelopes$/)]);
  receiver.respondWith();
  receiver.clear();
  await run('');
  expect(messagesOf(receiver)).toEqual(['stored 0', 'stored 1']);
});

it('a destination that is down does not hold it', async () => {
  const { receiver, directory, run } = await createScene(1);
  await receiver.close();
  // The script would be killed before such a long shutdownTimeout.
  expect((await run('', 'shutdownTimeout: 60_000')).status).toBe(0);
  expect(filesIn(directory)).toHaveLength(1);
});

it('where nothing is stored, listeners for the end of the process are called once', async () => {
  const { run } = await createScene(0);
  const { stdout } = await run(`process.on('beforeExit', () => console.log('end'));`);
  expect(stdout).toBe('end\n');
});

it('flush says whether what was captured is sent, however much is stored', async () => {
  const { receiver, run } = await createScene(2);
  receiver.respondWith(({ envelope }) =>
    envelope?.items[0]?.json?.['message'] === 'fresh' ? undefined : { hang: true },
  );
  const { stdout } = await run(
    `captureMessage('fresh'); console.log(await flush(4000)); process.exit();`,
    'transportOptions: { timeoutMillis: 60_000 }',
  );
  expect(stdout).toBe('true\n');
});
