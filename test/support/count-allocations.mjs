// Prints how many bytes of heap each operation allocates. Run with a young generation so large that nothing is collected
// in between: node --expose-gc --no-concurrent-recompilation --min-semi-space-size=256 --max-semi-space-size=256
// count-allocations.mjs

import { channel } from 'node:diagnostics_channel';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { captureException, captureMessage, createTransport, flush, init, startSpan } from 'faultline';

const WARM_UP = 2000;
const OPERATIONS = 500;
const CHILDREN = 10;

let requests = 0;
const server = createServer(() => undefined);
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

/** A line that no event contains; it is not written. */
function log() {
  console.log('GET /orders/%d took %d ms', requests, 12);
}

/** Requests that a server has received; what Node allocates for them is not counted. */
function receiveRequests(count) {
  return Array.from({ length: count }, (_, id) => {
    const socket = new Duplex({ read: () => undefined });
    const headers = {
      host: 'localhost:3000',
      accept: 'application/json',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
    };
    const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: `/orders/${id}?page=2`, headers });
    return { server, socket, request, response: new ServerResponse(request) };
  });
}

function handle({ request, response, ...received }) {
  channel('http.server.request.start').publish({ request, response, ...received });
  server.emit('request', request, response);
  response.emit('close');
}

async function measure(operation, prepare = () => []) {
  const inputs = [prepare(WARM_UP), prepare(OPERATIONS)];
  await repeat(operation, WARM_UP, inputs[0]);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  await repeat(operation, OPERATIONS, inputs[1]);
  return Math.round((process.memoryUsage().heapUsed - before) / OPERATIONS);
}

/** In batches, as long as nothing waits for too long. */
async function repeat(operation, times, inputs) {
  for (let i = 0; i < times; i++) {
    operation(inputs[i]);
    if (i % 50 === 0) await flush();
  }
  await flush();
}

// Before `init` wraps it.
console.log = () => undefined;

const result = {};
setUp(1);
result.sampledTrace = await measure(trace);
result.exception = await measure(fail);
result.message = await measure(say);
result.sampledRequest = await measure(handle, receiveRequests);
setUp(0);
result.unsampledTrace = await measure(trace);
result.unsampledRequest = await measure(handle, receiveRequests);
result.consoleLine = await measure(log);
setUp(undefined);
result.traceWithoutTracing = await measure(trace);
process.stdout.write(JSON.stringify({ ...result, requests }));
process.exit();
