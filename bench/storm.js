// One system in a storm of errors in one process: `node --expose-gc storm.js <system> <scenario>`. Prints one line of JSON.

import assert from 'node:assert/strict';

const [systemName, scenarioName] = process.argv.slice(2);
const { setup: options, operations, createError } = await import(`./scenarios/${scenarioName}.js`);
const { setup } = await import(`./systems/${systemName}.js`);

const system = setup(options);
// The first storm is the warm-up.
for (let i = 0; i < 2; i++) await storm();
process.stdout.write(JSON.stringify(await storm()));
process.exit();

async function storm() {
  const errors = Array.from({ length: operations }, (_, id) => createError(id));
  const { bytes, count } = system.delivery;
  const half = operations / 2;
  globalThis.gc({ type: 'minor' });
  for (let i = 0; i < half; i++) system.captureException(errors[i]);
  const before = process.cpuUsage();
  for (let i = half; i < operations; i++) system.captureException(errors[i]);
  const { user, system: kernel } = process.cpuUsage(before);
  await system.flush();
  const delivered = system.delivery.count - count;
  assert.ok(delivered > 0 && delivered <= half, `${systemName} delivered ${delivered} of ${operations}`);
  return { figure: (user + kernel) / half, bytes: (system.delivery.bytes - bytes) / operations };
}
