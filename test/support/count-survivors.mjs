// Prints how many bytes of each sampled trace reach the old generation. Run with room for them, so that only young
// collections take place: node --expose-gc --initial-old-space-size=512 count-survivors.mjs

import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { createTransport, flush, init, startSpan } from 'faultline';

const WARM_UP = 1000;
const OPERATIONS = 3000;
const OPERATIONS_PER_TURN = 10;

init({
  dsn: 'http://key@127.0.0.1:9/1',
  tracesSampleRate: 1,
  sendClientReports: false,
  transport: (options) => createTransport(options, async () => ({ statusCode: 200 })),
});

function trace() {
  startSpan({ name: 'root', attributes: { 'app.user': 'u1' } }, () => {
    for (let i = 0; i < 10; i++) startSpan({ name: 'child', attributes: { 'app.item': i } }, () => undefined);
  });
}

async function repeat(times) {
  for (let i = 1; i <= times; i++) {
    trace();
    if (i % OPERATIONS_PER_TURN === 0) await nextTurn();
  }
  await flush();
}

function oldBytes() {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
  return old.space_used_size;
}

await repeat(WARM_UP);
// What is in use becomes old, as in every service that has run for a while.
globalThis.gc();
const before = oldBytes();
await repeat(OPERATIONS);
process.stdout.write(String(Math.round((oldBytes() - before) / OPERATIONS)));
process.exit();
