// Prints how many bytes of heap each operation allocates. Run with a young generation so large that nothing is collected
// in between: node --expose-gc --min-semi-space-size=256 --max-semi-space-size=256 count-allocations.mjs

import { captureException, captureMessage, createTransport, flush, init, startSpan } from 'faultline';

const WARM_UP = 2000;
const OPERATIONS = 500;
const CHILDREN = 10;

let requests = 0;
const accept = () => {
  requests += 1;
  return { statusCode: 200 };
};

function setUp(tracesSampleRate) {
  init({
    dsn: 'http://key@127.0.0.1:9/1',
    tracesSampleRate,
    maxSameErrorsPerSecond: Number.POSITIVE_INFINITY,
    sendClientReports: false,
    transport: (options) => createTransport(options, async () => accept()),
    transportOptions: { bufferSize: 10_000 },
  });
}

function trace() {
  startSpan({ name: 'root', attributes: { 'app.user': 'u1' } }, () => {
    for (let i = 0; i < CHILDREN; i++) startSpan({ name: 'child', attributes: { 'app.item': i } }, () => undefined);
  });
}

function fail() {
  captureException(new Error('boom'));
}

function say() {
  captureMessage('hello');
}

async function measure(operation) {
  await repeat(operation, WARM_UP);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  await repeat(operation, OPERATIONS);
  return Math.round((process.memoryUsage().heapUsed - before) / OPERATIONS);
}

/** In batches, as long as nothing waits for too long. */
async function repeat(operation, times) {
  for (let i = 0; i < times; i++) {
    operation();
    if (i % 50 === 0) await flush();
  }
  await flush();
}

const result = {};
setUp(1);
result.sampledTrace = await measure(trace);
result.exception = await measure(fail);
result.message = await measure(say);
setUp(0);
result.unsampledTrace = await measure(trace);
setUp(undefined);
result.traceWithoutTracing = await measure(trace);
process.stdout.write(JSON.stringify({ ...result, requests }));
process.exit();
