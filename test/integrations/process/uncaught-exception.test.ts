import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { runScript } from '../run-script.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

function run(options: string, body: string, nodeOptions: string[] = []) {
  return runScript(sourceOf(options, body), { env: { FAULTLINE_DSN: receiver.dsn }, nodeOptions });
}

function sourceOf(options: string, body: string): string {
  return `import * as faultline from 'faultline';
  import { onUncaughtExceptionIntegration } from 'faultline';
  faultline.init({ ${options} });
  ${body}`;
}

/** Runs a process whose stderr is a pipe that nobody reads any more, as with `2>&1 | head`. */
function runWithoutStderr(options: string, body: string) {
  const dsn = { FAULTLINE_DSN: receiver.dsn };
  return runScript(sourceOf(`shutdownTimeout: 3000, ${options}`, body), { env: dsn, closesStderr: true });
}

const withOptions = (options: string) => `integrations: [onUncaughtExceptionIntegration({ ${options} })]`;

/** Without the line of source code, which only Node can print, and where in it something was. */
function withoutPlaces(stderr: string): string {
  return stderr
    .replace(/^\S*:\d+\n.*\n *\^+\n\n?/m, '')
    .replace(/:\d+:\d+/g, '')
    .trimStart();
}

/** Sorted: events travel on connections of their own. */
const values = () => receiver.events.map((event) => event.exception?.values?.at(-1)?.value).sort();

describe('an uncaught exception', () => {
  it('is sent as unhandled and fatal, written to stderr, and ends the process with status 1', async () => {
    const { status, stderr } = await run('', `throw Object.assign(new TypeError('boom'), { code: 'E_BOOM' });`);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^TypeError: boom\n {4}at .*code: 'E_BOOM'.*\n\nNode\.js v\d+\.\d+\.\d+\n$/s);
    expect(receiver.events).toHaveLength(1);
    const [event] = receiver.events;
    expect(event).toMatchObject({ level: 'fatal', exception: { values: [{ type: 'TypeError', value: 'boom' }] } });
    expect(event?.exception?.values?.[0]?.mechanism).toMatchObject({
      type: 'auto.node.onuncaughtexception',
      handled: false,
    });
  });

  it.each([
    ['a timer', `setTimeout(() => { throw new Error('boom'); }, 1);`],
    ['an event', `process.nextTick(() => process.emit('x')); process.on('x', () => { throw new Error('boom'); });`],
    [
      'a server that is listening',
      `import http from 'node:http'; http.createServer().listen(0, () => { throw new Error('boom'); });`,
    ],
  ])('ends the process also when it comes from %s', async (_, body) => {
    const { status, stderr } = await run('', body);
    expect(status).toBe(1);
    expect(stderr).toContain('Error: boom');
    expect(values()).toEqual(['boom']);
  });

  it.each([
    ['a string', `'text'`],
    ['undefined', 'undefined'],
    ['a symbol', `Symbol('a')`],
    ['an object', `{ a: { b: { c: { d: 1 } } } }`],
    ['an object that prints itself', `{ get [Symbol.for('nodejs.util.inspect.custom')]() { throw 1; } }`],
    ['an error with properties', `Object.assign(new RangeError('boom'), { code: 'E_BOOM', cause: new Error('why') })`],
  ])('may be %s, and is printed as Node prints it', async (_, thrown) => {
    const body = `setTimeout(() => { throw ${thrown}; });`;
    const { status, stderr } = await run('', body);
    expect(status).toBe(1);
    expect(withoutPlaces(stderr)).toBe(withoutPlaces((await runScript(body)).stderr));
    expect(receiver.events).toHaveLength(1);
  });

  it('that was emitted as an error is printed with its emitter', async () => {
    const body = `import { EventEmitter } from 'node:events';
    class Queue extends EventEmitter {}
    setTimeout(() => new Queue().emit('error', new Error('boom')));`;
    const { status, stderr } = await run('', body);
    expect(status).toBe(1);
    expect(stderr).toContain(`Emitted 'error' event on Queue instance at:\n    at `);
    expect(withoutPlaces(stderr)).toBe(withoutPlaces((await runScript(body)).stderr));
  });

  it('that was emitted and has a read-only stack is printed as Node prints it', async () => {
    const body = `import { EventEmitter } from 'node:events';
    const error = new Error('boom');
    Object.defineProperty(error, 'stack', { value: error.stack, writable: false });
    setTimeout(() => new EventEmitter().emit('error', error));`;
    const { stderr } = await run('', body);
    expect(stderr).toMatch(/^Error: boom\n {4}at /);
    expect(withoutPlaces(stderr)).toBe(withoutPlaces((await runScript(body)).stderr));
  });

  it('whose stack cannot be read ends the process, too', async () => {
    const { status, stderr } = await run(
      '',
      `throw Object.defineProperty(new Error('boom'), 'stack', { get() { throw 1; } });`,
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/Node\.js v[\d.]+\n$/);
  });

  it('carries the scope it happened in', async () => {
    await run(
      '',
      `faultline.withIsolationScope((scope) => {
        scope.setTag('request', '7');
        setTimeout(() => { throw new Error('boom'); }, 1);
      });`,
    );
    expect(receiver.events[0]?.tags).toEqual({ request: '7' });
  });

  it('that a span has captured is not sent again, and ends the process all the same', async () => {
    const { status } = await run('', `faultline.startSpan({ name: 'job' }, () => { throw new Error('boom'); });`);
    expect(status).toBe(1);
    expect(values()).toEqual(['boom']);
  });

  it('waits for a destination that does not answer until shutdownTimeout is over', async () => {
    receiver.respondWith({ hang: true });
    const { status, stdout, stderr } = await run(
      // The request would take a minute; only shutdownTimeout ends the wait before the script is killed.
      'shutdownTimeout: 400, transportOptions: { timeoutMillis: 60_000 }',
      `const begin = performance.now();
      process.on('exit', () => console.log(performance.now() - begin));
      setInterval(() => {}, 1000);
      setTimeout(() => { throw new Error('boom'); });`,
    );
    expect(status).toBe(1);
    expect(stderr).toContain('Error: boom');
    expect(Number(stdout)).toBeGreaterThan(350);
  });

  it.each(['1e12', 'Infinity'])('waits for a slow destination when shutdownTimeout is %s', async (shutdownTimeout) => {
    receiver.respondWith(() => new Promise((answer) => setTimeout(answer, 200, undefined)));
    const { status, stderr } = await run(`shutdownTimeout: ${shutdownTimeout}`, `throw new Error('boom');`);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error: boom\n.*\n\nNode\.js v[\d.]+\n$/s);
    expect(values()).toEqual(['boom']);
  });

  it.each([
    ['an exception', `throw new Error('first');`],
    ['a rejection', `Promise.reject(new Error('first'));`],
  ])(
    'is neither sent nor printed when it follows %s that is being sent: it would not have happened',
    async (_, first) => {
      receiver.respondWith({ delayMillis: 500 });
      const { status, stderr } = await run(
        'shutdownTimeout: 10_000, debug: true',
        `setTimeout(() => { throw new Error('second'); }, 50);
      setTimeout(() => { faultline.captureException(new Error('captured')); Promise.reject(new Error('third')); }, 60);
      setTimeout(() => { throw new Error('fourth'); }, 70);
      ${first}`,
      );
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Error: first$/m);
      expect(stderr).not.toMatch(/second|third|fourth/);
      expect(stderr.match(/no longer captured/g)).toHaveLength(1);
      expect(values()).toEqual(['captured', 'first']);
    },
  );

  it('ends a process without a destination, too', async () => {
    const { status, stderr } = await run(`dsn: ''`, `throw new Error('boom');`);
    expect(status).toBe(1);
    expect(stderr).toContain('Error: boom');
  });
});

describe('while a fatal error is being sent, the application cannot change how the process ends', () => {
  const onExit = `process.on('exit', (code) => console.log('exit', code, process.exitCode));`;

  it.each([
    ['process.exit(0)', 'process.exit(0)'],
    ['process.exit(5)', 'process.exit(5)'],
    ['process.exit()', 'process.exitCode = 0; process.exit()'],
    ['process.exitCode = 0', 'process.exitCode = 0; clearInterval(timer)'],
    [
      'process.exit(0), and a listener for exit that throws',
      `process.once('exit', () => { throw 1; }); process.exit(0)`,
    ],
  ])('by %s', async (_, end) => {
    receiver.respondWith({ delayMillis: 500 });
    const body = `const timer = setInterval(() => {}, 1000);
      ${onExit}
      setTimeout(() => { ${end}; }, 100);`;
    const [exception, rejection] = await Promise.all([
      run('shutdownTimeout: 10_000', `${body} throw new Error('boom');`),
      run('shutdownTimeout: 10_000', `${body} Promise.reject(new Error('boom'));`),
    ]);
    expect([exception, rejection]).toMatchObject([
      { status: 1, stdout: 'exit 1 1\n' },
      { status: 1, stdout: 'exit 1 1\n' },
    ]);
    for (const { stderr } of [exception, rejection]) expect(stderr.match(/^Error: boom$/gm)).toHaveLength(1);
  });

  it('but listeners for exit still can, as without the SDK', async () => {
    receiver.respondWith({ delayMillis: 500 });
    const body = `process.on('exit', () => { process.exitCode = 7; });
      setTimeout(() => process.exit(0), 100);
      throw new Error('boom');`;
    expect((await runScript(body)).status).toBe(7);
    expect((await run('shutdownTimeout: 10_000', body)).status).toBe(7);
  });

  it('unless it listens for uncaught exceptions', async () => {
    receiver.respondWith({ delayMillis: 500 });
    const options = 'exitEvenIfOtherHandlersAreRegistered: true';
    const body = `process.on('uncaughtException', () => setTimeout(() => process.exit(5), 100));
      setTimeout(() => { throw new Error('boom'); });`;
    expect((await run(`shutdownTimeout: 10_000, ${withOptions(options)}`, body)).status).toBe(5);
  });
});

describe('beside other listeners', () => {
  const listener = `process.on('uncaughtException', (error) => console.log('application saw', error.message));`;
  const fail = `setTimeout(() => { throw new Error('boom'); }); setTimeout(() => console.log('alive'), 50);`;

  it('the exception is only captured', async () => {
    const { status, stdout, stderr } = await run('', listener + fail);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'application saw boom\nalive\n', stderr: '' });
    expect(values()).toEqual(['boom']);
  });

  it('the exception is only captured where the listener is for one exception', async () => {
    const { status, stdout } = await run('', listener.replace('.on(', '.once(') + fail);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'application saw boom\nalive\n' });
    expect(values()).toEqual(['boom']);
  });

  it('the exception is only captured where a callback takes all exceptions', async () => {
    const callback = `process.setUncaughtExceptionCaptureCallback((error) => console.log('application saw', error.message));`;
    const { status, stdout } = await run('', callback + fail);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'application saw boom\nalive\n' });
    expect(values()).toEqual(['boom']);
  });

  it('the exception is only captured where process.emit is read-only', async () => {
    const readOnly = `Object.defineProperty(process, 'emit', { value: process.emit });`;
    const { status, stdout, stderr } = await run('', readOnly + listener + fail);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'application saw boom\nalive\n', stderr: '' });
    expect(values()).toEqual(['boom']);
  });

  it('exitEvenIfOtherHandlersAreRegistered ends the process after them', async () => {
    const { status, stdout, stderr } = await run(
      withOptions('exitEvenIfOtherHandlersAreRegistered: true'),
      listener + fail,
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/^application saw boom\n/);
    expect(stderr).toContain('Error: boom');
    expect(values()).toEqual(['boom']);
  });

  it('the listener of node:domain does not count', async () => {
    const { status, stderr } = await run('', `import 'node:domain'; ${fail}`);
    expect(status).toBe(1);
    expect(stderr).toContain('Error: boom');
  });

  it.each([
    ['a listener', ''],
    [
      'a listener beside exitEvenIfOtherHandlersAreRegistered',
      withOptions('exitEvenIfOtherHandlersAreRegistered: true'),
    ],
  ])('the exception is stored when %s throws, which ends the process as without the SDK', async (_, options) => {
    const directory = await mkdtemp(join(tmpdir(), 'faultline-listener-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const store = `transportOptions: { store: { directory: ${JSON.stringify(directory)} } }`;
    const body = `process.on('uncaughtException', () => { throw new Error('in the listener'); });
      setTimeout(() => { throw new Error('boom'); });`;
    const { status, stderr } = await run(`${store}, ${options}`, body);
    const without = await runScript(`import 'faultline';\n\n\n  ${body}`);
    expect(status).toBe(without.status);
    expect(status).toBe(7);
    const ownFrame = /\n {4}at .*faultline-core.*/;
    expect(withoutPlaces(stderr.replace(ownFrame, ''))).toBe(withoutPlaces(without.stderr));
    expect(stderr).toContain(`throw new Error('in the listener')`);
    await run(store, '');
    expect(values()).toEqual(['boom']);
  });

  it('what a client that init has replaced has not sent is stored when a listener throws', async () => {
    receiver.respondWith({ hang: true });
    const body = `faultline.captureMessage('of the first client');
      faultline.init();
      process.on('uncaughtException', () => { throw new Error('in the listener'); });
      setTimeout(() => { throw new Error('boom'); });`;
    expect(await run('', body)).toMatchObject({ status: 7 });
    receiver.respondWith();
    await run('', 'await faultline.flush();');
    expect(receiver.events.map(({ message }) => message)).toContain('of the first client');
  });

  it('an error of what was typed into a REPL is left to the REPL', async () => {
    const { status, stdout, stderr } = await run(
      'shutdownTimeout: 10_000',
      `import { PassThrough } from 'node:stream';
      import { start } from 'node:repl';
      const input = new PassThrough();
      const output = new PassThrough();
      start({ input, output });
      const shown = async (text) => {
        let all = '';
        for await (const chunk of output.iterator({ destroyOnReturn: false })) if ((all += chunk).includes(text)) return;
      };
      input.write("setTimeout(() => { throw new Error('in a timer') }, 1)\\n");
      await shown('Uncaught Error: in a timer');
      input.write("Promise.reject(new Error('in a promise'))\\n");
      await shown('Uncaught Error: in a promise');
      await faultline.flush();
      console.log('still runs', process.exitCode);
      process.exit();`,
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'still runs undefined\n', stderr: '' });
    // Before Node 26, only the domain of the REPL sees a rejection.
    expect(values()).toContain('in a timer');
  });

  it('an error of what was typed into that of node -i is left to it, too', async () => {
    const env = { ...process.env, NODE_OPTIONS: '', FAULTLINE_DSN: receiver.dsn };
    const node = execFile(process.execPath, ['--import', 'faultline/register', '-i'], { env });
    onTestFinished(() => void node.kill());
    let shown = '';
    node.stdout?.on('data', (chunk) => {
      shown += chunk;
    });
    node.stdin?.write(`setTimeout(() => { throw new Error('in a timer') }, 1)\n`);
    await eventually(() => expect(shown).toContain('Uncaught Error: in a timer'));
    node.stdin?.end(`process.exitCode = 5\n`);
    const [status] = await once(node, 'exit');
    expect(status).toBe(5);
  });

  it('the exception ends the process as without the SDK where no listener can be added for it', async () => {
    const refuse = `process.on('newListener', (event) => { if (event === 'uncaughtException') throw new Error('refused'); });`;
    const { status, stderr } = await run('', refuse + fail);
    expect(status).toBe(1);
    expect(stderr).toMatch(/throw new Error\('boom'\).*Error: boom/s);
    await run('', 'await faultline.flush();');
    expect(values()).toEqual(['boom']);
  });

  it('none is added before an exception ends the process', async () => {
    const { stdout } = await run('', `console.log(process.listenerCount('uncaughtException'));`);
    expect(stdout).toBe('0\n');
  });
});

describe('onFatalError', () => {
  it('is called in place of printing and ending', async () => {
    const { status, stdout, stderr } = await run(
      withOptions(`onFatalError: (error) => console.log('fatal', error.message)`),
      `setTimeout(() => console.log('alive'), 50); setTimeout(() => { throw new Error('boom'); });`,
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'fatal boom\nalive\n', stderr: '' });
    expect(values()).toEqual(['boom']);
  });

  it.each([
    ['throws', `onFatalError: () => { throw new Error('in the handler'); }`, `throw new Error('first');`, ['first']],
    [
      'has let one exception pass',
      'onFatalError: () => {}',
      `setTimeout(() => { throw new Error('second'); }, 20); throw new Error('first');`,
      ['first', 'second'],
    ],
  ])('does not keep a process alive that fails again, or once it %s', async (_, options, body, sent) => {
    const { status, stderr } = await run(withOptions(options), body);
    expect(status).toBe(1);
    expect(stderr).toContain(`Error: ${sent.at(-1)}`);
    expect(values()).toEqual(sent);
  });
});

describe('where nobody reads stderr', () => {
  const endless = 'setInterval(() => {}, 1000);';

  it.each([
    ['an exception', `setTimeout(() => { throw new Error('boom'); }, 200);`, ''],
    ['debug output', `setTimeout(() => { throw new Error('boom'); }, 200);`, 'debug: true'],
    [
      'a hook that logs',
      `setTimeout(() => { throw new Error('boom'); }, 200);`,
      'beforeSend: (event) => { console.error(event.event_id); return event; }',
    ],
    [
      'an application that logs',
      `setTimeout(() => { setInterval(() => console.error('x'), 1); throw new Error('boom'); }, 200);`,
      '',
    ],
  ])('%s ends the process within shutdownTimeout', async (_, body, options) => {
    const { status } = await runWithoutStderr(options, endless + body);
    expect(status).toBe(1);
    expect(values()[0]).toBeDefined();
  });

  it('exceptions that starve the event loop end the process within shutdownTimeout', async () => {
    const body = `process.on('exit', () => console.error('bye'));
    const fail = () => { process.nextTick(fail); throw new Error('boom'); };
    setTimeout(fail, 200);`;
    const { status } = await runWithoutStderr('', body);
    expect(status).toBe(1);
  });

  it('debug output does not raise an exception', async () => {
    const { status, stdout } = await runWithoutStderr('debug: true', `setTimeout(() => console.log('alive'), 300);`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'alive\n' });
    expect(receiver.events).toEqual([]);
  });
});
