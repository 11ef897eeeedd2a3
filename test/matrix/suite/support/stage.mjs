import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startReceiver } from 'faultline/receiver';
import { api, load } from './application.mjs';

export const faultline = await load('faultline');

const FLUSH_MILLIS = 10_000;
const MAX_RUN_MILLIS = 60_000;

/**
 * Starts a receiver and calls `init`, lets the story happen, and expects that the ledger's equation holds, on both sides,
 * and that a strict server would have objected to nothing. Afterwards the process is as it was.
 *
 * @param {object} stage
 * @param {object} [stage.options] of `init`
 * @param {() => unknown} [stage.setUp] of the application's OpenTelemetry; what it returns is shut down after the story
 * @param {boolean} [stage.isInitLast] whether OpenTelemetry is set up before `init`
 * @param {(stage: { client: object, receiver: object, running: any }) => unknown} story
 * @param {(receiver: object) => unknown} told what to expect once everything has arrived
 */
export async function tell({ options, setUp, isInitLast = false }, story, told) {
  const receiver = await startReceiver();
  let running = isInitLast ? await setUp?.() : undefined;
  const client = faultline.init({ dsn: receiver.dsn, ...options });
  try {
    running ??= await setUp?.();
    await story({ client, receiver, running });
    await running?.shutdown();
    await expectBalance(client, receiver);
    assert.deepEqual(receiver.violations, []);
    await told(receiver);
  } finally {
    await client.close(1000);
    await receiver.close();
    reset();
  }
}

/** Takes back everything that was registered for the process. */
export function reset() {
  api.trace.disable();
  api.context.disable();
  api.propagation.disable();
  api.diag.disable();
  for (const scope of [faultline.getGlobalScope(), faultline.getIsolationScope(), faultline.getCurrentScope()]) {
    scope.clear();
  }
}

/** Captured + recovered = delivered + discarded + stored, nothing is queued, and the receiver has seen the same. */
export async function expectBalance(client, receiver) {
  // A report leaves at the beginning of a flush: what was discarded during the first is in that of the second.
  assert.equal(await client.flush(FLUSH_MILLIS), true);
  assert.equal(await client.flush(FLUSH_MILLIS), true);
  expectEquation(client.ledger.balance(), receiver);
}

/** @param {Record<string, object>} balance of a client that has flushed, here or in another process */
export function expectEquation(balance, receiver) {
  const received = receiver.counts();
  for (const [category, { captured, recovered, delivered, discarded, queued, stored }] of Object.entries(balance)) {
    if (category === 'internal') continue;
    assert.equal(captured + recovered, delivered + discarded + queued + stored, category);
    assert.equal(queued, 0, `queued: ${category}`);
    assert.equal(delivered, received[category] ?? 0, `delivered: ${category}`);
    assert.equal(discarded, receiver.discardedTotal(undefined, category), `reported: ${category}`);
  }
  for (const category in received) assert.ok(category === 'internal' || balance[category], category);
}

/**
 * Runs a file of the suite in a process of its own, under the same Node.
 *
 * @param {string} name below the folder of the suite
 * @param {{ env?: Record<string, string>, nodeOptions?: string[] }} [options]
 * @returns {Promise<{ status: number | string, stdout: string, stderr: string }>} without the announcement of Node 20
 *   that requiring an ES module is experimental
 */
export function run(name, { env = {}, nodeOptions = [] } = {}) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const options = { env: { ...process.env, ...env }, timeout: MAX_RUN_MILLIS, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    execFile(process.execPath, [...nodeOptions, file], options, (error, stdout, stderr) => {
      const status = error ? (error.signal ?? error.code) : 0;
      resolve({ status, stdout, stderr: stderr.replace(/^.*(ExperimentalWarning|--trace-warnings).*\n/gm, '') });
    });
  });
}
