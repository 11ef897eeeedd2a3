import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { runScript } from '../run-script.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

function run(body: string, options = '') {
  const source = `import * as faultline from 'faultline'; faultline.init({ ${options} });
  const begin = performance.now();
  process.on('exit', () => console.log(Math.round(performance.now() - begin)));
  ${body}`;
  return runScript(source, { env: { FAULTLINE_DSN: receiver.dsn } });
}

const messages = () => receiver.events.map(({ message }) => message);

it('what a script captured last is sent without an explicit flush', async () => {
  const { status } = await run(`faultline.captureMessage('last words');`);
  expect(status).toBe(0);
  expect(messages()).toEqual(['last words']);
});

it('what is captured by work that ends much later is sent too', async () => {
  await run(`faultline.captureMessage('early'); setTimeout(() => faultline.captureMessage('late'), 300);`);
  expect(messages()).toEqual(['early', 'late']);
});

it('a script that captured nothing ends at once', async () => {
  // Nothing is awaited: the process would be killed before such a long shutdownTimeout.
  const { status } = await run('', 'shutdownTimeout: 60_000');
  expect(status).toBe(0);
  expect(receiver.requests).toEqual([]);
});

it('a destination that does not answer holds the process for shutdownTimeout at most', async () => {
  receiver.respondWith({ hang: true });
  // The request would take a minute; only shutdownTimeout ends the wait before the script is killed.
  const options = 'shutdownTimeout: 300, transportOptions: { timeoutMillis: 60_000 }';
  const { status, stdout } = await run(`faultline.captureMessage('last words');`, options);
  expect(status).toBe(0);
  expect(Number(stdout)).toBeGreaterThan(290);
});

it('a listener that captures whenever the process is about to end does not keep it from ending', async () => {
  const { status } = await run(`process.on('beforeExit', () => faultline.captureMessage('bye'));`);
  expect(status).toBe(0);
  expect(messages()[0]).toBe('bye');
  expect(messages().length).toBeLessThanOrEqual(2);
});

it('a listener that ends the root of a trace when the process is about to end is in time for its children', async () => {
  await run(
    `process.once('beforeExit', () => root.end());
    const root = faultline.startInactiveSpan({ name: 'root' });
    faultline.withActiveSpan(root, () => faultline.startSpan({ name: 'child' }, () => {}));`,
    'tracesSampleRate: 1',
  );
  const spans = receiver.transactions.map(({ transaction, spans }) => [
    transaction,
    spans?.map((one) => one.description),
  ]);
  expect(spans).toEqual([['root', ['child']]]);
});

it('what is captured by work that begins when the process is about to end is sent too', async () => {
  await run(
    `process.once('beforeExit', () => setTimeout(() => faultline.captureMessage('encore'), 20));
    faultline.captureMessage('first');`,
  );
  expect(messages()).toEqual(['first', 'encore']);
});

it('the exit status is left alone', async () => {
  const { status } = await run(`process.exitCode = 3; faultline.captureMessage('last words');`);
  expect(status).toBe(3);
  expect(messages()).toEqual(['last words']);
});
