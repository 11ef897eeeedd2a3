import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { init } from '../../src/index.js';
import { runScript } from '../integrations/run-script.js';
import { eventually, PATIENCE_MILLIS } from '../support/eventually.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry } from '../support/story.js';

/** What a process captured before it ended is delivered, by itself or by the next process. */

let receiver: Receiver;
let directory: string;
beforeEach(async () => {
  receiver = await startReceiver();
  directory = await mkdtemp(join(tmpdir(), 'faultline-ends-'));
});
afterEach(async () => {
  await receiver.close();
  await rm(directory, { recursive: true, force: true });
});

const HANGING = 'shutdownTimeout: 200, transportOptions: { timeoutMillis: 60_000 }';

const CAPTURE_LARGE = `faultline.captureEvent({
  message: 'import failed',
  request: { url: 'http://localhost/', data: 'name;amount\\n'.repeat(80_000) },
  extra: { rows: Array.from({ length: 400 }, (_, index) => ({ index, text: 'x'.repeat(500) })) },
});`;

function expectLarge(): void {
  const { request, extra } = receiver.events.find(({ message }) => message === 'import failed')!;
  expect(request.data).toBe('name;amount\n'.repeat(80_000));
  const rows = extra['rows'] as { text: string }[];
  expect(rows.map(({ text }) => text.length)).toEqual(new Array(400).fill(500));
}

interface Setup {
  readonly options?: string;
  readonly nodeOptions?: string[];
  /** Runs in front of `init`. */
  readonly before?: string;
}

function run(body: string, { options = '', nodeOptions = [], before = '' }: Setup = {}) {
  const source = `import * as faultline from 'faultline';
  ${before}
  faultline.init({ tracesSampleRate: 1, ${options} });
  ${body}`;
  return runScript(source, { env: { FAULTLINE_DSN: receiver.dsn, FAULTLINE_STORE_DIR: directory }, nodeOptions });
}

const storedFiles = async () =>
  (await readdir(directory, { recursive: true })).filter((one) => one.includes('.envelope'));

/** This process is the next one of the application: it runs until nothing is stored any more. */
async function deliverStored(): Promise<void> {
  receiver.respondWith();
  const client = init({ dsn: receiver.dsn, tracesSampleRate: 1, transportOptions: { store: { directory } } });
  await eventually(async () => expect(await storedFiles()).toEqual([]));
  await client.close(PATIENCE_MILLIS);
  resetOpenTelemetry();
}

/** The same in a process of its own, which says nothing of it. */
async function deliverStoredElsewhere(): Promise<void> {
  receiver.respondWith();
  const { stderr } = await run(
    `import { readdirSync } from 'node:fs';
    const timer = setInterval(() => {
      const files = readdirSync(process.env.FAULTLINE_STORE_DIR, { recursive: true });
      if (!files.some((file) => file.includes('.envelope'))) clearInterval(timer);
    }, 20);`,
  );
  expect(stderr).toBe('');
}

const titles = () => receiver.events.map(({ message, exception }) => exception?.values[0]?.value ?? message).sort();

describe('process.exit', () => {
  it('lets no further integration begin to wait', async () => {
    const options = `defaultIntegrations: false, integrations: ['first', 'second'].map((name) => ({
      name,
      enrichEvent(event) {
        event.tags = { ...event.tags, [name]: 'waits' };
        return new Promise(() => undefined);
      },
      enrichEventSync(event) {
        event.extra = { ...event.extra, [name]: 'in time' };
      },
    })).concat(faultline.processExitIntegration())`;
    await run(`faultline.captureMessage('last words'); process.exit();`, { options });
    await deliverStored();
    expect(receiver.events).toMatchObject([{ extra: { first: 'in time', second: 'in time' } }]);
    expect(receiver.events[0]!.tags).toEqual({ first: 'waits' });
  });

  it('in the tick of the capture loses nothing, not even the source lines and the contexts', async () => {
    const { status } = await run(
      `faultline.captureException(new Error('boom'));
      faultline.captureMessage('last words');
      faultline.captureFeedback({ message: 'It is broken' });
      process.exit(3);`,
    );
    expect(status).toBe(3);
    expect(receiver.events).toEqual([]);
    await deliverStoredElsewhere();
    expect(titles()).toEqual(['boom', 'last words']);
    expect(receiver.items('feedback')).toHaveLength(1);
    const error = receiver.events.find(({ exception }) => exception)!;
    expect(error.contexts).toMatchObject({ os: { name: expect.any(String) }, runtime: { name: 'node' } });
    expect(receiver.violations).toEqual([]);
  });

  it.each([
    ['at once', 'process.exit();'],
    ['when some parts are serialized', 'setImmediate(() => setImmediate(() => setImmediate(() => process.exit())));'],
  ])('loses nothing of an event that is so large that it leaves in parts, %s', async (_, exit) => {
    await run(`${CAPTURE_LARGE} faultline.captureMessage('last words'); ${exit}`);
    expect(receiver.events).toEqual([]);
    await deliverStored();
    expectLarge();
    expect(titles()).toEqual(['import failed', 'last words']);
  });

  it('adds the source lines of errors that are captured for the first time', async () => {
    await run(
      `const { fail } = await import(process.cwd() + '/test/support/fails.mjs');
      try { fail(); } catch (error) { faultline.captureException(error); }
      process.exit();`,
    );
    await deliverStored();
    const frames = receiver.events[0]!.exception.values[0]!.stacktrace.frames;
    expect(frames.at(-1)).toMatchObject({ function: 'fail', context_line: "  throw new Error('failed');" });
  });

  it('loses nothing that listeners capture at the exit', async () => {
    const { status } = await run(
      `process.on('exit', () => faultline.captureMessage('in the listener'));
      process.exit(0);`,
    );
    expect(status).toBe(0);
    await deliverStored();
    expect(titles()).toEqual(['in the listener']);
  });

  it('counts each of many equal errors that a listener captures at the exit', async () => {
    const { stdout } = await run(
      `process.on('exit', () => {
        for (let i = 0; i < 10; i++) faultline.captureException(new Error('at the exit'));
        console.log(JSON.stringify(faultline.getClient().ledger.balance().error));
      });`,
      { options: 'maxSameErrorsPerSecond: 2' },
    );
    expect(JSON.parse(stdout)).toMatchObject({ captured: 10, stored: 2, discarded: 8, queued: 0 });
  });

  it('counts events that hooks still have, and transactions, in a report of the next process', async () => {
    const options = 'beforeSend: async (event) => event';
    await run(
      `faultline.captureMessage('in the hook');
      faultline.startSpan({ name: 'work' }, () => undefined);
      process.exit();`,
      { options },
    );
    await deliverStored();
    expect(receiver.events).toEqual([]);
    expect(receiver.discardedTotal('before_send', 'error')).toBe(1);
    expect(receiver.discardedTotal(undefined, 'transaction')).toBe(1);
  });

  it.each([
    ['beforeSend', `beforeSend(event) { if (event.message === 'last words') process.exit(3); return event; }`, ''],
    [
      'an event processor',
      '',
      `faultline.addEventProcessor((event) => event.message === 'last words' ? process.exit(3) : event);`,
    ],
    [
      'a hook of sending',
      '',
      `faultline.getClient().on('beforeSendEvent', (event) => event.message === 'last words' && process.exit(3));`,
    ],
    ['toJSON', '', `faultline.setExtra('thing', { toJSON() { process.exit(3); } });`],
    [
      'the message of an exception',
      '',
      `faultline.captureException(Object.defineProperty(new Error(), 'message', { get: () => process.exit(3) }));`,
    ],
  ])('in %s costs the event that it has, and no other', async (_, options, prepare) => {
    const { status } = await run(
      `faultline.captureMessage('before');
      faultline.withScope(() => {
        ${prepare}
        faultline.captureMessage('last words');
      });
      setTimeout(() => {}, 1000);`,
      { options },
    );
    expect(status).toBe(3);
    await deliverStored();
    expect(titles()).toEqual(['before']);
    expect(receiver.discards()).toEqual([{ reason: 'event_processor', category: 'error', quantity: 1 }]);
  });

  it('in a hook that is called at the exit costs nothing that was already sent', async () => {
    receiver.respondWith({ hang: true });
    const { status } = await run(
      `faultline.captureMessage('sent');
      setTimeout(() => {
        faultline.captureException(new Error('with source lines that are not read yet'));
        process.exit(3);
      }, 500);`,
      { options: 'beforeSend: (event) => event.exception ? process.exit(4) : event' },
    );
    expect(status).toBe(4);
    await deliverStored();
    expect(titles()).toEqual(['sent']);
  });

  it.each([
    [
      'in an exit listener that is called first',
      `process.prependListener('exit', () => process.exit(5)); process.exit(3);`,
      5,
    ],
    [
      'in the last of several such listeners',
      `for (const code of [4, 5]) process.prependListener('exit', () => process.exit(code)); process.exit(3);`,
      5,
    ],
    ['without any listener', `process.removeAllListeners('exit'); process.exit(3);`, 3],
  ])('%s loses nothing', async (_, end, status) => {
    const ended = await run(`faultline.captureMessage('last words'); ${end}`);
    expect(ended.status).toBe(status);
    await deliverStored();
    expect(titles()).toEqual(['last words']);
  });

  it.each([
    ['one event', `event.message === 'b' ? process.exit(4) : event`, ['a', 'c'], 1],
    ['each event', `process.exit(4)`, [], 3],
  ])('in a hook that gets %s at the exit costs the event that it has, and no other', async (_, hook, sent, lost) => {
    const { status } = await run(
      `for (const message of ['a', 'b', 'c']) faultline.captureMessage(message);
      process.exit(3);`,
      { options: `beforeSend: (event) => ${hook}` },
    );
    expect(status).toBe(4);
    await deliverStored();
    expect(titles()).toEqual(sent);
    expect(receiver.discards()).toEqual([{ reason: 'event_processor', category: 'error', quantity: lost }]);
  });

  it('in an exit listener that is older than init loses nothing', async () => {
    const { status } = await run(`faultline.captureMessage('last words'); process.exit(3);`, {
      before: `process.on('exit', () => process.exit(5));`,
    });
    expect(status).toBe(5);
    await deliverStored();
    expect(titles()).toEqual(['last words']);
  });

  it('stores transactions if asked to', async () => {
    await run(`faultline.startSpan({ name: 'work' }, () => undefined); process.exit();`, {
      options: 'transportOptions: { store: { transactions: true } }',
    });
    await deliverStored();
    expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual(['work']);
  });

  it('while the client closes loses nothing', async () => {
    receiver.respondWith({ hang: true });
    await run(
      `faultline.captureMessage('last words');
      faultline.close(10_000);
      setTimeout(() => process.exit(), 100);`,
    );
    await deliverStored();
    expect(titles()).toEqual(['last words']);
  });

  it('leaves nothing behind when everything was delivered', async () => {
    await run(`faultline.captureMessage('last words'); await faultline.flush(); process.exit();`);
    expect(titles()).toEqual(['last words']);
    expect(await storedFiles()).toEqual([]);
  });
});

describe('a process that captures a large event last', () => {
  it('lives until it is delivered, and no longer', async () => {
    const { stderr, status } = await run(CAPTURE_LARGE);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expectLarge();
    expect(await storedFiles()).toEqual([]);
  });

  it('and then crashes, loses neither', async () => {
    await run(`${CAPTURE_LARGE} throw new Error('boom');`);
    await deliverStored();
    expectLarge();
    expect(titles()).toEqual(['boom', 'import failed']);
  });
});

describe('spans below a root that has not ended', () => {
  it.each([
    ['the event loop runs empty', ''],
    ['process.exit()', 'process.exit();'],
    ['process.exit() without a listener', `process.removeAllListeners('exit'); process.exit();`],
    ['an uncaught exception', `throw new Error('boom');`],
    ['SIGTERM', `setInterval(() => {}, 1000); process.kill(process.pid, 'SIGTERM');`],
  ])('are not lost when the process ends by %s', async (_, end) => {
    await run(
      `faultline.startSpanManual({ name: 'endless' }, () => faultline.startSpan({ name: 'done' }, () => undefined));
      ${end}`,
      { options: 'transportOptions: { store: { transactions: true } }' },
    );
    await deliverStored();
    expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual(['done']);
  });
});

describe('a listener for exit that throws', () => {
  const failing = `process.on('exit', (code) => { console.log('exit', code); throw new Error('at the exit'); });`;

  it.each([
    ['after process.exit()', `${failing} process.exit(2);`, [], ['at the exit']],
    ['after process.exit(0)', `${failing} process.exit(0);`, [], ['at the exit']],
    ['after process.exit() in an async function', `${failing} await 1; process.exit(2);`, [], ['at the exit']],
    ['at the end of the event loop', `${failing} process.exitCode = 6;`, [], ['at the exit']],
    ['after an uncaught exception', `${failing} setTimeout(() => { throw new Error('boom'); });`, [], ['boom']],
    [
      'in front of the listener of the SDK',
      `process.prependListener('exit', () => { throw new Error('at the exit'); }); process.exit(2);`,
      [],
      ['at the exit'],
    ],
    [
      'with --unhandled-rejections=strict',
      `${failing} await 1; process.exit(2);`,
      ['--unhandled-rejections=strict'],
      ['at the exit'],
    ],
    [
      'in a worker thread',
      `import { Worker } from 'node:worker_threads';
      const body = \`${failing} process.exit(2);\`;
      const init = globalThis.withoutSdk ? '' : "require('faultline').init();";
      const worker = new Worker(init + body, { eval: true, execArgv: [] });
      worker.on('error', ({ message }) => console.log('error', message));
      worker.on('exit', (code) => console.log('exit of the worker', code));`,
      [],
      ['at the exit'],
    ],
  ])('%s changes no exit code, and its error is sent', async (_, body, nodeOptions, sent) => {
    const { status, stdout, stderr } = await run(body, { nodeOptions });
    const without = await runScript(`globalThis.withoutSdk = true; ${body}`, { nodeOptions });
    const lastLines = (text: string) => text.split('\n').slice(-3);
    expect({ status, stdout, end: lastLines(stderr) }).toEqual({
      status: without.status,
      stdout: without.stdout,
      end: lastLines(without.stderr),
    });
    await deliverStored();
    expect(titles()).toEqual(sent);
  });
});

describe('a destination that refuses the only event of a process is not said to refuse everything when it', () => {
  const options = 'sendClientReports: false';
  const refusing = (message: string) => (request: ReceivedRequest) =>
    request.body.includes(message) ? { statusCode: 500 } : undefined;

  it('accepts another event', async () => {
    receiver.respondWith(refusing('refused'));
    const { stderr } = await run(
      `faultline.captureMessage('refused'); await faultline.flush(); faultline.captureMessage('accepted');`,
      { options },
    );
    expect(stderr).toBe('');
    expect(titles()).toEqual(['accepted']);
  });

  it('accepts what an earlier process has stored', async () => {
    receiver.respondWith({ hang: true });
    await run(`faultline.captureMessage('stored'); process.exit();`, { options });
    receiver.respondWith(refusing('refused'));
    const { stderr } = await run(`faultline.captureMessage('refused'); await faultline.flush();`, { options });
    expect(stderr).toBe('');
    expect(titles()).toEqual(['stored']);
  });

  it('only limits the rate', async () => {
    receiver.respondWith({ statusCode: 429 });
    expect((await run(`faultline.captureMessage('limited');`, { options })).stderr).toBe('');
  });
});

it('an application may make process.reallyExit read-only', async () => {
  const before = `Object.defineProperty(process, 'reallyExit', { value: process.reallyExit, configurable: false, writable: false });`;
  await run(`faultline.captureMessage(String(faultline.getClient().settings.enabled)); process.exit();`, { before });
  await deliverStored();
  expect(titles()).toEqual(['true']);
});

it('spans that end in an exit listener of the application are stored or counted', async () => {
  await run(
    `const root = faultline.startInactiveSpan({ name: 'root' });
    const later = faultline.startInactiveSpan({ name: 'later' });
    process.on('exit', () => {
      faultline.withActiveSpan(later, () => faultline.startSpan({ name: 'below a root that does not end' }, () => undefined));
      root.end();
    });
    process.exit();`,
    { options: 'transportOptions: { store: { transactions: true } }' },
  );
  await deliverStored();
  const names = receiver.transactions.map(({ transaction }) => transaction);
  expect(names.sort()).toEqual(['below a root that does not end', 'root']);
});

describe('while the destination does not answer', () => {
  beforeEach(() => receiver.respondWith({ hang: true }));

  it.each<[end: string, body: string, status: number | string]>([
    ['the event loop runs empty', '', 0],
    ['an uncaught exception', `setTimeout(() => { throw new Error('boom'); });`, 1],
    ['an unhandled rejection', `Promise.reject(new Error('boom'));`, 1],
    ['SIGTERM', `setInterval(() => {}, 1000); process.kill(process.pid, 'SIGTERM');`, 'SIGTERM'],
    [
      'SIGTERM, for which the application listens',
      `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); process.kill(process.pid, 'SIGTERM');`,
      5,
    ],
  ])('nothing is lost when the process ends by %s', async (_, body, status) => {
    const result = await run(`faultline.captureMessage('last words'); ${body}`, { options: HANGING });
    expect(result.status).toBe(status);
    // Requests without an answer may have arrived.
    receiver.clear();
    await deliverStored();
    expect(titles()).toEqual([...(body.includes('boom') ? ['boom'] : []), 'last words']);
  });

  it('the error that ends the process is stored before it is sent', async () => {
    const { status } = await run(
      `import { readdirSync } from 'node:fs';
      setInterval(() => {
        const files = readdirSync(process.env.FAULTLINE_STORE_DIR, { recursive: true });
        if (files.some((file) => file.includes('.envelope'))) process.abort();
      }, 10);
      setTimeout(() => { throw new Error('boom'); });`,
      { options: 'shutdownTimeout: 10_000' },
    );
    expect(status).toBe('SIGABRT');
    receiver.clear();
    await deliverStored();
    expect(titles()).toEqual(['boom']);
  });
});

describe('a worker thread', () => {
  const worker = (body: string) => `
    import { Worker } from 'node:worker_threads';
    const source = \`
      import { parentPort } from 'node:worker_threads';
      import('faultline').then((faultline) => {
        faultline.init();
        ${body}
      });
    \`;
    const worker = new Worker(source, { eval: true });`;

  it.each([
    ['ends by itself', `faultline.captureMessage('of the worker');`, ''],
    ['calls process.exit', `faultline.captureMessage('of the worker'); process.exit();`, ''],
    [
      'is terminated',
      `faultline.captureException(new Error('of the worker')); parentPort.postMessage(1); setInterval(() => {}, 1000);`,
      `worker.on('message', () => worker.terminate());`,
    ],
  ])('that %s loses nothing', async (_, body, main) => {
    receiver.respondWith({ hang: true });
    const { status } = await run(`${worker(body)} ${main}`, { options: HANGING });
    expect(status).toBe(0);
    receiver.clear();
    await deliverStored();
    expect(titles()).toEqual(['of the worker']);
  });
});
