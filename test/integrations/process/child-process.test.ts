import { exec, spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { captureMessage, withIsolationScope } from '../../../src/index.js';
import { type ChildProcessOptions, childProcessIntegration } from '../../../src/integrations/process/child-process.js';
import type { ReceivedErrorEvent } from '../../support/receiver.js';
import { tell } from '../../support/story.js';

/** The events of a story, which ends with the message `done`. */
async function eventsOf(story: () => unknown, options?: ChildProcessOptions): Promise<ReceivedErrorEvent[]> {
  let events: readonly ReceivedErrorEvent[] = [];
  await tell(
    { defaultIntegrations: false, integrations: [childProcessIntegration(options)] },
    async () => {
      await story();
      captureMessage('done');
    },
    ({ receiver }) => {
      events = receiver.events;
    },
  );
  return [...events];
}

async function crumbsOf(story: () => unknown, options?: ChildProcessOptions) {
  return (await eventsOf(story, options)).at(-1)?.breadcrumbs;
}

/** Resolves whatever becomes of it; `once` would reject for an error. */
const ended = (one: EventEmitter, event = 'exit') =>
  new Promise((resolve) => one.on('error', () => undefined).on(event, resolve));

const node = (script: string) => spawn(process.execPath, ['-e', script], { stdio: 'ignore' });

it('a child process that fails leaves a breadcrumb', async () => {
  const crumbs = await crumbsOf(() => ended(node('process.exit(3)')));
  expect(crumbs).toEqual([
    {
      category: 'child_process',
      level: 'warning',
      message: "Child process exited with code '3'",
      data: { spawnfile: process.execPath },
      timestamp: expect.any(Number),
    },
  ]);
});

it('a child process that succeeds leaves none', async () => {
  expect(await crumbsOf(() => ended(node('')))).toBeUndefined();
});

it('a child process that is killed leaves a breadcrumb with the signal', async () => {
  const crumbs = await crumbsOf(() => ended(node('process.kill(process.pid, "SIGKILL")')));
  expect(crumbs).toMatchObject([{ message: "Child process exited with signal 'SIGKILL'" }]);
});

it('a child process that cannot be started leaves a breadcrumb', async () => {
  const crumbs = await crumbsOf(() => ended(spawn('/nowhere/nothing'), 'close'));
  expect(crumbs).toMatchObject([
    { level: 'error', message: "Child process errored with 'spawn /nowhere/nothing ENOENT'" },
  ]);
});

it('the error of a child process nobody listens to still is an uncaught exception', async () => {
  await eventsOf(() => {
    const child = spawn('/nowhere/nothing');
    expect(() => child.emit('error', new Error('nobody listens'))).toThrow('nobody listens');
    child.on('error', () => undefined);
  });
});

it('arguments are added on request', async () => {
  const crumbs = await crumbsOf(() => ended(node('process.exit(3)')), { includeChildProcessArgs: true });
  expect(crumbs?.[0]?.data).toEqual({
    spawnfile: process.execPath,
    spawnargs: [process.execPath, '-e', 'process.exit(3)'],
  });
});

it('a breadcrumb lands where the child process was started', async () => {
  const [inside, outside] = await eventsOf(() =>
    withIsolationScope(async () => {
      await new Promise((resolve) => exec('exit 4', resolve));
      captureMessage('inside');
    }),
  );
  expect(inside?.breadcrumbs).toHaveLength(1);
  expect(outside?.breadcrumbs).toBeUndefined();
});

it('the error that ends a worker thread is captured as unhandled', async () => {
  const [event] = await eventsOf(async () => {
    const worker = new Worker('throw new TypeError("in the worker")', { eval: true });
    await ended(worker);
  });
  expect(event?.exception?.values).toMatchObject([
    {
      type: 'TypeError',
      value: 'in the worker',
      mechanism: {
        type: 'auto.child_process.worker_thread',
        handled: false,
        data: { threadId: expect.stringMatching(/^[1-9]\d*$/) },
      },
    },
  ]);
});

it('with captureWorkerErrors: false it leaves a breadcrumb', async () => {
  const events = await eventsOf(
    async () => {
      const worker = new Worker('throw new TypeError("in the worker")', { eval: true });
      await ended(worker);
    },
    { captureWorkerErrors: false },
  );
  expect(events).toHaveLength(1);
  expect(events[0]?.breadcrumbs).toMatchObject([
    { category: 'worker_thread', level: 'error', message: "Worker thread errored with 'in the worker'" },
  ]);
});

it('a child process that outlives the client leaves nothing to the next one', async () => {
  let child = node('setTimeout(() => process.exit(3), 300)');
  await eventsOf(() => {
    child = node('setTimeout(() => process.exit(3), 300)');
  });
  expect(await crumbsOf(() => ended(child))).toBeUndefined();
});
