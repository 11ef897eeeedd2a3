import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { runScript } from '../run-script.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const DIST = `'${new URL('../../../dist/index.cjs', import.meta.url).pathname}'`;
const RELEASE = `release: 'shop@1.2.0'`;
const CRASH = `setTimeout(() => { throw new Error('a'); });`;

function run(body: string, options = RELEASE) {
  const source = `import http from 'node:http';
  import * as faultline from 'faultline'; faultline.init({ ${options} });
  ${body}`;
  return runScript(source, { env: { FAULTLINE_DSN: receiver.dsn } });
}

it.each<[what: string, body: string, options: string, status: number, updates: unknown[]]>([
  ['that is done has exited, in one update', '', RELEASE, 0, [[true, 'exited', 0]]],
  [
    'with an error has exited with it',
    `faultline.captureException(new Error('a'));`,
    RELEASE,
    0,
    [
      [true, 'ok', 1],
      [false, 'exited', 1],
    ],
  ],
  [
    'with an error in a worker thread that has called init has exited with it',
    `const { Worker } = await import('node:worker_threads');
    new Worker("const f = require(${JSON.stringify(DIST).slice(1, -1)}); f.init(); f.captureException(new Error('a'));", { eval: true, execArgv: [] });`,
    RELEASE,
    0,
    [[true, 'exited', 1]],
  ],
  [
    'with an error in a worker thread that is ignored has exited without one',
    `const { Worker } = await import('node:worker_threads');
    new Worker("const f = require(${JSON.stringify(DIST).slice(1, -1)}); f.init({ ignoreErrors: ['a'] }); f.captureException(new Error('a'));", { eval: true, execArgv: [] });`,
    RELEASE,
    0,
    [[true, 'exited', 0]],
  ],
  ['that nobody caught an exception of has crashed', CRASH, RELEASE, 1, [[true, 'crashed', 1]]],
  ['that waits for `close` has exited', `await faultline.close();`, RELEASE, 0, [[true, 'exited', 0]]],
  ['whose crash is sampled out has crashed', CRASH, `${RELEASE}, sampleRate: 0`, 1, [[true, 'crashed', 1]]],
  ['whose crash is dropped has not exited', CRASH, `${RELEASE}, beforeSend: () => null`, 1, []],
  [
    'that has captured what it throws has crashed',
    `const error = new Error('a'); faultline.captureException(error); setTimeout(() => { throw error; });`,
    RELEASE,
    1,
    [[true, 'crashed', 1]],
  ],
  [
    'that throws out of a span has crashed',
    `setTimeout(() => faultline.startSpan({ name: 'a' }, () => { throw new Error('a'); }));`,
    RELEASE,
    1,
    [[true, 'crashed', 1]],
  ],
  [
    'whose session the application has ended is not said to go on',
    `faultline.endSession();`,
    RELEASE,
    0,
    [[true, 'exited', 0]],
  ],
  ['that ends with a status of its own has none', 'process.exitCode = 3;', RELEASE, 3, []],
  ['without a release is no session', `faultline.captureException(new Error('a'));`, '', 0, []],
])('a process %s', async (_, body, options, status, updates) => {
  expect((await run(body, options)).status).toBe(status);
  const sessions = receiver.items('session').map(({ json }) => json!);
  expect(sessions.map((one) => [one.init, one.status, one.errors])).toEqual(updates);
  expect(receiver.items('sessions')).toEqual([]);
  expect(receiver.violations).toEqual([]);
});

it.each([
  ['answers', 'response.end();', { exited: 1, errored: 0, crashed: 0 }],
  ['crashes over', CRASH, { exited: 0, errored: 0, crashed: 1 }],
])('the request that a process %s is counted', async (_, handler, counts) => {
  await run(
    `const server = http.createServer((request, response) => { server.close(); ${handler} });
    server.listen(0, '127.0.0.1', () => {
      http.get({ port: server.address().port, agent: false }, (response) => response.resume()).on('error', () => undefined);
    });`,
  );
  const [sessions] = receiver.items('sessions').map(({ json }) => json!);
  expect(sessions).toMatchObject({ attrs: { release: 'shop@1.2.0' }, aggregates: [counts] });
  expect(receiver.violations).toEqual([]);
});
