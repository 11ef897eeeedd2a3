// The program of the soak: 200 transactions of 10 spans and 50 errors a second, until its stdin ends. Without
// FAULTLINE_DSN the same work without the SDK. Prints a line a second, with the heap after a collection, and the delay of
// the event loop when it ends. Needs --expose-gc.
import { writeSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const TICK_MILLIS = 20;
const MAX_TICKS_AT_ONCE = 5;
const TRANSACTIONS_PER_TICK = 4;
const CHILDREN = 9;
const WARM_UP_MILLIS = 5000;
const NANOS_PER_MILLI = 1e6;

const { captureException, client, startSpan } = await load();
const startMillis = performance.now();
const delay = monitorEventLoopDelay({ resolution: 1 });
let dueMillis = startMillis;
let ticks = 0;

const working = setInterval(() => {
  // Ticks that came late are made up for, but not all of them on a machine that cannot keep up.
  const due = Math.floor((performance.now() - dueMillis) / TICK_MILLIS);
  for (let count = 0; count < Math.min(due, MAX_TICKS_AT_ONCE); count += 1) work();
  dueMillis += due * TICK_MILLIS;
}, TICK_MILLIS);
const printing = setInterval(() => {
  globalThis.gc?.();
  print('heap', { seconds: (performance.now() - startMillis) / 1000, bytes: process.memoryUsage().heapUsed });
}, 1000);
setTimeout(() => delay.enable(), WARM_UP_MILLIS).unref();
process.stdin.resume().once('end', () => {
  clearInterval(working);
  clearInterval(printing);
  delay.disable();
  print('delay', { p99Millis: delay.percentile(99) / NANOS_PER_MILLI });
});
process.on('exit', () => print('balance', client?.ledger.balance() ?? {}));

function work() {
  ticks += 1;
  captureException(new Error(`error ${ticks % 10}`));
  for (let count = 0; count < TRANSACTIONS_PER_TICK; count += 1) {
    startSpan({ name: 'work' }, () => {
      for (let child = 0; child < CHILDREN; child += 1) startSpan({ name: 'a part of it' }, () => undefined);
    });
  }
}

async function load() {
  if (!process.env['FAULTLINE_DSN']) {
    return {
      captureException: (/** @type {Error} */ error) => error.stack,
      startSpan: (/** @type {unknown} */ _, /** @type {() => void} */ callback) => callback(),
    };
  }
  const { captureException, init, startSpan } = await import('faultline');
  return { captureException, startSpan, client: init({ tracesSampleRate: 1, quiet: true }) };
}

/** @param {string} word @param {object} facts */
function print(word, facts) {
  writeSync(1, `${word} ${JSON.stringify(facts)}\n`);
}
