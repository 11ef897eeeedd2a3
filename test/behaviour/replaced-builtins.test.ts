import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureException, captureMessage, close, flush, init, setContext, startSpan } from '../../src/index.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry } from '../support/story.js';

/** Applications, polyfills and mocks replace functions of the platform. */

const run = promisify(execFile);
const DIST = new URL('../../dist/index.cjs', import.meta.url).pathname;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  vi.useRealTimers();
  await receiver.close();
});

describe('a `Promise` that a polyfill has put there before the package is loaded', () => {
  const polyfills = {
    'a subclass': 'const Native = Promise; globalThis.Promise = class extends Native {};',
    'another implementation': `const Native = Promise;
      globalThis.Promise = function (run) {
        const inner = new Native(run);
        return { then: (...both) => inner.then(...both), catch: (one) => inner.catch(one), finally: (one) => inner.finally(one) };
      };
      for (const name of ['resolve', 'reject', 'all', 'race', 'allSettled', 'any'])
        Promise[name] = (...args) => new Promise((resolve, reject) => Native[name](...args).then(resolve, reject));`,
  };
  it.each(Object.entries(polyfills))('leaves errors whole: %s', async (_, polyfill) => {
    const code = `${polyfill}
      const { captureException, captureMessage, init } = require(${JSON.stringify(DIST)});
      init({ dsn: process.argv[1], transportOptions: { store: false } });
      captureMessage('a message');
      captureException(new Error('an error'));`;
    await run(process.execPath, ['-e', code, receiver.dsn]);
    expect(receiver.events).toMatchObject([
      { message: 'a message', platform: 'node' },
      { exception: { values: [{ value: 'an error' }] }, platform: 'node' },
    ]);
  });
});

/** An application that replaces a function before or after `init`. It prints what was thrown into it. */
function application(when: 'before' | 'after', path: string, replacement: string): string {
  const setup = 'faultline.init({ dsn: process.argv[1], tracesSampleRate: 1 });';
  const replace = `owner[name] = ${replacement};`;
  return `
    const faultline = require(${JSON.stringify(DIST)});
    const parts = ${JSON.stringify(path.split('.'))};
    const name = parts.pop();
    const owner = parts.reduce((one, part) => one[part], globalThis);
    const original = owner[name];
    const thrown = [];
    const attempt = (call) => { try { return call(); } catch (error) { thrown.push(error.stack); } };
    ${when === 'before' ? `${replace} attempt(() => { ${setup} });` : `${setup} ${replace}`}
    attempt(() => faultline.setTag('a', 1));
    attempt(() => faultline.addBreadcrumb({ message: 'a breadcrumb', data: { a: 1 } }));
    attempt(() => faultline.captureException(new Error('an error')));
    attempt(() => faultline.captureMessage('a message'));
    attempt(() => faultline.captureEvent({ message: 'an event', extra: { a: [1] } }));
    if (attempt(() => faultline.startSpan({ name: 'a span' }, () => 7)) !== 7) thrown.push('not the result of startSpan');
    attempt(() => faultline.withScope((scope) => scope.addAttachment({ filename: 'a', data: 'a' })));
    attempt(() => faultline.withIsolationScope((scope) => scope.addEventProcessor((event) => event)));
    attempt(() => faultline.startInactiveSpan({ name: 'an inactive span' }).end());
    attempt(() => faultline.startSpanManual({ name: 'a manual span' }, (span) => span.end()));
    attempt(() => [faultline.getActiveSpan(), faultline.getTraceData(), faultline.lastEventId()]);
    const sentryTrace = '0123456789abcdef0123456789abcdef-0123456789abcdef-1';
    if (attempt(() => faultline.continueTrace({ sentryTrace }, () => 7)) !== 7) thrown.push('not the result of continueTrace');
    const end = () => { owner[name] = original; process.stdout.write(thrown.join('\\n')); process.exit(); };
    const answer = attempt(() => faultline.flush(3000));
    if (answer) answer.then(end, (error) => { thrown.push(error.stack); end(); });
    else end();`;
}

const THROWS = "function () { throw new Error('replaced'); }";
const LIES = 'function () {}';
const ON_ARRAY = ['push', 'map', 'filter', 'slice', 'includes'].map((name) => `Array.prototype.${name}`);
const ON_MAP = ['get', 'set', 'has'].map((name) => `Map.prototype.${name}`);
const GLOBALS = ['JSON.stringify', 'Date.now', 'Promise', 'Map', 'Set', 'Object.keys', 'Object.entries'];
const REPLACED = [...GLOBALS, ...ON_ARRAY, ...ON_MAP];
const FORMS = ['String.prototype.replace', 'Array.isArray', ...REPLACED].flatMap((path) =>
  (['before', 'after'] as const).flatMap((when) =>
    [THROWS, LIES].map((form) => [path, when, form === THROWS ? 'throws' : 'returns nothing', form] as const),
  ),
);
/** Without these the SDK can do little, but it does not let the application know. */
const IS_NEEDED = /prototype|keys|entries|isArray/;

describe('with a replacement', () => {
  it.each(FORMS)('of %s %s init that %s, nothing is thrown into the application', async (path, when, _, form) => {
    // Node's `path.join` needs `push`: without it, the store is in the working folder.
    const cwd = mkdtempSync(join(tmpdir(), 'faultline-test-'));
    const { stdout } = await run(process.execPath, ['-e', application(when, path, form), receiver.dsn], { cwd });
    expect(stdout).toBe('');
    rmSync(cwd, { recursive: true });
    if (!IS_NEEDED.test(path)) expect(receiver.events).toHaveLength(3);
  });

  it.each(['setTimeout', 'setInterval', 'setImmediate'])(
    'of %s that returns a number, as in jsdom, all arrives',
    async (name) => {
      const replacement = `(...args) => Number(original(...args)[Symbol.toPrimitive]?.() ?? 1)`;
      const { stdout } = await run(process.execPath, ['-e', application('before', name, replacement), receiver.dsn]);
      expect(stdout).toBe('');
      expect([receiver.events.length, receiver.transactions.length]).toEqual([3, 3]);
    },
  );

  it.each(['os.hostname', 'crypto.createHash', 'crypto.randomBytes', 'crypto.randomFillSync'])(
    'of %s that throws, all arrives',
    async (path) => {
      // The global `crypto` is another one.
      const program = `modules = { os: require('os'), crypto: require('node:crypto') };
        ${application('before', `modules.${path}`, THROWS)}`;
      const { stdout } = await run(process.execPath, ['-e', program, receiver.dsn]);
      expect(stdout).toBe('');
      expect([receiver.events.length, receiver.transactions.length]).toEqual([3, 3]);
    },
  );

  it('with which init fails, a line on stderr says so', async () => {
    const { stderr } = await run(process.execPath, [
      '-e',
      application('before', 'Array.prototype.map', THROWS),
      receiver.dsn,
    ]);
    expect(stderr).toBe(
      'faultline: init failed, and nothing is captured: Error: replaced. FAULTLINE_DEBUG=true shows where\n',
    );
  });
});

it('flush ends in time while the timers of the process are faked', async () => {
  receiver.respondWith({ hang: true });
  init({ dsn: receiver.dsn });
  vi.useFakeTimers();
  captureException(new Error('nobody answers'));
  expect(await flush(100)).toBe(false);
  expect(await close(100)).toBe(false);
  resetOpenTelemetry();
});

it('what is captured while the timers of the process are faked is sent', async () => {
  vi.useFakeTimers();
  init({ dsn: receiver.dsn });
  captureException(new Error('an error'));
  expect(await flush(5000)).toBe(true);
  expect(receiver.events).toHaveLength(1);
  await close(100);
  resetOpenTelemetry();
});

it('a string that is thrown again later is captured again while `setImmediate` is faked', async () => {
  const { setImmediate } = globalThis;
  const client = init({ dsn: receiver.dsn, tracesSampleRate: 1 });
  globalThis.setImmediate = (() => ({ unref() {} })) as never;
  try {
    for (let i = 0; i < 3; i++) {
      try {
        startSpan({ name: 'a span' }, () => {
          throw 'gone';
        });
      } catch (error) {
        // Captured when it left the span.
        captureException(error);
      }
      await sleep(5);
    }
    for (let i = 0; i < 2; i++) {
      captureException('gone');
      await sleep(5);
    }
    await client.close(5000);
  } finally {
    globalThis.setImmediate = setImmediate;
    resetOpenTelemetry();
  }
  expect(receiver.events.map(({ exception }) => exception.values[0]!.value)).toEqual(Array(5).fill('gone'));
});

it.each(['Number.NaN', 'Number.MAX_SAFE_INTEGER', 'undefined'])(
  'a server counts its requests while `Date.now` returns %s',
  async (time) => {
    const program = `
      const faultline = require(${JSON.stringify(DIST)});
      const http = require('node:http');
      faultline.init({ dsn: process.argv[1], release: 'a@1', tracesSampleRate: 1 });
      const { now } = Date;
      const server = http.createServer((_, response) => response.end()).listen(0, async () => {
        Date.now = () => ${time};
        await fetch('http://127.0.0.1:' + server.address().port);
        faultline.captureMessage('a message');
        setTimeout(() => {
          Date.now = now;
          faultline.close(5000).then(() => process.exit());
        }, 50);
      });`;
    const { stderr } = await run(process.execPath, ['-e', program, receiver.dsn]);
    expect(stderr).toBe('');
    const counts = receiver.items('sessions').map(({ json }) => json);
    expect(counts).toMatchObject([{ aggregates: [{ exited: 1 }] }]);
    expect(receiver.events).toHaveLength(1);
  },
);

/** Calls `act` while a function of the platform is replaced. */
function replacing(path: string, replacement: () => unknown, act: () => void): void {
  const parts = path.split('.');
  const name = parts.pop()!;
  const owner = parts.reduce(
    (one, part) => one[part] as Record<string, unknown>,
    globalThis as Record<string, unknown>,
  );
  const original = owner[name];
  owner[name] = replacement;
  try {
    act();
  } finally {
    owner[name] = original;
  }
}

const replacements: [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('replaced');
    },
  ],
  ['returns nothing', () => undefined],
];
const clocks = ['performance.now', 'Date', 'Date.now', 'Date.prototype.toISOString'];
const others = ['setTimeout', 'clearTimeout', 'Set.prototype.add', 'Buffer.from', 'Array.prototype.some'];

describe.each(replacements)('while a function %s', (_, replacement) => {
  const captureAll = () => {
    captureMessage('a message');
    for (let i = 0; i < 4; i++) captureException(new Error('many like it'));
  };

  it.each(clocks)('(%s) everything that is captured is sent', async (path) => {
    init({ dsn: receiver.dsn, release: 'a@1', beforeSend: async (event) => event });
    replacing(path, replacement, captureAll);
    expect(await flush(5000)).toBe(true);
    expect(receiver.events).toHaveLength(5);
    await close(100);
    resetOpenTelemetry();
  });

  it.each([...clocks, ...others])('(%s) what is captured ends in one outcome', async (path) => {
    const client = init({ dsn: receiver.dsn, release: 'a@1', maxSameErrorsPerSecond: 2 });
    replacing(path, replacement, captureAll);
    await close(5000);
    const { captured, delivered, discarded, queued } = client.ledger.balance().error!;
    expect({ captured, settled: delivered + discarded, queued }).toEqual({ captured: 5, settled: 5, queued: 0 });
    resetOpenTelemetry();
  });
});

it('a `get` that somebody has added to Object.prototype throws nothing into the application', async () => {
  const client = init({ dsn: receiver.dsn, transportOptions: { store: false } });
  const prototype = Object.prototype as { get?: unknown };
  prototype.get = undefined;
  let thrown: unknown;
  try {
    setContext('__proto__', { a: 1 });
    await client.close(0);
  } catch (error) {
    thrown = error;
  } finally {
    delete prototype.get;
    resetOpenTelemetry();
  }
  expect(thrown).toBeUndefined();
});

it.each([
  ['type', "'transaction'"],
  ['type', "'feedback'"],
  ['headers', '{ a: 1 }'],
  ['toJSON', "() => 'replaced'"],
])(
  'a `%s` that somebody has added to Object.prototype changes nothing about what is sent (%s)',
  async (name, value) => {
    const program = `
    const faultline = require(${JSON.stringify(DIST)});
    const client = faultline.init({ dsn: process.argv[1], tracesSampleRate: 1, transportOptions: { store: false } });
    Object.prototype[${JSON.stringify(name)}] = ${value};
    faultline.captureException(new Error('an error'));
    faultline.captureMessage('a message');
    faultline.captureEvent({ message: 'an event', extra: { list: [{ a: 1 }] } });
    faultline.startSpan({ name: 'a span' }, () => undefined);
    client.flush(5000).then(() => process.exit());`;
    await run(process.execPath, ['-e', program, receiver.dsn]);
    expect(receiver.events.map((event) => event.message ?? event.exception.values[0].value).sort()).toEqual([
      'a message',
      'an error',
      'an event',
    ]);
    expect(receiver.events.find(({ message }) => message === 'an event')?.extra).toEqual({ list: [{ a: 1 }] });
    expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual(['a span']);
    expect(receiver.discards()).toEqual([]);
  },
);

it('an integration whose name cannot be read again hides no other', async () => {
  let reads = 0;
  const hostile = {
    get name() {
      reads += 1;
      if (reads > 1) throw new Error('no name');
      return 'Hostile';
    },
  };
  const client = init({ dsn: receiver.dsn, transportOptions: { store: false } });
  expect(() => client.addIntegration(hostile)).not.toThrow();
  expect(() => client.getIntegrationByName('none')).not.toThrow();
  captureMessage('sent');
  await client.close(2000);
  expect(receiver.events.map(({ message }) => message)).toEqual(['sent']);
  resetOpenTelemetry();
});
