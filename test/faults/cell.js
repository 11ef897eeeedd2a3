import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { selfSigned } from '../support/self-signed.js';
import { Ingest } from './ingest.js';
import { ForwardingProxy } from './proxy.js';
import { runProgram } from './run-program.js';
import { ERRORS, SHUTDOWN_TIMEOUT_MILLIS } from './start-sdk.js';

const RESOLVER = fileURLToPath(new URL('resolver.cjs', import.meta.url));
const MAX_RECOVERY_MILLIS = 20_000;
/** For requests on their way. */
const QUIET_MILLIS = 1000;
const POLL_MILLIS = 20;
const GRACE_MILLIS = 200;
const TOO_MANY_REQUESTS = 429;

/** @typedef {import('./ingests.js').IngestRow} IngestRow */
/** @typedef {import('./ends.js').EndRow} EndRow */
/** @typedef {import('./run-program.js').Run} Run */

/**
 * What is wrong with a cell; the letters of the grid.
 *
 * @typedef {'L' | 'D' | 'G' | '2' | 'X' | 'T'} Letter
 */

/** @type {Record<Letter, string>} */
export const LETTERS = {
  L: 'lost: captured is not delivered + discarded + stored',
  D: 'discarded, although the destination refused nothing',
  G: 'garbage was delivered',
  2: 'an event was delivered more than twice',
  X: 'ended in another way than without the SDK',
  T: 'lived longer than shutdownTimeout + 200 ms beyond its work',
};

/** The mark of a cell in which the process ended before it saw an answer, which is no failure: see `isUndecidable`. */
export const UNDECIDABLE = {
  letter: 'u',
  meaning:
    'in flight when the process ended, and has arrived: a transaction that is reported as lost, or a client report that is sent again',
};

/**
 * @typedef {object} Cell
 * @property {Partial<Record<Letter, string>>} failures details by letter
 * @property {string} account what became of what was captured
 * @property {boolean} isUndecided whether a transaction has arrived and is reported as lost, or a client report came twice
 */

/**
 * Runs a program to its end, with the destination as the ingest says; then heals the destination, and runs another
 * program that sends what the first one stored.
 *
 * @param {IngestRow} ingest
 * @param {EndRow} end
 * @param {Run} bare the same end without the SDK
 * @returns {Promise<Cell>}
 */
export async function runCell(ingest, end, bare) {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-faults-'));
  const scene = await setUp(ingest, folder);
  const expected = { error: ERRORS + (end.crashes ?? 0), transaction: 1 };
  try {
    const { nodeOptions, signal } = end;
    const run = await runProgram(end.name, { env: scene.env, nodeOptions, signal });
    await scene.heal();
    if (hasFiles(scene.store)) await recover(scene, expected);
    return judge({ ingest, end, bare, run, inbox: scene.inbox, expected });
  } finally {
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {IngestRow} ingest
 * @param {string} folder
 */
async function setUp(ingest, folder) {
  const { getAnswer, refusesMillis = 0, resolver, isUnverified, proxy: proxyState } = ingest;
  const inbox = new Ingest({ getAnswer, tls: isUnverified ? selfSigned : undefined });
  const proxy = new ForwardingProxy();
  const nameServer = createSocket('udp4').bind(0, '127.0.0.1');
  await Promise.all([inbox.open(), proxy.open(), once(nameServer, 'listening')]);
  if (refusesMillis > 0) await inbox.close();
  if (proxyState === 'refuses') await proxy.close();
  const isBack = Number.isFinite(refusesMillis) ? setTimeout(() => void inbox.open(), refusesMillis) : undefined;

  const store = join(folder, 'store');
  /** @type {Record<string, string>} */
  const env = {
    FAULTLINE_DSN: inbox.dsnAt(resolver ? 'ingest.test' : '127.0.0.1'),
    FAULTLINE_STORE_DIR: store,
  };
  if (proxyState) env['http_proxy'] = proxy.url;
  if (resolver) {
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    Object.assign(env, {
      NODE_OPTIONS: `--require ${RESOLVER}`,
      RESOLVER: resolver,
      RESOLVER_FIFO: fifo,
      RESOLVER_SERVER: `127.0.0.1:${nameServer.address().port}`,
    });
  }
  return {
    inbox,
    store,
    env,
    async heal() {
      clearTimeout(isBack);
      await Promise.all([inbox.heal(), proxy.open()]);
      if (resolver && !proxyState) env['RESOLVER'] = 'works';
      if (!isUnverified) return;
      const authority = join(folder, 'authority.pem');
      writeFileSync(authority, selfSigned.cert);
      env['NODE_EXTRA_CA_CERTS'] = authority;
    },
    async close() {
      nameServer.close();
      await Promise.all([inbox.close(), proxy.close()]);
    },
  };
}

/** @param {string} store */
function hasFiles(store) {
  try {
    return readdirSync(store, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
  } catch {
    return false;
  }
}

/**
 * Runs a process that sends what is in the store, until everything has arrived or the store has been empty for a while.
 *
 * @param {{ env: Record<string, string>, store: string, inbox: Ingest }} scene
 * @param {Quantities} expected
 */
async function recover({ env, store, inbox }, expected) {
  const watch = async (/** @type {() => void} */ stop) => {
    const endMillis = Date.now() + MAX_RECOVERY_MILLIS;
    let filledMillis = Date.now();
    while (!isAccountedFor(inbox, expected) && Date.now() < endMillis) {
      if (hasFiles(store)) filledMillis = Date.now();
      if (Date.now() > filledMillis + QUIET_MILLIS) break;
      await sleep(POLL_MILLIS);
    }
    stop();
  };
  await runProgram('recover', { env, onStart: watch });
}

/** @typedef {{ error: number, transaction: number }} Quantities */

/**
 * @param {Ingest} inbox
 * @param {'error' | 'transaction'} category
 */
function countOutcomes(inbox, category) {
  const events = category === 'error' ? inbox.events : inbox.transactions;
  const arrivals = new Map();
  for (const { event_id } of events) arrivals.set(event_id, (arrivals.get(event_id) ?? 0) + 1);
  const delivered = arrivals.size;
  // An event may be refused, and be sent again because the process has not seen the answer.
  const refused = refusedIds(inbox, category).filter((id) => !arrivals.has(id)).length;
  const discards = differentReports(inbox).flatMap((report) => report['discarded_events']);
  const reported = discards.reduce((sum, one) => (one.category === category ? sum + one.quantity : sum), 0);
  return { delivered, refused, reported, sum: delivered + refused + reported, most: Math.max(0, ...arrivals.values()) };
}

/** A report is stored and sent again when the process ends before the answer to it. @param {Ingest} inbox */
function differentReports({ clientReports }) {
  return [...new Map(clientReports.map((report) => [JSON.stringify(report), report])).values()];
}

/**
 * @param {Ingest} inbox
 * @param {'error' | 'transaction'} category
 * @returns {string[]} of events that were answered with 429
 */
function refusedIds(inbox, category) {
  const type = category === 'error' ? 'event' : category;
  const refused = inbox.requests.filter(({ statusCode }) => statusCode === TOO_MANY_REQUESTS);
  const items = refused.flatMap(({ envelope }) => envelope?.items ?? []);
  return [...new Set(items.flatMap(({ headers, json }) => (headers.type === type ? [String(json?.event_id)] : [])))];
}

/**
 * @param {Ingest} inbox
 * @param {Quantities} expected
 */
function isAccountedFor(inbox, expected) {
  return (
    countOutcomes(inbox, 'error').sum >= expected.error &&
    countOutcomes(inbox, 'transaction').sum >= expected.transaction
  );
}

/**
 * @param {{ ingest: IngestRow, end: EndRow, bare: Run, run: Run, inbox: Ingest, expected: Quantities }} facts
 * @returns {Cell}
 */
function judge({ ingest, end, bare, run, inbox, expected }) {
  /** @type {Cell['failures']} */
  const failures = {};
  const outcomes = { error: countOutcomes(inbox, 'error'), transaction: countOutcomes(inbox, 'transaction') };
  const account = `${describe('errors', outcomes.error)}; ${describe('transactions', outcomes.transaction)}`;
  const discards = inbox.discards().map(({ reason, category, quantity }) => `${quantity} ${category} ${reason}`);
  const detail = [account, ...discards, ...run.ledgers.map((ledger) => `ledger: ${shorten(ledger)}`)].join('; ');

  const isUndecidedTransaction = isUndecidable(outcomes.transaction, expected.transaction, run);
  for (const category of /** @type {const} */ (['error', 'transaction'])) {
    const { sum, most } = outcomes[category];
    const isOff = end.loses?.includes(category) ? sum > expected[category] : sum !== expected[category];
    if (isOff && !(isUndecidedTransaction && category === 'transaction')) failures.L = detail;
    if (most > 2) failures[2] = `${most} times: ${detail}`;
  }
  const isUnasked = (/** @type {{ reason: string, category: string }} */ { reason, category }) =>
    category === 'error' && !ingest.discards?.includes(reason);
  if (inbox.discards().some(isUnasked)) failures.D = detail;
  if (inbox.violations.length > 0) failures.G = inbox.violations.join('; ');
  if (run.status !== bare.status || run.said.join() !== bare.said.join()) {
    failures.X = `${run.status} ${run.said}, without the SDK ${bare.status} ${bare.said}\n${run.stderr}`;
  }
  const maxMillis = bare.lifeMillis + SHUTDOWN_TIMEOUT_MILLIS + GRACE_MILLIS;
  if (run.lifeMillis > maxMillis)
    failures.T = `${Math.round(run.lifeMillis)} ms, without the SDK ${Math.round(bare.lifeMillis)} ms`;
  const isUndecided = isUndecidedTransaction || inbox.clientReports.length > differentReports(inbox).length;
  return { failures, account, isUndecided };
}

/**
 * Whether all transactions have arrived, while the process, which saw no answer, has reported them as lost, as its ledger
 * shows unless a signal ended it. Nobody can know better: at the end of the process, a destination that is slow looks like one
 * that never answers, and a transaction, which is not stored, cannot be sent again.
 *
 * @param {ReturnType<typeof countOutcomes>} transactions
 * @param {number} expected
 * @param {Run} run
 */
function isUndecidable({ delivered, refused, reported }, expected, { ledgers }) {
  const sawNoAnswer = (/** @type {string} */ ledger) => {
    const { captured = 0, discarded = 0 } = JSON.parse(ledger).transaction ?? {};
    return captured === discarded;
  };
  const isReported = reported > 0 && reported <= expected;
  return delivered + refused === expected && isReported && ledgers.every(sawNoAnswer);
}

/** @param {string} what @param {ReturnType<typeof countOutcomes>} outcomes */
function describe(what, { delivered, refused, reported }) {
  return `${what}: ${delivered} delivered, ${refused} refused, ${reported} reported`;
}

/** @param {string} ledger @returns {string} its counts that are not 0 */
function shorten(ledger) {
  const rows = /** @type {[string, Record<string, number>][]} */ (Object.entries(JSON.parse(ledger)));
  const describeRow = (/** @type {Record<string, number>} */ counts) =>
    Object.entries(counts).flatMap(([name, count]) => (count > 0 ? `${count} ${name}` : []));
  return rows.map(([category, counts]) => `${category} ${describeRow(counts).join(' ')}`).join(', ') || 'empty';
}
