import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainAnswer } from '../../src/cli/destination.js';
import { type Receiver, type ReceiverOptions, startReceiver } from '../support/receiver.js';
import { startTool, writeApp } from './tool.js';

async function start(options?: ReceiverOptions): Promise<Receiver> {
  const receiver = await startReceiver(options);
  onTestFinished(() => receiver.close());
  return receiver;
}

const SERVER = `
import http from 'node:http';
import { init } from 'faultline';
init({ tracesSampleRate: 1 });
http.createServer(() => {}).listen(0);
`;

/** Runs the doctor on an application. */
async function examine(source: string, env: NodeJS.ProcessEnv, args: string[] = []) {
  const { folder, file } = writeApp(source);
  return startTool(['doctor', ...args, file], env, folder).ended();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('faultline doctor', () => {
  it('finds no problem in a good setup, sends no event, and stops the application', async () => {
    const { dsn, events, requests } = await start();
    const { code, stdout } = await examine(SERVER, { FAULTLINE_DSN: dsn });
    expect(stdout).toMatch(/✓ init was called \(faultline \d/);
    expect(stdout).toContain('✓ The setup within the application has no problem.');
    expect(stdout).toContain(`✓ ${dsn} answers and accepts the key.`);
    expect(stdout).toMatch(/No problem found\.\n$/);
    expect(code).toBe(0);
    expect(events).toEqual([]);
    expect(requests.length).toBeGreaterThan(0);
  });

  it('leaves an application as many listeners as Node allows', async () => {
    const { dsn } = await start();
    // For an ES module, Node itself has the tenth listener.
    const source = `${SERVER} for (let i = 0; i < 9; i++) process.on('exit', () => {});`;
    const { code, stderr } = await examine(source, { FAULTLINE_DSN: dsn });
    expect(code).toBe(0);
    expect(stderr).not.toContain('MaxListenersExceededWarning');
  });

  it('stops the application behind a command that does not pass signals on', async () => {
    const { dsn } = await start();
    const { folder, file } = writeApp(`import { writeFileSync } from 'node:fs';
      writeFileSync('pid', String(process.pid));
      ${SERVER}`);
    const command = ['sh', '-c', `'${process.execPath}' '${file}'; exit`];
    const { code, stdout } = await startTool(['doctor', '--', ...command], { FAULTLINE_DSN: dsn }, folder).ended();
    expect(stdout).toMatch(/No problem found\.\n$/);
    expect(code).toBe(0);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    expect(isRunning(pid)).toBe(false);
  });

  it.each([
    ['the time is up', ['--wait', '1'], undefined],
    ['it is interrupted', [], 'SIGINT'],
  ] as const)(
    'stops what the command has started when %s',
    async (_why, flags, signal) => {
      const script = `console.log('pid ' + process.pid); setInterval(() => {}, 1000);`;
      const shell = ['sh', '-c', `'${process.execPath}' -e "$SCRIPT"; exit`];
      const run = startTool(['doctor', ...flags, '--', ...shell], { SCRIPT: script });
      const [, pid] = await run.until(/pid (\d+)/);
      if (signal) run.child.kill(signal);
      expect(await run.ended()).toMatchObject(signal ? { signal } : { code: 1 });
      await expect.poll(() => isRunning(Number(pid))).toBe(false);
    },
    60_000,
  );

  it('sends one test error when it is asked to, and says where to look', async () => {
    const receiver = await start();
    const { code, stdout } = await examine(SERVER, { FAULTLINE_DSN: receiver.dsn }, ['--send']);
    const [, id] = /Look for event (\w{32}) in project 1 at http:\/\/127\.0\.0\.1/.exec(stdout) ?? [];
    expect(receiver.events.map(({ event_id }) => event_id)).toEqual([id]);
    expect(code).toBe(0);
  });

  it('explains a destination that refuses the key', async () => {
    const { dsn } = await start({ respond: { statusCode: 403 } });
    const { code, stdout } = await examine(SERVER, { FAULTLINE_DSN: dsn });
    expect(stdout).toContain(`✓ The setup within the application has no problem.\n✗ ${dsn} refuses the key`);
    expect(stdout).toContain('1 problem found.');
    expect(code).toBe(1);
  });

  it.each([
    [401, false, 'the DSN refuses the key'],
    [404, false, 'the DSN has no such project'],
    [405, false, 'the DSN has no such project'],
    [429, true, 'the DSN answers, and limits the rate'],
    [500, false, 'the DSN answers 500'],
  ])('explains the answer %d', (statusCode, isGood, message) => {
    const explained = explainAnswer({ kind: 'answered', statusCode }, 'the DSN');
    expect(explained).toEqual({ isGood, message: expect.stringContaining(message) });
  });

  it('finds a web site in place of the destination', async () => {
    const receiver = await start();
    receiver.respondWith({ headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Shop</title>' });
    const { code, stdout } = await examine(SERVER, { FAULTLINE_DSN: receiver.dsn });
    expect(stdout).toContain(`✗ ${receiver.dsn} answers with a web page, as no destination does: check host, port`);
    expect(code).toBe(1);
  });

  it('says that nobody listens at the destination', async () => {
    const receiver = await start();
    await receiver.close();
    const { code, stdout } = await examine(SERVER, { FAULTLINE_DSN: `http://local@127.0.0.1:1/1` });
    expect(stdout).toMatch(/✗ http:\/\/local@127\.0\.0\.1:1\/1 does not answer: .*ECONNREFUSED/);
    expect(code).toBe(1);
  });

  it('finds no setup without problem where nothing is captured', async () => {
    const { dsn } = await start();
    const { code, stdout } = await examine(SERVER, { FAULTLINE_DSN: dsn, FAULTLINE_ENABLED: 'false' });
    expect(stdout).toMatch(
      /^✓ init .*\n✗ client-disabled .*: nothing is captured\.\n {4}if not intended: .*\n\n1 problem found\.\n$/,
    );
    expect(code).toBe(1);
  });

  it('says that a command cannot be started', async () => {
    const { code, stdout } = await startTool(['doctor', '--', 'no-such-command']).ended();
    expect(stdout).toBe('✗ The application cannot be started: spawn no-such-command ENOENT.\n\n1 problem found.\n');
    expect(code).toBe(1);
  });

  it('says that there is no destination', async () => {
    const { code, stdout } = await examine(SERVER, {});
    expect(stdout).toMatch(/✗ no-dsn \(delivery\).*\n {4}fix: /);
    expect(stdout).toContain('1 problem found.');
    expect(code).toBe(1);
  });

  it('says what is wrong with the DSN', async () => {
    const { stdout } = await examine(SERVER, { FAULTLINE_DSN: 'https://errors.example.com/1' });
    const problem = 'The dsn is invalid, so nothing is sent: it has no public key, of letters and digits, before an @.';
    expect(stdout).toContain(`✗ invalid-dsn (delivery): ${problem}`);
  });

  it('prints what is wrong with options and variables', async () => {
    const source = `
      import { init } from 'faultline';
      init({ tracesSamplRate: 1, sampleRate: 5 });
      setInterval(() => {}, 1000);`;
    const { dsn } = await start();
    const { code, stdout } = await examine(source, { FAULTLINE_DSN: dsn, FAULTLINE_TRACE_SAMPLE_RATE: '1' });
    expect(stdout).toMatch(/✗ options-rejected .*sampleRate: must be a number from 0 to 1, but is 5/);
    expect(stdout).toMatch(
      /tracesSamplRate: there is no such option.*FAULTLINE_TRACE_SAMPLE_RATE: there is no such var/,
    );
    expect(stdout).toContain('1 problem found.');
    expect(code).toBe(1);
  });

  it('counts what has no effect in faultline/sentry, and lists it', async () => {
    const source = `
      import * as Sentry from 'faultline/sentry';
      Sentry.init({ enableLogs: true, integrations: [Sentry.cronJobIntegration()] });
      Sentry.metrics.count('later');
      setInterval(() => {}, 1000);`;
    const { dsn } = await start();
    const { code, stdout } = await examine(source, { FAULTLINE_DSN: dsn });
    expect(stdout).toMatch(
      /✗ names-without-effect \(everything\): .*cronJobIntegration \(Watch schedules .*\), the option enableLogs \(Send logs .*\), metrics\.count \(Record metrics .*\)\.\n {4}fix: /,
    );
    expect(stdout).toContain('1 problem found.');
    expect(code).toBe(1);
  });

  it.each([
    ['that the application captured something for', 'captureMessage("hello");', []],
    ['that its test error comes to', '', ['--send']],
  ])('prints that a beforeSend fails %s', async (_, capture, args) => {
    const source = `
      import { captureMessage, init } from 'faultline';
      init({ beforeSend: (event) => event.missing.length });
      ${capture}
      setInterval(() => {}, 1000);`;
    const { dsn } = await start();
    const { code, stdout } = await examine(source, { FAULTLINE_DSN: dsn }, args);
    expect(stdout).toMatch(/✗ hook-fails \(delivery\): .*beforeSend threw: TypeError.*\n {4}fix: init\(/);
    expect(code).toBe(1);
  });

  it('prints each problem of the setup with the line that fixes it', async () => {
    const source = `
      import { init } from 'faultline';
      init({ tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      setInterval(() => {}, 1000);`;
    const { dsn } = await start();
    const { code, stdout } = await examine(source, { FAULTLINE_DSN: dsn });
    expect(stdout).toMatch(/✗ [a-z-]+ \(.*\): .*\n {4}fix: .*\n/);
    expect(code).toBe(1);
  });

  it('examines an application that ends by itself', async () => {
    const { dsn } = await start();
    const source = "import { init } from 'faultline'; init({ tracesSampleRate: 1 });";
    const { code, stdout } = await examine(source, { FAULTLINE_DSN: dsn });
    expect(stdout).toContain('answers and accepts the key');
    expect(code).toBe(0);
  });

  it.each([
    ['ends before', 'process.exit(3)', /✗ The application ended with exit code 3 before it called init\./],
    ['never calls it', 'setInterval(() => {}, 1000)', /✗ The application did not call init within 2 seconds\./],
  ])('says that init was not called: the application %s', async (_how, source, expected) => {
    const { code, stdout } = await examine(source, {}, ['--wait', '2']);
    expect(stdout).toMatch(expected);
    expect(code).toBe(1);
  });
});

describe('faultline send-test', () => {
  it('sends one error and says where to look', async () => {
    const receiver = await start();
    const { code, stdout } = await startTool(['send-test'], { FAULTLINE_DSN: receiver.dsn }).ended();
    expect(receiver.events.map(({ exception }) => exception.values[0]?.value)).toEqual([
      'Test error of faultline: this destination receives errors',
    ]);
    expect(stdout).toBe(
      `A test error was accepted. Look for event ${receiver.events[0]?.event_id} in project 1 at ${receiver.url}.\n`,
    );
    expect(code).toBe(0);
  });

  it("sends it whatever the application's variables say", async () => {
    const receiver = await start();
    const variables = { FAULTLINE_ENABLED: 'false', FAULTLINE_SAMPLE_RATE: '0' };
    const { code, stdout } = await startTool(['send-test', '--dsn', receiver.dsn], variables).ended();
    expect([code, stdout]).toEqual([0, expect.stringContaining('A test error was accepted.')]);
    expect(receiver.events).toHaveLength(1);
  });

  it('takes the destination from --dsn, and says that it refuses the key', async () => {
    const { dsn } = await start({ respond: { statusCode: 401 } });
    const { code, stdout } = await startTool(['send-test', '--dsn', dsn]).ended();
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${dsn} refuses the key`)]);
  });

  it.each([
    ['', 'There is no destination: set FAULTLINE_DSN, or pass --dsn.'],
    ['https://errors.example.com/1', 'This DSN cannot be used: it has no public key'],
  ])('says what is wrong with the DSN "%s"', async (dsn, problem) => {
    const { code, stderr } = await startTool(['send-test'], { FAULTLINE_DSN: dsn }).ended();
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});
