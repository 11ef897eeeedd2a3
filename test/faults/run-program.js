import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('program.js', import.meta.url));
const MAX_RUN_MILLIS = 12_000;
/** These would change what the program does. */
const FOREIGN_VARIABLE = /^(FAULTLINE|OTEL)_|^(NODE_OPTIONS|VITEST)$|_proxy$/i;

/**
 * @typedef {object} Run
 * @property {string} status exit code or signal
 * @property {string[]} said
 * @property {string[]} ledgers one of each thread or process that could print it
 * @property {string} stderr
 * @property {number} lifeMillis from the end of its work to the end of the process
 */

/**
 * @typedef {object} ProgramOptions
 * @property {Record<string, string>} [env]
 * @property {readonly string[]} [nodeOptions]
 * @property {NodeJS.Signals} [signal] sent when the program is ready
 * @property {(stop: () => void) => void} [onStart] `stop` closes its stdin
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
  let finishMillis = 0;
  let endMillis = 0;
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    if (finishMillis > 0 || !signal || !stdout.includes('ready\n')) return;
    finishMillis = Date.now();
    child.kill(signal);
  });
  child.on('exit', () => {
    endMillis = Date.now();
  });
  return new Promise((resolve) => {
    child.on('close', (code, endSignal) => {
      clearTimeout(timer);
      const read = (/** @type {string} */ word) => {
        const lines = stdout.split('\n').filter((line) => line.startsWith(`${word} `));
        return lines.map((line) => line.slice(word.length + 1));
      };
      const lifeMillis = endMillis - (finishMillis || Number(read('finish')[0] ?? endMillis));
      resolve({ status: String(endSignal ?? code), said: read('say'), ledgers: read('ledger'), stderr, lifeMillis });
    });
  });
}

/** @param {Record<string, string>} own @returns {NodeJS.ProcessEnv} these variables, and those of this process that change nothing */
export function environment(own) {
  const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN_VARIABLE.test(name));
  return { ...Object.fromEntries(inherited), ...own };
}
