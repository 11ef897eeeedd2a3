// How long one system keeps the event loop busy with one event: `node --expose-gc turns.js <system> <scenario>`. Prints one
// line of JSON. Wall-clock time: a busy machine makes all systems slower.

import assert from 'node:assert/strict';

const [systemName, scenarioName] = process.argv.slice(2);
const { setup: options, operations, createEvent } = await import(`./scenarios/${scenarioName}.js`);
const { setup } = await import(`./systems/${systemName}.js`);

const system = setup(options);
for (let i = 0; i < operations; i++) await measure(i);
const { bytes, count } = system.delivery;
const longest = [];
for (let i = 0; i < operations; i++) longest.push(await measure(i));
assert.equal(system.delivery.count - count, operations, `${systemName} delivered`);

process.stdout.write(
  JSON.stringify({
    figure: longest.sort((a, b) => a - b)[operations >> 1] * 1000,
    bytes: (system.delivery.bytes - bytes) / operations,
  }),
);
process.exit();

/** @returns milliseconds of the longest turn, from the call until the bytes are handed over */
async function measure(id) {
  const event = createEvent(id);
  // So that no collection is in a turn. A full one would throw away compiled code.
  globalThis.gc({ type: 'minor' });
  let longestMillis = 0;
  let beginMillis = performance.now();
  let isDone = false;
  const endTurn = () => {
    const nowMillis = performance.now();
    longestMillis = Math.max(longestMillis, nowMillis - beginMillis);
    beginMillis = nowMillis;
    if (!isDone) setImmediate(endTurn);
  };
  system.captureEvent(event);
  setImmediate(endTurn);
  await system.flush();
  isDone = true;
  await new Promise((resolve) => setImmediate(resolve));
  endTurn();
  return longestMillis;
}
