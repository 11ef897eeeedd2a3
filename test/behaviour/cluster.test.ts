import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startReceiver } from '../support/receiver.js';

const APP = fileURLToPath(new URL('../support/services/cluster.mjs', import.meta.url));

it('each process of a cluster sends its own, and ends as it would without the SDK', async () => {
  const receiver = await startReceiver();
  try {
    const env = { ...process.env, FAULTLINE_DSN: receiver.dsn };
    const { stdout } = await promisify(execFile)(process.execPath, [APP], { env });
    expect(stdout.trim().split('\n').sort()).toEqual(['1 1', '2 0']);
    expect(receiver.events.map(({ tags, exception }) => [tags['cluster'], exception.values[0]!.value]).sort()).toEqual([
      ['failing', 'uncaught in a worker'],
      ['working', 'captured in a worker'],
    ]);
    expect(receiver.transactions.map(({ tags, transaction }) => [tags['cluster'], transaction]).sort()).toEqual([
      ['failing', 'work of failing'],
      ['working', 'work of working'],
    ]);
    expect(receiver.violations).toEqual([]);
  } finally {
    await receiver.close();
  }
});
