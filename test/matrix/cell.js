import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPORTER = fileURLToPath(new URL('reporter.js', import.meta.url));
const MAX_FILE_MILLIS = 300_000;
/** These would change what the suite does. */
const FOREIGN_VARIABLE = /^(FAULTLINE|OTEL)_|^NODE_OPTIONS$/;

/** The rows of a generation in the grid. */
export const SUITES = [
  { file: 'way-1.test.mjs', title: 'way 1: init alone' },
  { file: 'way-2.test.mjs', title: 'way 2: beside a setup' },
  { file: 'way-3.test.mjs', title: 'way 3: as an exporter' },
  { file: 'package.test.mjs', title: 'package: loading, ending' },
];

const LOADS = ['import', 'require'];

/**
 * @typedef {object} Cell
 * @property {number} passed facts that hold
 * @property {string[]} failures
 * @property {string} [absent] why it cannot be
 */

/**
 * Runs one file of the suite in an application, under a Node: once with packages imported, once with them required.
 *
 * @param {import('./app.js').App} app
 * @param {{ binary: string }} node
 * @param {string} file
 * @returns {Promise<Cell>}
 */
export async function runSuite(app, node, file) {
  const runs = [];
  for (const load of LOADS) runs.push(await runFile(app, node, file, load));
  return { passed: runs.reduce((sum, { passed }) => sum + passed, 0), failures: runs.flatMap((run) => run.failures) };
}

/**
 * @param {import('./app.js').App} app
 * @param {{ binary: string }} node
 * @param {string} file
 * @param {string} load
 * @returns {Promise<Cell>}
 */
async function runFile({ folder, generation }, { binary }, file, load) {
  const results = join(folder, 'results.jsonl');
  rmSync(results, { force: true });
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN_VARIABLE.test(name)));
  Object.assign(env, { LOAD: load, SDK_MAJOR: String(generation.major) });
  const args = [`--test-reporter=${REPORTER}`, `--test-reporter-destination=${results}`];
  const ended = await new Promise((resolve) => {
    const options = { cwd: folder, env, timeout: MAX_FILE_MILLIS, maxBuffer: 2 ** 26 };
    execFile(binary, [...args, join('test', 'matrix', 'suite', file)], options, (error, stdout, stderr) =>
      resolve(error ? { error, output: `${stdout}${stderr}` } : {}),
    );
  });
  const lines = existsSync(results) ? readFileSync(results, 'utf8').split('\n').filter(Boolean) : [];
  const tests = lines.map((line) => JSON.parse(line));
  const failed = tests.filter(({ error }) => error !== undefined);
  const failures = failed.map(({ name, error }) => `${load}: ${name}\n${error}`);
  if (tests.length === 0 || (ended.error && failed.length === 0)) {
    failures.push(`${load}: ended with ${ended.error?.signal ?? ended.error?.code ?? 0}\n${ended.output ?? ''}`);
  }
  return { passed: tests.length - failed.length, failures };
}
