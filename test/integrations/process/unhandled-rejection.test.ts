import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { runScript, type ScriptResult } from '../run-script.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

function run(options: string, body: string, nodeOptions: string[] = []) {
  const integrations = `integrations: [onUnhandledRejectionIntegration({ ${options} })]`;
  const source = `import * as faultline from 'faultline';
  import { onUnhandledRejectionIntegration } from 'faultline';
  faultline.init({ shutdownTimeout: 10_000, ${options && integrations} });
  ${body}`;
  return runScript(source, { env: { FAULTLINE_DSN: receiver.dsn }, nodeOptions });
}

const reject = `Promise.reject(new RangeError('late')); setTimeout(() => console.log('alive'), 50);`;
/** Goes on for longer than sending takes on the busiest machine. */
const rejectAndRun = `Promise.reject(new RangeError('late')); setTimeout(() => console.log('alive'), 60_000);`;

const eventOf = (value: unknown) => ({
  exception: { values: [{ value, mechanism: { type: 'auto.node.onunhandledrejection', handled: false } }] },
});

it('an unhandled rejection is sent, and then ends the process as it would have without the SDK', async () => {
  const { status, stdout, stderr } = await run('', rejectAndRun);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/\n\nRangeError: late\n {4}at .*\n\nNode\.js v[\d.]+\n$/s);
  expect(receiver.events).toMatchObject([
    { level: 'fatal', extra: { unhandledPromiseRejection: true }, ...eventOf('late') },
  ]);
  expect(receiver.events[0]?.exception?.values?.[0]?.type).toBe('RangeError');
});

const onEvent = (event: string) =>
  `process.on('${event}', (error, origin) => console.log('${event}', String(error).slice(0, 60), typeof origin));`;

/** Without ids, places in files, and the line of source code, which is another one once `stack` was read. */
const outcomeOf = ({ status, stdout, stderr }: ScriptResult) => ({
  status,
  stdout,
  stderr: stderr
    .replace(/^\n?\S+:\d+\n.*\n *\^+\n\n?/, '')
    .replace(/node:\d+/g, 'node')
    .replace(/rejection id: \d+/g, '')
    .replace(/(\[eval1\])?:\d+(:\d+)?/g, ''),
});

it.each<[nodeMode: string, ...events: string[]]>([
  ['throw'],
  ['throw', 'unhandledRejection'],
  ['throw', 'uncaughtException'],
  ['throw', 'unhandledRejection', 'uncaughtException'],
  ['throw', 'uncaughtExceptionMonitor', 'exit'],
  ['strict'],
  ['strict', 'uncaughtException'],
  ['warn'],
  ['warn-with-error-code'],
  ['warn-with-error-code', 'unhandledRejection'],
  ['none'],
])(
  'with --unhandled-rejections=%s, status and output are those without the SDK (listeners: %s %s)',
  async (mode, ...events) => {
    const nodeOptions = [`--unhandled-rejections=${mode}`];
    const compare = async (reason: string) => {
      const body = (millis: number) => `${events.map(onEvent).join(' ')}
    setTimeout(() => console.log('alive'), ${millis}); Promise.reject(${reason});`;
      const plain = await runScript(body(50), { nodeOptions });
      // A process that ends does so however long sending takes.
      const ours = await run('', body(plain.stdout.includes('alive') ? 50 : 60_000), nodeOptions);
      expect(outcomeOf(ours), reason).toEqual(outcomeOf(plain));
    };
    await Promise.all([compare(`new DOMException('stop', 'AbortError')`), compare('{ a: 1 }')]);
    expect(receiver.events).toHaveLength(2);
  },
);

it.each([
  ['throw', "'late ' + i", 'uncaughtException'],
  ['throw', "new Error('late ' + i)", 'uncaughtException'],
  ['warn-with-error-code', "new Error('late ' + i)", 'exit'],
])('with --unhandled-rejections=%s, several of one turn (%s) are all sent, in order', async (mode, reason, event) => {
  const nodeOptions = [`--unhandled-rejections=${mode}`];
  const body = `${onEvent(event)} for (let i = 0; i < 4; i++) Promise.reject(${reason}); setTimeout(() => console.log('alive'), 50);`;
  const plain = await runScript(body, { nodeOptions });
  expect(outcomeOf(await run('', body, nodeOptions))).toEqual(outcomeOf(plain));
  expect(receiver.events).toMatchObject([0, 1, 2, 3].map((i) => ({ level: 'error', ...eventOf(`late ${i}`) })));
});

it.each([
  ['strict', 'exit'],
  ['throw', 'uncaughtException'],
])('an ignored one is not sent as an exception that Node raises (--unhandled-rejections=%s)', async (mode, event) => {
  const body = `${onEvent(event)} Promise.reject(new DOMException('stop', 'AbortError'));`;
  const nodeOptions = [`--unhandled-rejections=${mode}`];
  const { stdout } = await run(`ignore: ['AbortError']`, body, nodeOptions);
  expect(stdout).toContain(event);
  expect(receiver.events).toEqual([]);
});

it('the mode of Node is read from NODE_OPTIONS, too', async () => {
  const body = `faultline.init({ dsn: '${receiver.dsn}' }); ${reject}`;
  const { status, stdout } = await runScript(`import * as faultline from 'faultline'; ${body}`, {
    env: { NODE_OPTIONS: '--unhandled-rejections=warn' },
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'alive\n' });
});

it('one in a worker thread is sent, and reaches its parent as the error of the worker', async () => {
  const inWorker = `import('faultline').then(({ init }) => { init(); Promise.reject(new RangeError('late')); });`;
  const { stdout } = await runScript(
    `import { Worker } from 'node:worker_threads';
    new Worker(${JSON.stringify(inWorker)}, { eval: true, execArgv: [] })
      .on('error', (error) => console.log(error.message)).on('exit', (code) => console.log(code));`,
    { env: { FAULTLINE_DSN: receiver.dsn } },
  );
  expect(stdout).toBe('late\n1\n');
  expect(receiver.events).toMatchObject([eventOf('late')]);
});

it('onFatalError decides about a rejection that Node raises', async () => {
  const { status, stdout, stderr } = await runScript(
    `import * as faultline from 'faultline';
    const onFatalError = (error) => console.log('fatal', error.message);
    faultline.init({ integrations: [faultline.onUncaughtExceptionIntegration({ onFatalError })] });
    ${reject}`,
    { env: { FAULTLINE_DSN: receiver.dsn } },
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'fatal late\nalive\n', stderr: '' });
  expect(receiver.events).toHaveLength(1);
});

it('with mode warn it is printed as a warning, and the process goes on', async () => {
  const { status, stdout, stderr } = await run(`mode: 'warn'`, reject);
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'alive\n' });
  expect(stderr).toMatch(/^\(node:\d+\) UnhandledPromiseRejectionWarning: RangeError: late\n {4}at /);
  expect(receiver.events).toMatchObject([{ level: 'error' }]);
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

it('an abort that nobody handles is sent, too', async () => {
  const { status } = await run('', `Promise.reject(AbortSignal.abort().reason)`);
  expect(status).toBe(1);
  expect(receiver.events).toHaveLength(1);
});

it.each([
  ['a name that the application ignores', `ignore: ['Wanted']`],
  ['a name that matches a pattern', 'ignore: [/^Wan/]'],
])('nothing is sent for %s, and the process ends all the same', async (_, options) => {
  const { status, stderr } = await run(options, `Promise.reject({ name: 'Wanted' })`);
  expect(status).toBe(1);
  expect(stderr).toContain('ERR_UNHANDLED_REJECTION');
  expect(receiver.events).toEqual([]);
});

it.each([
  ['a symbol', 'Symbol()'],
  ['what throws when it is made a string', '{ toString() { throw 1; } }'],
  ['what only looks like a pattern', '{ [Symbol.search]: () => 0 }'],
])('an ignored name that is %s ignores nothing', async (_, element) => {
  const { status } = await run(`mode: 'none', ignore: [${element}]`, reject);
  expect(status).toBe(0);
  expect(receiver.events).toMatchObject([eventOf('late')]);
});

it('a name that only contains an ignored one is not ignored', async () => {
  await run(`ignore: ['Wanted']`, `Promise.reject({ name: 'Unwanted' })`);
  expect(receiver.events).toHaveLength(1);
});

it.each([['5'], ['undefined'], ['null'], ['{ get name() { throw new Error(); } }']])(
  'the reason may be %s',
  async (reason) => {
    const { status } = await run('', `Promise.reject(${reason});`);
    expect(status).toBe(1);
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

it.each([
  `'why'`,
  'undefined',
  'Symbol()',
  '{ a: 1 }',
  'new (class Failure {})()',
  '[1]',
  'Object.create(null)',
  '() => 1',
])('a rejection with %s is printed in the words of Node, although the application exits meanwhile', async (reason) => {
  receiver.respondWith({ delayMillis: 10_000 });
  const body = `setTimeout(() => process.exit(0), 50); setTimeout(() => undefined, 60_000); Promise.reject(${reason});`;
  const [bare, withSdk] = await Promise.all([runScript(body), run('', body)]);
  const said = /UnhandledPromiseRejection: This error originated .* with the reason ".*"\./;
  expect(bare.stderr).toMatch(said);
  expect(withSdk).toMatchObject({ status: 1, stderr: expect.stringContaining(said.exec(bare.stderr)![0]) });
  expect(withSdk.stderr).toContain(`code: 'ERR_UNHANDLED_REJECTION'`);
});

it('a reason that is no error has a stack', async () => {
  await run(`mode: 'none'`, `Promise.reject('why'); setTimeout(() => undefined, 50);`);
  const [exception] = receiver.events[0]?.exception?.values ?? [];
  expect(exception?.value).toBe('why');
  expect(exception?.stacktrace?.frames?.length).toBeGreaterThan(0);
});

it.each(['throw', 'strict'])(
  'with --unhandled-rejections=%s, of many rejections only the first is sent, because it ends the process',
  async (mode) => {
    const body = `for (let i = 0; i < 20; i++) Promise.reject(new Error('error ' + i));`;
    const { status, stderr } = await run('', body, [`--unhandled-rejections=${mode}`]);
    expect(status).toBe(1);
    expect(stderr.match(/Error: error 0$/gm)).toHaveLength(1);
    expect(stderr).not.toMatch(/MaxListenersExceededWarning|Error: error 1/);
    expect(receiver.events).toMatchObject([{ exception: { values: [{ value: 'error 0' }] } }]);
  },
);
