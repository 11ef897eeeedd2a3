import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { captureEverything } from './capture-everything.js';

const ATTEMPTS = 100;
/** It knows no other items, and its schema knows `logentry` only. */
const EXPECTED_REMARK = /non-supported|no event or minidump found|\('message' was unexpected\)/;

const CREATE_PROJECT = `
from teams.models import Team
from projects.models import Project
print(Project.objects.create(name='shop', team=Team.objects.create(name='shop')).dsn)
`;
const LIST_EVENTS = `
import json
from events.models import Event
def describe(event):
    tags = {tag.value.key.key: tag.value.value for tag in event.tags.all()}
    return {'id': event.event_id.hex, 'title': event.title(), 'level': event.get_level_display().lower(), 'tags': tags}
print(json.dumps([describe(event) for event in Event.objects.order_by('digest_order')]))
`;

/** What it is to show of some of the events. */
const SHOWN = [
  { title: 'Error: plain', level: 'error' },
  { title: 'TypeError: with a cause', level: 'error' },
  { title: 'Error: with attachments', level: 'warning' },
  { title: 'Custom: by hand', level: 'error' },
  { title: 'Error: in a request', level: 'error' },
];
const TAGS = { 'tag.number': '19.99', 'tag.boolean': 'true', 'user.id': '5', environment: 'test' };

/** @param bin folder of the Python that has Bugsink */
export async function checkBugsink(bin) {
  const folder = mkdtempSync(join(tmpdir(), 'bugsink-'));
  const bugsink = await startBugsink(bin, folder);
  try {
    const balance = await captureEverything(bugsink.dsn);
    const events = await bugsink.listEvents();
    return { problems: problemsOf(balance, events, bugsink.readLog()), summary: `Bugsink: ${events.length} events` };
  } finally {
    bugsink.stop();
    rmSync(folder, { recursive: true });
  }
}

function problemsOf({ error, session, feedback, attachment }, events, log) {
  const problems = [];
  for (const [category, { captured, delivered, discarded }] of Object.entries({ session, feedback, attachment })) {
    if (delivered !== captured) problems.push(`${category}: ${discarded} of ${captured} discarded`);
  }
  // `beforeSend` drops one.
  if (error.delivered !== error.captured - 1) problems.push(`${error.delivered} of ${error.captured} errors delivered`);
  if (events.length !== error.delivered) problems.push(`${error.delivered} errors delivered, ${events.length} there`);
  for (const shown of SHOWN) {
    const event = events.find(({ title, level }) => title === shown.title && level === shown.level);
    if (event === undefined) problems.push(`no event ${JSON.stringify(shown)}`);
    for (const [name, value] of Object.entries(TAGS)) {
      if (event && event.tags[name] !== value) problems.push(`${shown.title}: ${name} is ${event.tags[name]}`);
    }
  }
  return [...problems, ...log.filter((line) => !EXPECTED_REMARK.test(line))];
}

/** Runs it as its documentation says for a single user, with the checks of strict mode as warnings. */
async function startBugsink(bin, folder) {
  const port = await findPort();
  const options = { cwd: folder, env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` } };
  const run = async (command, ...args) => (await promisify(execFile)(join(bin, command), args, options)).stdout.trim();
  const runPython = async (code) => (await run('bugsink-manage', 'shell', '-c', code)).split('\n').at(-1);
  await run('bugsink-create-conf', '--template=local', `--port=${port}`, '--host=127.0.0.1', '-o', 'bugsink_conf.py');
  const settings = { VALIDATE_ON_DIGEST: 'warn', INGEST_STORE_BASE_DIR: join(folder, 'ingest') };
  const assignments = `BUGSINK.update(${JSON.stringify(settings)})\nBUGSINK["PHONEHOME"] = False\n`;
  writeFileSync(join(folder, 'bugsink_conf.py'), assignments, { flag: 'a' });
  await run('bugsink-manage', 'migrate');
  await run('bugsink-manage', 'migrate', '--database=snappea');
  const dsn = await runPython(CREATE_PROJECT);
  const log = join(folder, 'log');
  const args = [`--bind=127.0.0.1:${port}`, '--threads=4', '--timeout=0', '--log-level=warning', 'bugsink.wsgi'];
  const server = spawn('sh', ['-c', 'exec "$0" "$@" 2> log', join(bin, 'gunicorn'), ...args], options);
  await untilAnswered(port);
  return {
    dsn,
    listEvents: async () => JSON.parse(await runPython(LIST_EVENTS)),
    readLog: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
    stop: () => server.kill(),
  };
}

async function untilAnswered(port) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const isAnswered = await new Promise((resolve) => {
      get({ port, host: '127.0.0.1' }, () => resolve(true)).on('error', () => resolve(false));
    });
    if (isAnswered) return;
    await sleep(300);
  }
  throw new Error('Bugsink does not answer');
}

async function findPort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
