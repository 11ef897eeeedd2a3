import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Ingest } from './ingest.js';
import { environment } from './run-program.js';

const WRITER = fileURLToPath(new URL('writer.js', import.meta.url));
const PROGRAM = fileURLToPath(new URL('program.js', import.meta.url));
/** Without anything that arrives. */
const MAX_SILENCE_MILLIS = 30_000;

/**
 * Processes that write to one store are killed while they write, and processes that send from it while they send.
 *
 * @param {{ writers?: number, senders?: number }} [numbers] of kills
 * @returns {Promise<string[]>} what was not as promised
 */
export async function killAtRandom({ writers = 40, senders = 10 } = {}) {
  return inSharedStore(async (scene) => {
    scene.isDown = true;
    // Each sender may be killed between the answer to the same envelope and its deletion.
    scene.mostArrivals = 1 + senders;
    for (let index = 0; index < writers; index += 2) {
      await Promise.all(
        [index, index + 1].map(async (number) => {
          const writer = startWriter(scene, `writer ${number}`, { intervalMillis: 2, bufferSize: 20 });
          await writer.whenStored();
          await sleep(Math.random() * 300);
          await writer.end('SIGKILL');
        }),
      );
    }
    scene.isDown = false;
    for (let index = 0; index < senders; index += 1) {
      const sender = start(scene, PROGRAM, 'recover');
      const before = scene.inbox.events.length;
      await waitUntil(() => scene.inbox.events.length > before || isComplete(scene));
      await sleep(Math.random() * 50);
      await sender.end('SIGKILL');
    }
  });
}

/**
 * Many processes share a store while the destination is away and comes back. Some are terminated and some killed.
 *
 * @param {{ processes?: number }} [numbers]
 * @returns {Promise<string[]>} what was not as promised
 */
export async function shareThroughOutage({ processes = 16 } = {}) {
  return inSharedStore(async (scene) => {
    const outage = (async () => {
      await sleep(3000);
      scene.isDown = true;
      await sleep(5000);
      scene.isDown = false;
    })();
    await Promise.all(
      Array.from({ length: processes }, async (_, index) => {
        const signal = index % 4 === 0 ? 'SIGKILL' : index % 4 === 1 ? 'SIGTERM' : undefined;
        const writer = startWriter(scene, `writer ${index}`, { intervalMillis: 50, bufferSize: 100 });
        await writer.whenStarted();
        await sleep(4000 + Math.random() * 6000);
        await writer.end(signal);
      }),
    );
    await outage;
  });
}

/**
 * @typedef {object} Writer
 * @property {string} name
 * @property {Record<string, number>} balance the last that it printed
 * @property {NodeJS.Signals | undefined} signal
 */

/** @typedef {{ env: NodeJS.ProcessEnv, inbox: Ingest, isDown: boolean, writers: Writer[], mostArrivals: number }} Scene `mostArrivals`: of the same event */

/**
 * @param {(scene: Scene) => Promise<void>} run
 * @returns {Promise<string[]>}
 */
async function inSharedStore(run) {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-store-'));
  /** @type {Scene} */
  const scene = {
    inbox: new Ingest({ getAnswer: () => (scene.isDown ? { resets: true } : {}) }),
    isDown: false,
    env: {},
    writers: [],
    // The answer to a request in flight is not known when a process is terminated or killed.
    mostArrivals: 2,
  };
  try {
    await scene.inbox.open();
    scene.env = environment({ FAULTLINE_DSN: scene.inbox.dsnAt('127.0.0.1'), FAULTLINE_STORE_DIR: folder });
    await run(scene);
    const last = start(scene, PROGRAM, 'recover');
    for (let seen = -1; seen < scene.inbox.events.length && !isComplete(scene); ) {
      seen = scene.inbox.events.length;
      await waitUntil(() => scene.inbox.events.length > seen || isComplete(scene), MAX_SILENCE_MILLIS);
    }
    await last.end();
    return judge(scene);
  } finally {
    await scene.inbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Scene} scene */
function isComplete(scene) {
  return scene.writers.every((writer) => arrivalsOf(scene, writer).size >= promisedOf(writer));
}

/**
 * How many errors of a writer must arrive: all but those for which it had no room before it noticed the outage. A killed
 * one promises only what it had delivered or stored.
 *
 * @param {Writer} writer
 */
function promisedOf({ balance, signal }) {
  const { captured = 0, delivered = 0, discarded = 0, stored = 0, recovered = 0 } = balance;
  return signal === 'SIGKILL' ? delivered + stored - recovered : captured - discarded;
}

/**
 * @param {Scene} scene
 * @param {Writer} writer
 * @returns {ReadonlyMap<string, number>} how often each event arrived
 */
function arrivalsOf({ inbox }, { name }) {
  const arrivals = new Map();
  for (const { tags, event_id } of inbox.events) {
    if (tags.writer === name) arrivals.set(event_id, (arrivals.get(event_id) ?? 0) + 1);
  }
  return arrivals;
}

/** @param {Scene} scene */
function judge(scene) {
  const failures = [...scene.inbox.violations];
  if (scene.writers.every(({ balance }) => !balance['stored'])) failures.push('no process has stored anything');
  for (const writer of scene.writers) {
    const arrivals = arrivalsOf(scene, writer);
    const promised = promisedOf(writer);
    if (arrivals.size < promised)
      failures.push(`${writer.name}: ${arrivals.size} of ${promised} arrived; ${JSON.stringify(writer.balance)}`);
    const most = Math.max(0, ...arrivals.values());
    if (most > scene.mostArrivals) failures.push(`${writer.name}: an event arrived ${most} times`);
  }
  return failures;
}

/**
 * @param {Scene} scene
 * @param {string} name
 * @param {{ intervalMillis: number, bufferSize: number }} options
 */
function startWriter(scene, name, { intervalMillis, bufferSize }) {
  /** @type {Writer} */
  const writer = { name, balance: {}, signal: undefined };
  scene.writers.push(writer);
  const running = start(scene, WRITER, name, String(intervalMillis), String(bufferSize));
  let rest = '';
  running.child.stdout.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    const line = lines.at(-1);
    if (line) writer.balance = JSON.parse(line);
  });
  return {
    whenStarted: () => waitUntil(() => writer.balance['captured']),
    whenStored: () => waitUntil(() => writer.balance['stored']),
    end(/** @type {NodeJS.Signals | undefined} */ signal) {
      writer.signal = signal;
      return running.end(signal);
    },
  };
}

/**
 * @param {Scene} scene
 * @param {string} script
 * @param {string[]} args
 */
function start({ env }, script, ...args) {
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const end = async (/** @type {NodeJS.Signals | undefined} */ signal) => {
    if (signal) child.kill(signal);
    else child.stdin.end();
    await closed;
  };
  child.stdout.resume();
  return { child, end };
}

/**
 * @param {() => unknown} isTrue
 * @param {number} [timeoutMillis]
 */
async function waitUntil(isTrue, timeoutMillis = 15_000) {
  const endMillis = Date.now() + timeoutMillis;
  while (!isTrue() && Date.now() < endMillis) await sleep(20);
}
