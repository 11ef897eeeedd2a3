/**
 * Makes the SDK send every kind of item, checks the events against the schema of Bugsink's strict mode and runs them
 * through Relay's normalizer. Fails unless all is accepted without a remark. Needs Python 3 and, the first time, the
 * Python package index.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const here = fileURLToPath(new URL('.', import.meta.url));
const venv = process.env.SERVERS_VENV ?? join(here, '.venv');
const python = join(venv, 'bin/python');
/** Of Bugsink. */
const MAX_HEADER_BYTES = 8192;
const TYPES = ['event', 'transaction', 'session', 'feedback', 'client_report', 'attachment'];

if (!existsSync(python)) {
  execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
  execFileSync(python, ['-m', 'pip', 'install', '-q', '-r', join(here, 'requirements.txt')], { stdio: 'inherit' });
}

const bodies = await receive();
const problems = bodies
  .filter((body) => body.indexOf('\n') > MAX_HEADER_BYTES)
  .map(() => 'an envelope header is too long');
const items = bodies.flatMap(itemsOf);
const counts = Object.fromEntries(TYPES.map((type) => [type, items.filter((item) => item.type === type).length]));
for (const type of TYPES) if (counts[type] === 0) problems.push(`no item of type ${type} was sent`);
const events = items.filter(({ type }) => type === 'event' || type === 'transaction' || type === 'feedback');
const input = events.map(({ payload }) => payload.toString()).join('\n');
const remarks = execFileSync(python, [join(here, 'normalize.py')], { input, encoding: 'utf8' }).trim();
if (remarks !== '') problems.push(remarks);
for (const problem of problems) console.error(problem);
console.log(`${bodies.length} envelopes:`, counts);
if (problems.length > 0) process.exit(1);

/** The application runs in a process of its own, where nothing else is captured. */
async function receive() {
  const received = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    received.push(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    response.end('{}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dsn = `http://key@127.0.0.1:${server.address().port}/1`;
  const code = await new Promise((resolve) => {
    spawn(process.execPath, [join(here, 'items.js'), dsn], { stdio: 'inherit' }).on('exit', resolve);
  });
  server.close();
  if (code !== 0) throw new Error(`items.js ended with ${code}`);
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
