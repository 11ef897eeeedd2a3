import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { runScript } from '../run-script.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

function run(options: string, body: string, nodeOptions: string[] = []) {
  const integrations = `integrations: [onUnhandledRejectionIntegration({ ${options} })]`;
  const source = `import * as faultline from 'faultline';
  import { onUnhandledRejectionIntegration } from './dist/integrations/process/unhandled-rejection.js';
  faultline.init({ shutdownTimeout: 10_000, ${options && integrations} });
  ${body}`;
  return runScript(source, { env: { FAULTLINE_DSN: receiver.dsn }, nodeOptions });
}

const reject = `Promise.reject(new RangeError('late')); setTimeout(() => console.log('alive'), 50);`;
/** Goes on for longer than sending takes on the busiest machine. */
const rejectAndRun = `Promise.reject(new RangeError('late')); setTimeout(() => console.log('alive'), 60_000);`;

it('an unhandled rejection is sent as unhandled, printed as a warning, and the process goes on', async () => {
  const { status, stdout, stderr } = await run('', reject);
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'alive\n' });
  expect(stderr).toMatch(/^\(node:\d+\) UnhandledPromiseRejectionWarning: RangeError: late\n {4}at /);
  expect(receiver.events).toHaveLength(1);
  const [event] = receiver.events;
  expect(event).toMatchObject({ level: 'error', extra: { unhandledPromiseRejection: true } });
  expect(event?.exception?.values?.[0]).toMatchObject({
    type: 'RangeError',
    value: 'late',
    mechanism: { type: 'auto.node.onunhandledrejection', handled: false },
  });
});

it('with mode strict it ends the process with status 1', async () => {
  const { status, stdout, stderr } = await run(`mode: 'strict'`, rejectAndRun);
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^RangeError: late\n.*\n\nNode\.js v/s);
  expect(receiver.events).toMatchObject([{ level: 'fatal' }]);
});

it('with mode none it is only sent', async () => {
  const { status, stdout, stderr } = await run(`mode: 'none'`, reject);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'alive\n', stderr: '' });
  expect(receiver.events).toHaveLength(1);
});

it('nothing is printed where the application listens itself', async () => {
  const { status, stdout, stderr } = await run(
    '',
    `process.on('unhandledRejection', (reason) => console.log('application saw', reason.message)); ${reject}`,
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'application saw late\nalive\n', stderr: '' });
  expect(receiver.events).toHaveLength(1);
});

it.each([
  ['an abort', '', `Promise.reject(AbortSignal.abort().reason)`],
  ['a name that the application ignores', `ignore: ['Wanted']`, `Promise.reject({ name: 'Wanted' })`],
  ['a name that matches a pattern', 'ignore: [/^Wan/]', `Promise.reject({ name: 'Wanted' })`],
])('nothing is sent or printed for %s', async (_, options, body) => {
  const { status, stderr } = await run(options, body);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(receiver.events).toEqual([]);
});

it('a name that only contains an ignored one is not ignored', async () => {
  await run(`ignore: ['Wanted']`, `Promise.reject({ name: 'Unwanted' })`);
  expect(receiver.events).toHaveLength(1);
});

it.each([['5'], ['undefined'], ['null'], ['{ get name() { throw new Error(); } }']])(
  'the reason may be %s',
  async (reason) => {
    const { status } = await run('', `Promise.reject(${reason});`);
    expect(status).toBe(0);
    expect(receiver.events).toHaveLength(1);
  },
);

it('carries the scope it happened in', async () => {
  await run(
    '',
    `faultline.withIsolationScope(async (scope) => {
      scope.setTag('request', '7');
      await null;
      throw new Error('late');
    });`,
  );
  expect(receiver.events[0]?.tags).toEqual({ request: '7' });
});

it('an exception that a span has captured is not sent again as a rejection', async () => {
  await run('', `faultline.startSpan({ name: 'job' }, async () => { throw new Error('late'); });`);
  expect(receiver.events).toHaveLength(1);
});

it('where Node is told to raise rejections as exceptions, one is sent and the process ends', async () => {
  const { status, stderr } = await run('', reject, ['--unhandled-rejections=strict']);
  expect(status).toBe(1);
  expect(stderr).toContain('RangeError: late');
  expect(receiver.events).toHaveLength(1);
});
