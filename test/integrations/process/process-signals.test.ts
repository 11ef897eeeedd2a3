import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { runScript, type ScriptResult } from '../run-script.js';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

/** The script stays alive until it gets a signal. */
function run(body: string, options = ''): Promise<ScriptResult> {
  const source = `import * as faultline from 'faultline'; faultline.init({ ${options} });
  setInterval(() => {}, 1000);
  ${body}`;
  return runScript(source, { env: { FAULTLINE_DSN: receiver.dsn } });
}

const messages = () => receiver.events.map(({ message }) => message);

describe('a signal that nobody listens for', () => {
  it.each(SIGNALS)('%s ends the process as without the SDK, after what was captured was sent', async (signal) => {
    const { status } = await run(`faultline.captureMessage('last words'); process.kill(process.pid, '${signal}');`);
    expect(status).toBe(signal);
    expect(messages()).toEqual(['last words']);
  });

  it.each([
    ['when nothing else keeps it alive', ''],
    [
      'when the application has removed its own listener',
      `const listener = () => { process.off('SIGTERM', listener); process.kill(process.pid, 'SIGTERM'); };
      process.on('SIGTERM', listener);`,
    ],
  ])('ends the process that sends it to itself, %s', async (_, body) => {
    const { status } = await runScript(
      `import { captureMessage, init } from 'faultline';
      init();
      ${body}
      setTimeout(() => { captureMessage('last words'); process.kill(process.pid, 'SIGTERM'); }, 100);`,
      { env: { FAULTLINE_DSN: receiver.dsn } },
    );
    expect(status).toBe('SIGTERM');
    expect(messages()).toEqual(['last words']);
  });

  it('ends the process that sends it to itself at the end of its own listener, with nothing to send', async () => {
    const { status } = await runScript(
      `import { createServer } from 'node:http';
      import { init } from 'faultline';
      init();
      const server = createServer().listen(0);
      const listener = async () => {
        await new Promise((closed) => server.close(closed));
        process.off('SIGTERM', listener);
        process.kill(process.pid, 'SIGTERM');
      };
      process.on('SIGTERM', listener);
      setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100);`,
      { env: { FAULTLINE_DSN: receiver.dsn } },
    );
    expect(status).toBe('SIGTERM');
  });

  it('that the process sends to itself last reaches a listener of the application only if it would without the SDK', async () => {
    const body = `process.on('SIGTERM', () => console.log('application'));
      process.on('exit', (code) => console.log('exit', code));
      process.kill(process.pid, 'SIGTERM');`;
    const ended = await runScript(`import { init } from 'faultline'; init(); ${body}`);
    expect(ended).toEqual(await runScript(body));
    expect(ended).toMatchObject({ status: 0, stdout: 'exit 0\n' });
  });

  it('ends the process after shutdownTimeout although the destination does not answer', async () => {
    receiver.respondWith({ hang: true });
    const options = 'shutdownTimeout: 300, transportOptions: { timeoutMillis: 60_000 }';
    const { status } = await run(
      `faultline.captureMessage('last words'); process.kill(process.pid, 'SIGTERM');`,
      options,
    );
    expect(status).toBe('SIGTERM');
  });

  it('ends the process at once when it comes twice', async () => {
    receiver.respondWith({ hang: true });
    // The script would be killed with SIGKILL before such a long shutdownTimeout.
    const options = 'shutdownTimeout: 600_000, transportOptions: { timeoutMillis: 600_000 }';
    const { status } = await run(
      `faultline.captureMessage('last words');
      process.kill(process.pid, 'SIGTERM');
      setTimeout(() => process.kill(process.pid, 'SIGINT'), 200);`,
      options,
    );
    expect(status).toBe('SIGTERM');
  });

  it('ends the process although an exception is thrown meanwhile, which is captured', async () => {
    receiver.respondWith({ delayMillis: 500 });
    const { status, stderr } = await run(
      `process.kill(process.pid, 'SIGTERM');
      faultline.captureMessage('last words');
      // Not by a timer: on a busy machine it would come before the signal, which Node reads in the next turn.
      const fail = () => { throw new Error('thrown meanwhile'); };
      setImmediate(() => setImmediate(() => setImmediate(fail)));`,
      'shutdownTimeout: 10_000',
    );
    expect(stderr).toContain('thrown meanwhile');
    expect(status).toBe('SIGTERM');
    expect(receiver.events.map(({ exception }) => exception?.values?.[0]?.value)).toContain('thrown meanwhile');
  });

  it.each([
    ['calls process.exit(0)', 'process.exit(0);'],
    ['begins to listen for it', `process.on('SIGTERM', () => process.exit(0));`],
  ])('ends the process by that signal although the application %s meanwhile', async (_, body) => {
    receiver.respondWith({ delayMillis: 500 });
    const { status, stdout } = await run(
      `process.on('exit', () => console.log('exit'));
      faultline.captureMessage('last words');
      process.kill(process.pid, 'SIGTERM');
      // Not by a timer, as above.
      const act = () => { ${body} };
      setImmediate(() => setImmediate(() => setImmediate(act)));`,
      'shutdownTimeout: 10_000',
    );
    expect({ status, stdout }).toEqual({ status: 'SIGTERM', stdout: '' });
  });

  it('after a rejection that nobody handled does not keep it from being printed', async () => {
    receiver.respondWith({ hang: true });
    const { status, stdout, stderr } = await run(
      `process.on('exit', (code) => console.log('exit', code));
      setTimeout(() => Promise.reject(new Error('nobody handled')));
      setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100);
      setInterval(() => undefined, 1000);`,
      'shutdownTimeout: 500',
    );
    expect({ status, stdout: stdout.trim() }).toEqual({ status: 1, stdout: 'exit 1' });
    expect(stderr).toContain('Error: nobody handled');
  });

  it('stores what a client that init has replaced has not sent', async () => {
    receiver.respondWith({ hang: true });
    const { status } = await run(
      `faultline.captureMessage('of the first client');
      faultline.init({ shutdownTimeout: 100 });
      process.kill(process.pid, 'SIGTERM');`,
    );
    expect(status).toBe('SIGTERM');
    receiver.respondWith();
    await runScript(
      `import { flush, init } from 'faultline';
      init();
      await flush();`,
      { env: { FAULTLINE_DSN: receiver.dsn } },
    );
    expect(messages()).toEqual(['of the first client']);
  });

  it('ends the process after a later init, too', async () => {
    const { status } = await run(
      `faultline.init({ defaultIntegrations: false });
      faultline.captureMessage('last words');
      setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100);`,
    );
    expect(status).toBe('SIGTERM');
  });
});

// Linux leaves the first process of a container alone; that it is this one is all that is pretended here.
describe('a signal that the first process of a container does not listen for', () => {
  it('sends what was captured, and ends nothing', async () => {
    const { status } = await run(
      `const { pid } = process;
      Object.defineProperty(process, 'pid', { value: 1 });
      const raise = () => process.kill(pid, 'SIGTERM');
      faultline.captureMessage('first');
      raise();
      setTimeout(raise, 200);
      setTimeout(() => {
        faultline.captureMessage('second');
        faultline.flush().then(() => process.exit(7));
      }, 400);`,
    );
    expect(status).toBe(7);
    expect(messages()).toEqual(['first', 'second']);
  });
});

describe('a signal that the application listens for', () => {
  it('is left to the application', async () => {
    const { status, stdout } = await run(
      `process.on('SIGTERM', () => {
        console.log('listeners', process.listenerCount('SIGTERM'));
        setTimeout(() => process.exit(7), 50);
      });
      process.kill(process.pid, 'SIGTERM');`,
    );
    expect(status).toBe(7);
    expect(stdout).toBe('listeners 1\n');
  });

  it('can come again', async () => {
    const { status, stdout } = await run(
      `process.once('SIGTERM', () => {
        console.log('first');
        setTimeout(() => process.kill(process.pid, 'SIGTERM'), 50);
      });
      faultline.captureMessage('last words');
      process.kill(process.pid, 'SIGTERM');`,
    );
    expect(stdout).toBe('first\n');
    expect(status).toBe('SIGTERM');
    expect(messages()).toEqual(['last words']);
  });

  it('ends the process when the listener raises it again because nobody else listens', async () => {
    const { status } = await run(
      `const listener = () => {
        if (process.listenerCount('SIGTERM') > 1) return;
        process.off('SIGTERM', listener);
        process.kill(process.pid, 'SIGTERM');
      };
      process.on('SIGTERM', listener);
      process.kill(process.pid, 'SIGTERM');`,
    );
    expect(status).toBe('SIGTERM');
  });
});

it('nothing listens once the client is closed, or without the integration', async () => {
  const { stdout } = await run(
    `const count = () => console.log(process.listenerCount('SIGTERM'));
    count();
    await faultline.getClient().close();
    count();
    faultline.init({ defaultIntegrations: false });
    count();
    process.exit();`,
  );
  expect(stdout).toBe('1\n0\n0\n');
});
