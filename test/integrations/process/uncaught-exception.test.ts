import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { runScript } from '../run-script.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

function run(options: string, body: string, nodeOptions: string[] = []) {
  const source = `import * as faultline from 'faultline';
  import { onUncaughtExceptionIntegration } from './dist/integrations/process/uncaught-exception.js';
  faultline.init({ ${options} });
  ${body}`;
  return runScript(source, { env: { FAULTLINE_DSN: receiver.dsn }, nodeOptions });
}

const withOptions = (options: string) => `integrations: [onUncaughtExceptionIntegration({ ${options} })]`;

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
    ['a string', `'text'`, 'text'],
    ['undefined', 'undefined', 'undefined'],
    [
      'an object that cannot be inspected',
      `{ get [Symbol.for('nodejs.util.inspect.custom')]() { throw 1; } }`,
      '[unprintable]',
    ],
  ])('may be %s', async (_, thrown, printed) => {
    const { status, stderr } = await run('', `setTimeout(() => { throw ${thrown}; });`);
    expect(status).toBe(1);
    expect(stderr).toMatch(`${printed}\n\nNode.js v`);
    expect(receiver.events).toHaveLength(1);
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
      'shutdownTimeout: 400',
      `const begin = performance.now();
      process.on('exit', () => console.log(performance.now() - begin));
      setInterval(() => {}, 1000);
      setTimeout(() => { throw new Error('boom'); });`,
    );
    expect(status).toBe(1);
    expect(stderr).toContain('Error: boom');
    expect(Number(stdout)).toBeGreaterThan(350);
    expect(Number(stdout)).toBeLessThan(1000);
  });

  it.each(['1e12', 'Infinity'])('waits for a slow destination when shutdownTimeout is %s', async (shutdownTimeout) => {
    receiver.respondWith(() => new Promise((answer) => setTimeout(answer, 200, undefined)));
    const { status, stderr } = await run(`shutdownTimeout: ${shutdownTimeout}`, `throw new Error('boom');`);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error: boom\n.*\n\nNode\.js v[\d.]+\n$/s);
    expect(values()).toEqual(['boom']);
  });

  it('that follows while the first one is being sent is sent and printed too', async () => {
    receiver.respondWith({ delayMillis: 200 });
    const { status, stderr } = await run(
      '',
      `setTimeout(() => { throw new Error('second'); }, 50);
      throw new Error('first');`,
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/Error: first.*Error: second/s);
    expect(values()).toEqual(['first', 'second']);
  });

  it('ends a process without a destination, too', async () => {
    const { status, stderr } = await run(`dsn: ''`, `throw new Error('boom');`);
    expect(status).toBe(1);
    expect(stderr).toContain('Error: boom');
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

it('nothing is listened for in worker threads, whose exceptions go to their parents', async () => {
  const inWorker = `
    import('faultline').then(({ init }) => {
      init();
      require('node:worker_threads').parentPort.postMessage(process.listenerCount('uncaughtExceptionMonitor'));
    });`;
  const { stdout } = await run(
    '',
    `import { Worker } from 'node:worker_threads';
    new Worker(${JSON.stringify(inWorker)}, { eval: true, execArgv: [] }).on('message', (count) => console.log(count));`,
  );
  expect(stdout).toBe('0\n');
});
