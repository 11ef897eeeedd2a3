import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const WORKER = new URL('worker.js', import.meta.url);
const EXIT_CODE = 3;

/**
 * How a process ends. `run` is executed in it; everything else is for the one who watches.
 *
 * @typedef {object} EndRow
 * @property {string} name
 * @property {(program: Program) => unknown} run
 * @property {number} [crashes] errors that the SDK captures beside those of `capture`; none when absent
 * @property {NodeJS.Signals} [signal] sent to the process once it says that it is ready
 * @property {readonly string[]} [nodeOptions]
 * @property {readonly ('error' | 'transaction')[]} [loses] of which only what was delivered or stored before is promised
 */

/**
 * @typedef {object} Program
 * @property {() => void} capture captures three errors and a transaction; nothing when the SDK is off
 * @property {() => void} finish says that the work is done: from now on the process only ends
 * @property {() => void} waitForSignal says that the process is ready to be ended, and stays alive
 * @property {(line: string) => void} say prints what must be the same without the SDK
 */

/** @type {readonly EndRow[]} */
export const ENDS = [
  { name: 'loop runs empty', run: ({ capture, finish }) => runInOrder(capture, finish) },
  { name: 'exit in the same tick', run: ({ capture, finish }) => runInOrder(capture, finish, exit) },
  {
    name: 'exit later',
    async run({ capture, finish }) {
      capture();
      await sleep(300);
      runInOrder(finish, exit);
    },
  },
  { name: 'uncaught exception', crashes: 1, run: ({ capture, finish }) => runInOrder(capture, finish, crash) },
  ...['throw', 'strict', 'warn', 'warn-with-error-code', 'none'].map((mode) => ({
    name: `rejection, ${mode}`,
    nodeOptions: [`--unhandled-rejections=${mode}`],
    crashes: 1,
    run: (/** @type {Program} */ { capture, finish }) => runInOrder(capture, finish, rejectUnhandled),
  })),
  .../** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']).map((signal) => ({ name: signal, signal, run: wait })),
  {
    name: 'SIGTERM, own listener',
    signal: 'SIGTERM',
    run(program) {
      process.on('SIGTERM', () => {
        program.say(`listener, one of ${process.listenerCount('SIGTERM')}`);
        setTimeout(exit, 50);
      });
      wait(program);
    },
  },
  {
    name: 'worker.terminate()',
    loses: ['transaction'],
    async run({ finish, say }) {
      const worker = new Worker(WORKER, { workerData: 'waits' });
      await new Promise((resolve) => worker.once('message', resolve));
      finish();
      say(`terminated: ${await worker.terminate()}`);
    },
  },
  { name: 'end of a worker', run: ({ say }) => observeWorker('ends', say) },
  { name: 'exit in a worker', run: ({ say }) => observeWorker('exits', say) },
  {
    name: 'cluster worker, SIGTERM',
    run(program) {
      if (cluster.isWorker) {
        wait({ ...program, waitForSignal: () => process.send?.('ready') });
        return;
      }
      const worker = cluster.fork();
      worker.once('message', () => {
        program.finish();
        worker.process.kill('SIGTERM');
      });
      worker.once('exit', (code, signal) => program.say(`worker: ${code} ${signal}`));
    },
  },
  {
    name: 'abort',
    loses: ['error', 'transaction'],
    async run({ capture, finish }) {
      capture();
      await sleep(300);
      runInOrder(finish, process.abort);
    },
  },
  { name: 'SIGKILL', signal: 'SIGKILL', loses: ['error', 'transaction'], run: wait },
];

/** @param {(() => void)[]} steps */
function runInOrder(...steps) {
  for (const step of steps) step();
}

/** @param {Program} program */
function wait({ capture, waitForSignal }) {
  capture();
  waitForSignal();
}

/** @param {string} how @param {Program['say']} say */
function observeWorker(how, say) {
  const worker = new Worker(WORKER, { workerData: how });
  worker.once('exit', (code) => say(`worker: ${code}`));
}

function exit() {
  process.exit(EXIT_CODE);
}

function crash() {
  setImmediate(() => {
    throw new Error('crash');
  });
}

function rejectUnhandled() {
  void Promise.reject(new Error('crash'));
}
