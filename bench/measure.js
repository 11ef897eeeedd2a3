// One system in one scenario in one process: `node measure.js <system> <scenario>`. Prints one line of JSON.

/**
 * What a scenario may ask of a system.
 *
 * @typedef {object} System
 * @property {<T>(name: string, attributes: object, callback: () => T) => T} startSpan the callback runs in the span
 * @property {(error: unknown) => void} [captureException]
 * @property {(message: string) => void} [captureMessage]
 * @property {(event: object) => void} [captureEvent]
 * @property {(key: string, value: string) => void} [setTag]
 * @property {(breadcrumb: object) => void} [addBreadcrumb]
 * @property {() => Promise<unknown>} flush resolves when everything is handed to the transport
 * @property {{ count: number, bytes: number, samples: Uint8Array[] }} delivery what reached the transport: operations,
 *   bytes, and the payloads of single operations
 */

import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Batches, microtasks and the like get their turn, as between the requests of a service. */
const OPERATIONS_PER_TURN = 10;

const [systemName, scenarioName] = process.argv.slice(2);
const scenario = await import(`./scenarios/${scenarioName}.js`);
const { setup } = await import(`./systems/${systemName}.js`);

const system = setup(scenario.setup);
const operation = scenario.prepare(system);

// Alone, so that there is a payload of just this one.
await run(1);
// No forced collection afterwards: it would throw away compiled code, which the collections of a service do not, and the
// measurement would be one of compiling again.
await run(scenario.warmUpOperations);

const deliveredBefore = system.delivery.count;
const bytesBefore = system.delivery.bytes;
const before = process.cpuUsage();
await run(scenario.operations);
const { user, system: kernel } = process.cpuUsage(before);

const delivered = system.delivery.count - deliveredBefore;
assert.equal(delivered, scenario.expectedDeliveries, `${systemName} delivered ${delivered} of ${scenarioName}`);
for (const sample of system.delivery.samples) checkContent(Buffer.from(sample).toString());
assert.equal(system.delivery.samples.length > 0, scenario.expectedDeliveries > 0, 'a payload to look into');

process.stdout.write(
  JSON.stringify({
    figure: (user + kernel) / scenario.operations,
    bytes: (system.delivery.bytes - bytesBefore) / scenario.operations,
  }),
);
// Whatever a system holds open is not what is measured.
process.exit();

async function run(operations) {
  for (let i = 1; i <= operations; i++) {
    operation();
    if (i % OPERATIONS_PER_TURN === 0) await nextTurn();
  }
  await system.flush();
}

function checkContent(payload) {
  for (const [text, times] of scenario.content) {
    assert.equal(payload.split(text).length - 1, times, `${systemName}: ${text} in ${payload}`);
  }
}
