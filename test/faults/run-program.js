import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('program.js', import.meta.url));
const MAX_RUN_MILLIS = 30_000;
const WATCH_INTERVAL_MILLIS = 50;
const NANOS_PER_MILLI = 1e6;
/** These would change what the program does. */
const FOREIGN_VARIABLE = /^(FAULTLINE|OTEL)_|^(NODE_OPTIONS|VITEST)$|_proxy$/i;

/**
 * @typedef {object} Run
 * @property {string} status exit code or signal
 * @property {string[]} said
 * @property {string[]} ledgers one of each thread or process that could print it
 * @property {string} stderr
 * @property {number} lifeMillis from the end of its work to the end of the process, without the time for which the machine
 *   had no processor for it
 */

/**
 * @typedef {object} ProgramOptions
 * @property {Record<string, string>} [env]
 * @property {readonly string[]} [nodeOptions]
 * @property {NodeJS.Signals} [signal] sent when the program is ready
 * @property {(stop: () => void) => unknown} [onStart] `stop` closes its stdin
 */

/**
 * Runs the program of a cell.
 *
 * @param {string} how the name of an end, or `recover`
 * @param {ProgramOptions} [options]
 * @returns {Promise<Run>}
 */
export function runProgram(how, { env = {}, nodeOptions = [], signal, onStart } = {}) {
  const child = spawn(process.execPath, [...nodeOptions, PROGRAM, how], { env: environment(env) });
  onStart?.(() => child.stdin.end());
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_RUN_MILLIS);
  let stdout = '';
  let stderr = '';
  /** When the work was done and when the process ended, and for how long it had waited for a processor by then. */
  const finish = { atMillis: 0, waitedMillis: 0 };
  const end = { atMillis: 0, waitedMillis: 0 };
  const watching = setInterval(() => {
    end.waitedMillis = readWaitedMillis(child.pid) || end.waitedMillis;
  }, WATCH_INTERVAL_MILLIS);
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    if (finish.atMillis > 0) return;
    const finished = /^finish (\d+)$/m.exec(stdout)?.[1];
    const isReady = signal && stdout.includes('ready\n');
    if (!finished && !isReady) return;
    finish.atMillis = Number(finished ?? Date.now());
    finish.waitedMillis = readWaitedMillis(child.pid) || end.waitedMillis;
    if (signal) child.kill(signal);
  });
  child.on('exit', () => {
    end.atMillis = Date.now();
  });
  return new Promise((resolve) => {
    child.on('close', (code, endSignal) => {
      clearTimeout(timer);
      clearInterval(watching);
      const read = (/** @type {string} */ word) => {
        const lines = stdout.split('\n').filter((line) => line.startsWith(`${word} `));
        return lines.map((line) => line.slice(word.length + 1));
      };
      const waitedMillis = Math.max(0, end.waitedMillis - finish.waitedMillis);
      const lifeMillis = finish.atMillis > 0 ? end.atMillis - finish.atMillis - waitedMillis : 0;
      resolve({ status: String(endSignal ?? code), said: read('say'), ledgers: read('ledger'), stderr, lifeMillis });
    });
  });
}

/**
 * @param {number | undefined} pid
 * @returns {number} for how long the main thread of a process, and that of this one, were ready to run and could not. 0
 *   where the system does not say
 */
function readWaitedMillis(pid) {
  const read = (/** @type {number | string} */ id) => {
    try {
      return Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[1]) / NANOS_PER_MILLI;
    } catch {
      return 0;
    }
  };
  const waitedMillis = read(pid ?? 0);
  return waitedMillis && waitedMillis + read('self');
}

/** @param {Record<string, string>} own @returns {NodeJS.ProcessEnv} these variables, and those of this process that change nothing */
export function environment(own) {
  const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN_VARIABLE.test(name));
  return { ...Object.fromEntries(inherited), ...own };
}
