import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { captureEverything } from './capture-everything.js';

const NORMALIZE = fileURLToPath(new URL('normalize.py', import.meta.url));
/** Of Bugsink. */
const MAX_HEADER_BYTES = 8192;
const TYPES = ['event', 'transaction', 'session', 'feedback', 'client_report', 'attachment'];
const EVENT_TYPES = ['event', 'transaction', 'feedback'];

/** @param bin folder of the Python that has Bugsink and Relay's library */
export async function checkFormat(bin) {
  const bodies = await receive();
  const items = bodies.flatMap(itemsOf);
  const counts = Object.fromEntries(TYPES.map((type) => [type, items.filter((item) => item.type === type).length]));
  const problems = [];
  for (const body of bodies) if (body.indexOf('\n') > MAX_HEADER_BYTES) problems.push('an envelope header is too long');
  for (const type of TYPES) if (counts[type] === 0) problems.push(`no item of type ${type} was sent`);
  const events = items.filter(({ type }) => EVENT_TYPES.includes(type));
  const input = events.map(({ payload }) => payload.toString()).join('\n');
  const remarks = execFileSync(join(bin, 'python'), [NORMALIZE], { input, encoding: 'utf8' }).trim();
  if (remarks !== '') problems.push(remarks);
  return { problems, summary: `format: ${bodies.length} envelopes, ${JSON.stringify(counts)}` };
}

async function receive() {
  const received = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    received.push(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    response.end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await captureEverything(`http://key@127.0.0.1:${server.address().port}/1`);
  server.close();
  return received;
}

function itemsOf(body) {
  const items = [];
  let offset = body.indexOf('\n') + 1;
  while (offset > 0 && offset < body.length) {
    const end = body.indexOf('\n', offset);
    const header = JSON.parse(body.subarray(offset, end).toString());
    const stop = header.length === undefined ? body.indexOf('\n', end + 1) : end + 1 + header.length;
    items.push({ type: header.type, payload: body.subarray(end + 1, stop) });
    offset = stop + 1;
  }
  return items;
}
