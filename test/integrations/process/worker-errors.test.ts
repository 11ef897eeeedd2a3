import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { runScript } from '../run-script.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});
beforeEach(() => receiver.clear());
afterEach(() => expect(receiver.violations).toEqual([]));

const INIT = `await import('faultline').then(({ init, setTag, captureMessage }) => {
  init();
  setTag('thread', 'worker');
  captureMessage('started');
});`;

/** Runs a worker, and prints what its parent hears of it. */
function runWorker(inWorker: string, inMain = '') {
  return runScript(
    `${inMain}
    import { Worker } from 'node:worker_threads';
    const script = ${JSON.stringify(`(async () => { ${inWorker} })()`)};
    new Worker(script, { eval: true, execArgv: [] })
      .on('error', (error) => console.log('error', error?.message ?? error))
      .on('exit', (code) => console.log('exit', code));`,
    { env: { FAULTLINE_DSN: receiver.dsn } },
  );
}

const errors = () => receiver.events.filter(({ exception }) => exception);

describe.each([
  ['an exception', `setTimeout(() => { throw new Error('boom'); }, 10);`, 'auto.node.onuncaughtexception'],
  ['a thrown string', `setTimeout(() => { throw 'boom'; }, 10);`, 'auto.node.onuncaughtexception'],
  ['a rejection', `Promise.reject(new Error('boom'));`, 'auto.node.onunhandledrejection'],
])('%s that ends a worker thread', (_, failure, mechanism) => {
  it.each([
    ['only the worker has the SDK', INIT, ''],
    ['both threads have the SDK', INIT, `await import('faultline').then(({ init }) => init());`],
  ])('is captured once, with the scopes of the worker, where %s', async (_, inWorker, inMain) => {
    const { status, stdout } = await runWorker(`${inWorker} ${failure}`, inMain);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'error boom\nexit 1\n' });
    expect(errors()).toMatchObject([
      { tags: { thread: 'worker' }, exception: { values: [{ value: 'boom', mechanism: { type: mechanism } }] } },
    ]);
    expect(receiver.events.filter(({ message }) => message === 'started')).toHaveLength(1);
  });

  it('is captured once where only the main thread has the SDK', async () => {
    const { status, stdout } = await runWorker(failure, `await import('faultline').then(({ init }) => init());`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'error boom\nexit 1\n' });
    expect(errors()).toMatchObject([
      { exception: { values: [{ value: 'boom', mechanism: { type: 'auto.child_process.worker_thread' } }] } },
    ]);
  });
});

it('the error of a worker that nobody listens to is captured once, and ends the process', async () => {
  const { status, stderr } = await runScript(
    `import { init } from 'faultline';
    import { Worker } from 'node:worker_threads';
    init();
    new Worker(${JSON.stringify(`(async () => { ${INIT} throw new Error('boom'); })()`)}, { eval: true, execArgv: [] });`,
    { env: { FAULTLINE_DSN: receiver.dsn } },
  );
  expect(status).toBe(1);
  expect(stderr).toContain('Error: boom');
  expect(errors()).toMatchObject([{ tags: { thread: 'worker' } }]);
  expect(errors()).toHaveLength(1);
});

it.each([
  ['an exception', `setTimeout(() => { throw new Error('boom'); });`],
  ['a rejection', `Promise.reject(new Error('boom'));`],
  ['a rejection without an error', `Promise.reject('boom');`],
])(
  '%s ends a worker as without the SDK, although it calls process.exit(0) while the error is being sent',
  async (_, failure) => {
    const { stdout: expected } = await runWorker(`setTimeout(() => process.exit(0), 10_000); ${failure}`);
    expect(expected).toMatch(/boom.*\nexit 1\n$/);
    receiver.respondWith({ delayMillis: 500 });
    const init = `await import('faultline').then(({ init }) => init({ transportOptions: { store: false } }));`;
    const { stdout } = await runWorker(`${init} setTimeout(() => process.exit(0), 100); ${failure}`);
    receiver.respondWith();
    expect(stdout).toBe(expected);
  },
);

it('a worker whose application listens for uncaught exceptions goes on', async () => {
  const { stdout } = await runWorker(
    `${INIT} process.on('uncaughtException', () => undefined); setTimeout(() => { throw new Error('boom'); }, 10);`,
  );
  expect(stdout).toBe('exit 0\n');
  expect(errors()).toHaveLength(1);
});

it('a worker that keeps failing ends all the same, with its first error', async () => {
  const { stdout } = await runWorker(`${INIT} let i = 0; setInterval(() => { throw new Error('boom ' + i++); }, 1);`);
  expect(stdout).toBe('error boom 0\nexit 1\n');
});
