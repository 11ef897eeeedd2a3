import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { outsideOfRequests } from '../../../src/internal/node/outside-of-requests.js';
import { runScript } from '../../integrations/run-script.js';

it('has nothing of the application, wherever it is entered', () => {
  const storage = new AsyncLocalStorage<string>();
  const read = () => storage.run('of a request', () => outsideOfRequests.runInAsyncScope(() => storage.getStore()));
  expect([read(), read()]).toEqual([undefined, undefined]);
});

it('is none of the handles that Jest takes for what keeps tests open', async () => {
  const { stdout } = await runScript(
    `import { createHook } from 'node:async_hooks';
    const open = new Map();
    createHook({ init: (id, type) => open.set(id, type), destroy: (id) => open.delete(id) }).enable();
    await import('faultline');
    await new Promise((done) => setImmediate(done)); // Node tells of destroyed resources in a later turn
    console.log(JSON.stringify([...open.values()].filter((type) => /faultline/i.test(type))));`,
  );
  expect(stdout).toBe('[]\n');
});
