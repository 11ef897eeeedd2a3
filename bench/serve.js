// One system in one service in one process: `node serve.js <system> <scenario>`. Prints one line of JSON.
// The load comes from another process, whose time is not counted.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Sampling is random: a correct system is outside of so many standard deviations once in a billion runs. */
const DEVIATIONS = 6;

const [systemName, scenarioName] = process.argv.slice(2);
const scenario = await import(`./scenarios/${scenarioName}.js`);
const { setup } = await import(`./systems/${systemName}.js`);

const system = setup(scenario.setup);
// After the setup, as in an application.
const { createServer } = await import('node:http');
const server = createServer(scenario.prepare(system)).listen(0);
await once(server, 'listening');
const load = fork(fileURLToPath(new URL('load.js', import.meta.url)), [String(server.address().port)], {
  execArgv: [],
});
load.on('exit', (code) => assert.equal(code, null, 'the load generator failed'));

// Alone, so that there is a payload of just this one.
await run(1);
await run(scenario.warmUpOperations);

const deliveredBefore = system.delivery.count;
const bytesBefore = system.delivery.bytes;
const before = process.cpuUsage();
await run(scenario.operations);
const { user, system: kernel } = process.cpuUsage(before);

checkDelivery(system.delivery.count - deliveredBefore);
process.stdout.write(
  JSON.stringify({
    figure: (user + kernel) / scenario.operations,
    bytes: (system.delivery.bytes - bytesBefore) / scenario.operations,
  }),
);
load.kill();
process.exit();

async function run(requests) {
  load.send(requests);
  await once(load, 'message');
  await system.flush();
}

function checkDelivery(delivered) {
  const rate = system.tracesNothing ? 0 : scenario.setup.tracesSampleRate;
  const expected = scenario.operations * rate;
  const tolerance = DEVIATIONS * Math.sqrt(expected * (1 - rate));
  assert.ok(Math.abs(delivered - expected) <= tolerance, `${systemName} delivered ${delivered}, not about ${expected}`);
  for (const sample of system.delivery.samples) {
    const payload = Buffer.from(sample).toString();
    for (const text of scenario.content) assert.ok(payload.includes(text), `${systemName}: ${text} in ${payload}`);
  }
}
