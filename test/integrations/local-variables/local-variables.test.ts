import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { runScript } from '../run-script.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

/** Runs a script once the observing thread has looked at a first exception. */
async function run(body: string, { options = '', nodeOptions = [] as string[], awaitThread = true } = {}) {
  const source = `import { init, captureException } from 'faultline';
  import { localVariablesIntegration } from 'faultline';
  import { setTimeout as sleep } from 'node:timers/promises';
  const probes = new Map();
  const observerEnds = new Promise((resolve) => {
    process.on('worker', (observer) => observer.once('exit', resolve));
  });
  const client = init({
    integrations: [localVariablesIntegration({ ${options} })],
    beforeSend: (event) => {
      if (event.exception.values[0].value !== 'probe') return event;
      probes.set(event.event_id, event.exception.values[0].stacktrace.frames.at(-1).vars);
      return null;
    },
  });
  async function isObserved() {
    try { (function probe() { const probed = 1; throw new Error('probe'); })(); }
    catch (error) {
      const id = captureException(error);
      while (!probes.has(id)) await sleep(1);
      return probes.get(id)?.probed === 1;
    }
  }
  ${awaitThread ? 'while (!(await isObserved())) await sleep(10);' : ''}
  ${body}`;
  const result = await runScript(source, { env: { FAULTLINE_DSN: receiver.dsn }, nodeOptions });
  expect(result.stderr.replace(/^Debugger listening .*\n.*\n/, '')).toBe('');
  return result;
}

/** The variables of functions by name, of all exceptions. */
function variables(): Array<Record<string, unknown>> {
  return receiver.events.flatMap(({ exception }) =>
    exception!.values!.map(({ stacktrace }) =>
      Object.fromEntries(stacktrace!.frames!.filter((one) => one.vars).map((one) => [one.function, one.vars])),
    ),
  );
}

describe('local variables', () => {
  it('arrive for functions of dependencies when asked for', async () => {
    const dependency = `const { writeFileSync, mkdtempSync, mkdirSync, realpathSync } = await import('node:fs');
      const folder = realpathSync(mkdtempSync('/tmp/faultline-dependency-')) + '/node_modules/dependency';
      mkdirSync(folder, { recursive: true });
      writeFileSync(folder + '/index.cjs', 'exports.fail = function fail() { const inside = 7; throw new Error("boom"); };');
      const { fail } = (await import(folder + '/index.cjs')).default;
      try { fail(); } catch (error) { captureException(error); }`;
    await run(dependency);
    await run(dependency, { options: 'includeOutOfAppFrames: true' });
    const [without, included] = variables().map((one) =>
      Object.values(one).some((vars) => 'inside' in (vars as object)),
    );
    expect([without, included]).toEqual([false, true]);
  });

  it('leave the other members of a stack trace', async () => {
    await run(`client.addIntegration({
        name: 'Omitting',
        preprocessEvent: (event) => { event.exception.values[0].stacktrace.frames_omitted = [1, 2]; },
      });
      try { (function fail() { const inside = 7; throw new Error('boom'); })(); } catch (error) { captureException(error); }`);
    expect(variables()).toEqual([expect.objectContaining({ fail: { inside: 7 } })]);
    expect(receiver.events[0]!.exception.values[0]!.stacktrace).toHaveProperty('frames_omitted', [1, 2]);
  });

  it('arrive with the frames of the functions they belong to, as they were at the throw', async () => {
    const { status } = await run(`
      class Cart {
        add(item) {
          const sizes = [1, 2];
          for (let i = 0; ; i++) {
            const token = 'secret';
            if (i === 2) throw new RangeError('full');
          }
        }
      }
      function fill(count) {
        let state = 'filling';
        try { new Cart().add({ name: 'apple' }); } finally { state = 'failed'; }
      }
      try { fill(3); } catch (error) { captureException(error); }
    `);
    expect(status).toBe(0);
    const add = { item: { name: 'apple' }, sizes: [1, 2], i: 2, token: '[Filtered]' };
    expect(variables()).toEqual([expect.objectContaining({ fill: { count: 3, state: 'filling' }, 'Cart.add': add })]);
  });

  it('arrive for the cause of an error, too, and for errors that are frozen', async () => {
    await run(`
      function inner() { const a = 1; throw Object.freeze(new Error('inner')); }
      function outer() { const b = 2; try { inner(); } catch (cause) { throw new Error('outer', { cause }); } }
      try { outer(); } catch (error) { captureException(error); }
    `);
    expect(variables()).toEqual([
      expect.objectContaining({ inner: { a: 1 }, outer: { b: 2 } }),
      expect.objectContaining({ outer: { cause: '<Error: inner>', b: 2 } }),
    ]);
  });

  it('arrive for what async functions throw, and stay those of the first throw', async () => {
    await run(`
      async function load(id) { await null; throw new Error('gone'); }
      async function retry() { const attempt = 1; try { await load(7); } catch (error) { throw error; } }
      await retry().catch(captureException);
    `);
    expect(variables()).toEqual([{ load: { id: 7 } }]);
  });

  it('arrive for what nobody caught only, when told so', async () => {
    const { stdout } = await run(
      `process.on('uncaughtException', () => undefined);
      function crash() { const last = 'words'; throw new Error('boom'); }
      let crashed;
      client.on('beforeSendEvent', (event) => { crashed = event.exception.values[0].stacktrace.frames.at(-1).vars; });
      while (!crashed) { setTimeout(crash); await sleep(10); }
      console.log(JSON.stringify(crashed), await isObserved());`,
      { options: 'captureAllExceptions: false', awaitThread: false },
    );
    expect(stdout).toBe('{"last":"words"} false\n');
  });

  it('are read without running getters', async () => {
    await run(`
      function f() { const o = { get x() { process.exit(9); } }; throw new Error('x'); }
      try { f(); } catch (error) { captureException(error); }
    `);
    expect(variables()).toEqual([expect.objectContaining({ f: { o: {} } })]);
  });

  it('are no longer looked at when there are too many exceptions', async () => {
    const { stdout } = await run(
      `function f(n) { try { throw new Error('x'); } catch {} }
      for (let n = 0; n < 100; n++) f(n);
      console.log(await isObserved());`,
      { options: 'maxExceptionsPerSecond: 20' },
    );
    expect(stdout).toBe('false\n');
  });

  it('are no longer looked at after the client is closed', async () => {
    const { stdout, status } = await run(`
      const alive = setInterval(() => undefined, 1000);
      await client.close(1000);
      console.log(await observerEnds);
      clearInterval(alive);
    `);
    expect([stdout, status]).toEqual(['0\n', 0]);
  });
});

describe('a debugger', () => {
  it('that may be attached from the start is not disturbed', async () => {
    const { stdout } = await run('await sleep(300); console.log(await isObserved());', {
      nodeOptions: ['--inspect=0'],
      awaitThread: false,
    });
    expect(stdout).toBe('false\n');
  });

  it('that may be attached later ends the observation for good', async () => {
    const { stdout } = await run(`
      const inspector = await import('node:inspector');
      inspector.open(0);
      console.log(await isObserved());
      inspector.close();
      await sleep(100);
      console.log(await isObserved());
    `);
    expect(stdout).toBe('false\nfalse\n');
  });
});

it('under the permission model, which forbids the inspector, errors arrive without them', async () => {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const nodeOptions = ['--no-warnings', permission, '--allow-fs-read=*', '--allow-fs-write=*', '--allow-worker'];
  const { status } = await run('captureException(new Error("boom"));', { awaitThread: false, nodeOptions });
  expect([status, receiver.events.length, variables()]).toEqual([0, 1, [{}]]);
});

it('the observing thread does not keep a finished script alive, and reports nothing of itself', async () => {
  const { status } = await run('', { awaitThread: false });
  expect(status).toBe(0);
  expect(receiver.events).toEqual([]);
});

it('a failure of the observing thread is no error of the application', async () => {
  const { status } = await runScript(
    `import { subscribe } from 'node:diagnostics_channel';
    import { init, localVariablesIntegration } from 'faultline';
    let failed = 0;
    subscribe('worker_threads', ({ worker }) => setImmediate(() => {
      failed += Number(worker.emit('error', new Error('failed')));
    }));
    init({ integrations: [localVariablesIntegration()] });
    setTimeout(() => { process.exitCode = failed; }, 50);`,
    { env: { FAULTLINE_DSN: receiver.dsn } },
  );
  expect(status).toBe(1);
  expect(receiver.events).toEqual([]);
});
