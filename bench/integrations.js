// What each default integration allocates for an exception and for an HTTP request: with all of them, and with all but this one.
// Their times are too small to tell apart. Prints one line of JSON; needs a young generation so large that nothing is collected
// in between: `node --expose-gc --min-semi-space-size=256 --max-semi-space-size=256 integrations.js`.

import { channel } from 'node:diagnostics_channel';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as Faultline from '../dist/index.mjs';
import { REQUEST_HEADERS } from './request-headers.js';
import * as captureException from './scenarios/capture-exception.js';

const WARM_UP_OPERATIONS = 2_000;
const OPERATIONS = 200;
/** The least of them counts: in the others, more code was interpreted, which allocates more. */
const ROUNDS = 5;
const OPERATIONS_PER_TURN = 10;
const BYTES_PER_KILOBYTE = 1000;
const REQUEST_START = channel('http.server.request.start');

const names = await setUp(undefined);
// The first one compiles what the others use.
await measure();
let all;
const costs = {};
for (const name of names) {
  // Each time, because code that was compiled meanwhile allocates less.
  await setUp(undefined);
  all = await measure();
  await setUp(name);
  const { exception, request } = await measure();
  costs[name] = { exception: round(all.exception - exception), request: round(all.request - request) };
}
process.stdout.write(JSON.stringify({ all, costs }));
process.exit();

/** @returns the names of the default integrations */
async function setUp(without) {
  await Faultline.close();
  let defaultNames;
  Faultline.init({
    dsn: 'https://key@127.0.0.1/1',
    tracesSampleRate: 1,
    release: 'shop@1.0.0',
    maxSameErrorsPerSecond: Number.POSITIVE_INFINITY,
    sendClientReports: false,
    integrations: (defaults) => {
      defaultNames = defaults.map(({ name }) => name);
      return defaults.filter(({ name }) => name !== without);
    },
    transport: (options) => Faultline.createTransport(options, async () => ({ statusCode: 200 })),
  });
  return defaultNames;
}

/** @returns kilobytes for one operation */
async function measure() {
  const exception = await measureAllocations(captureException.prepare(Faultline));
  // The breadcrumbs are not those of the requests.
  Faultline.getIsolationScope().clear();
  const server = createServer((request, response) => response.end(request.url));
  const request = await measureAllocations((received) => handle(server, received), receiveRequest);
  return { exception, request };
}

async function measureAllocations(operation, createInput = () => undefined) {
  await run(operation, Array.from({ length: WARM_UP_OPERATIONS }, createInput));
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ROUNDS; i++) {
    const inputs = Array.from({ length: OPERATIONS }, createInput);
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    await run(operation, inputs);
    least = Math.min(least, process.memoryUsage().heapUsed - before);
  }
  return round(least / OPERATIONS / BYTES_PER_KILOBYTE);
}

async function run(operation, inputs) {
  for (const [i, input] of inputs.entries()) {
    operation(input);
    if (i % OPERATIONS_PER_TURN === 0) await nextTurn();
  }
  await Faultline.flush();
}

/** Without a connection, so that nothing is counted that only Node allocates. */
function receiveRequest(_, id) {
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const headers = { host: 'localhost:3000', ...REQUEST_HEADERS };
  const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: `/orders/${id}?page=2`, headers });
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  return { socket, request, response };
}

function handle(server, { socket, request, response }) {
  response.once('finish', () => response.emit('close'));
  REQUEST_START.publish({ server, socket, request, response });
  server.emit('request', request, response);
}

function round(kilobytes) {
  return Number(kilobytes.toFixed(1));
}
