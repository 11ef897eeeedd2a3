// A program under load while the destination goes away and comes back every ten seconds, beside the same program without
// the SDK: `npm run test:soak`, ten minutes; `-- --seconds 180`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Ingest } from './ingest.js';
import { environment } from './run-program.js';

const APP = fileURLToPath(new URL('soak-app.js', import.meta.url));
const PROGRAM = fileURLToPath(new URL('program.js', import.meta.url));
const PHASE_SECONDS = 10;
/** What was stored is sent at a pace of its own: as long as something arrives, it goes on. */
const MAX_SILENCE_MILLIS = 30_000;
const MAX_DELAY_MILLIS = 2;
const WARM_UP_SECONDS = 60;
/** A slope that is within so many of its standard errors is none. */
const NOISE = 3;
/** Below this a slope has no error to speak of. */
const MIN_LOWS = 5;
/** Less growth than this, over the whole soak, is none either. */
const MIN_GROWTH_BYTES = 1024 * 1024;

/**
 * @param {{ seconds: number }} options
 * @returns {Promise<string[]>} what was not as promised
 */
export async function soak({ seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-soak-'));
  let isDown = false;
  const account = new Account();
  const ingest = new Ingest({
    getAnswer: () => (isDown ? { resets: true } : {}),
    onEnvelope: (envelope) => account.add(envelope),
  });
  await ingest.open();
  const env = environment({ FAULTLINE_DSN: ingest.dsnAt('127.0.0.1'), FAULTLINE_STORE_DIR: folder });
  try {
    const bare = startApp(environment({}));
    const app = startApp(env);
    for (let passed = 0; passed < seconds; passed += PHASE_SECONDS) {
      await sleep(PHASE_SECONDS * 1000);
      isDown = !isDown;
    }
    isDown = false;
    const [facts, bareFacts] = await Promise.all([app.end(), bare.end()]);
    await recover(env, account, () => account.findMissing(facts.balance).length === 0);
    return [
      ...account.findMissing(facts.balance),
      ...ingest.violations.slice(0, 10),
      ...findGrowth(facts.heap, seconds),
      ...findDelay(facts.p99Millis, bareFacts.p99Millis),
    ];
  } finally {
    await ingest.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What arrived, by category: only what is needed, because it is much. */
class Account {
  /** @type {Map<string, Set<string>>} */
  #ids = new Map([
    ['event', new Set()],
    ['transaction', new Set()],
  ]);
  /** @type {Map<string, number>} */
  #discarded = new Map();
  lastMillis = 0;

  /** @param {import('faultline/receiver').ReceivedEnvelope} envelope */
  add({ items }) {
    this.lastMillis = Date.now();
    for (const { headers, json } of items) {
      this.#ids.get(headers.type)?.add(json?.event_id);
      for (const { category, quantity } of json?.discarded_events ?? []) {
        this.#discarded.set(category, (this.#discarded.get(category) ?? 0) + quantity);
      }
    }
  }

  /** @param {Record<string, Record<string, number>>} balance of the program when it ended @returns {string[]} */
  findMissing(balance) {
    const rows = /** @type {const} */ ([
      ['error', 'event'],
      ['transaction', 'transaction'],
    ]);
    return rows.flatMap(([category, type]) => {
      const captured = balance[category]?.captured ?? 0;
      const delivered = this.#ids.get(type)?.size ?? 0;
      const discarded = this.#discarded.get(category) ?? 0;
      const isBalanced = captured > 0 && captured === delivered + discarded;
      return isBalanced ? [] : `${category}: ${captured} captured, ${delivered} delivered, ${discarded} reported`;
    });
  }
}

/** @typedef {{ seconds: number, bytes: number }} HeapSample */

/** @param {NodeJS.ProcessEnv} env */
function startApp(env) {
  const child = spawn(process.execPath, ['--expose-gc', APP], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const facts = { heap: /** @type {HeapSample[]} */ ([]), p99Millis: Number.NaN, balance: {} };
  createInterface(child.stdout).on('line', (line) => {
    const [word = '', json = ''] = line.split(/ (.*)/s);
    const value = JSON.parse(json);
    if (word === 'heap') facts.heap.push(value);
    else if (word === 'delay') facts.p99Millis = value.p99Millis;
    else facts.balance = value;
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  return {
    async end() {
      child.stdin.end();
      await closed;
      return facts;
    },
  };
}

/** @param {NodeJS.ProcessEnv} env @param {Account} account @param {() => boolean} isDone */
async function recover(env, account, isDone) {
  const child = spawn(process.execPath, [PROGRAM, 'recover'], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  const closed = new Promise((resolve) => child.once('close', resolve));
  account.lastMillis = Date.now();
  while (!isDone() && Date.now() < account.lastMillis + MAX_SILENCE_MILLIS) await sleep(100);
  child.stdin.end();
  await closed;
}

/**
 * Looks at the lowest sample of each outage with the time after it, when little waits to be sent: how long what has waited
 * takes to leave differs, and all the samples until then are high together, which is no noise around a line.
 *
 * @param {readonly HeapSample[]} samples
 * @param {number} seconds
 */
function findGrowth(samples, seconds) {
  const warmUpSeconds = Math.min(WARM_UP_SECONDS, seconds / 3);
  /** @type {Map<number, HeapSample>} */
  const lowest = new Map();
  for (const sample of samples) {
    if (sample.seconds <= warmUpSeconds) continue;
    const period = Math.floor(sample.seconds / (2 * PHASE_SECONDS));
    if (sample.bytes < (lowest.get(period)?.bytes ?? Number.POSITIVE_INFINITY)) lowest.set(period, sample);
  }
  if (lowest.size < MIN_LOWS) return [`too short to see growth of the heap: ${seconds} s`];
  const { slope, error } = fitLine([...lowest.values()]);
  const growth = slope * seconds;
  if (slope <= NOISE * error || growth < MIN_GROWTH_BYTES) return [];
  return [`the heap grows by ${Math.round(slope)} +- ${Math.round(error)} bytes a second`];
}

/** Least squares. @param {readonly HeapSample[]} samples */
function fitLine(samples) {
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanSeconds = mean(samples.map(({ seconds }) => seconds));
  const meanBytes = mean(samples.map(({ bytes }) => bytes));
  let spread = 0;
  let together = 0;
  for (const { seconds, bytes } of samples) {
    spread += (seconds - meanSeconds) ** 2;
    together += (seconds - meanSeconds) * (bytes - meanBytes);
  }
  const slope = together / spread;
  const residuals = samples.map(({ seconds, bytes }) => bytes - meanBytes - slope * (seconds - meanSeconds));
  const variance = residuals.reduce((sum, value) => sum + value ** 2, 0) / (samples.length - 2);
  return { slope, error: Math.sqrt(variance / spread) };
}

/** @param {number} p99Millis @param {number} bareP99Millis */
function findDelay(p99Millis, bareP99Millis) {
  if (p99Millis <= bareP99Millis + MAX_DELAY_MILLIS) return [];
  return [`p99 of the event loop delay: ${p99Millis} ms, without the SDK ${bareP99Millis} ms`];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '600' } } });
  const failures = await soak({ seconds: Number(values.seconds) });
  for (const failure of failures) console.log(failure);
  console.log(failures.length > 0 ? 'not as promised' : 'as promised');
  if (failures.length > 0) process.exitCode = 1;
}
