// Prints CPU time per operation and ratios: `node run.js [--rounds 5] [--scenario sampled-trace]`. See README.md.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const ALL_SCENARIOS = [
  'sampled-trace',
  'unsampled-trace',
  'tracing-off',
  'capture-exception',
  'capture-message',
  'error-storm',
  'error-storm-equal',
  'large-event',
  'http-server',
  'http-server-tenth',
  'start-up',
];
/** Columns of ratios: what the others are compared with. */
const COMPARED_WITH = ['otel-only', 'otel', 'otel-http', 'sentry'];
/** The systems read these and would then not be measured with their defaults. */
const SYSTEM_VARIABLE = /^(FAULTLINE|SENTRY|OTEL)_|^NODE_OPTIONS$/;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, scenario: { type: 'string', multiple: true } },
});
const rounds = Number(values.rounds);
const scenarioNames = values.scenario ?? ALL_SCENARIOS;
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a positive whole number');
for (const name of scenarioNames) {
  if (!ALL_SCENARIOS.includes(name)) throw new Error(`--scenario takes one of ${ALL_SCENARIOS.join(', ')}`);
}

const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SYSTEM_VARIABLE.test(name)));
const scenarios = await Promise.all(scenarioNames.map(async (name) => ({ name, ...(await load('scenarios', name)) })));
const results = scenarios.map(({ systems }) => Object.fromEntries(systems.map((system) => [system, []])));
for (let round = 0; round < rounds; round++) {
  for (const [i, { name, systems, script = 'measure.js' }] of scenarios.entries()) {
    // Another one goes first each round, so that a machine growing slower or faster favours nobody.
    for (const system of rotate(systems, round)) results[i][system].push(await measure(script, system, name));
  }
  process.stderr.write(`round ${round + 1} of ${rounds} done\n`);
}
for (const [i, scenario] of scenarios.entries()) await printTable(scenario, results[i]);

function load(folder, name) {
  return import(`./${folder}/${name}.js`);
}

async function measure(script, system, scenarioName) {
  // Fails when the process does, with what it wrote to stderr: a missing delivery is no measurement.
  const args = ['--expose-gc', fileURLToPath(new URL(script, import.meta.url)), system, scenarioName];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}

/** @param measurements per system, in the order of the rounds */
async function printTable({ name, systems }, measurements) {
  const references = COMPARED_WITH.filter((reference) => systems.includes(reference));
  const rows = [['system', 'min', 'median', ...references.map((name) => `× ${name}`), 'bytes']];
  for (const system of systems) {
    const { title } = await load('systems', system);
    const micros = measurements[system].map(({ cpuMicros }) => cpuMicros);
    rows.push([
      title,
      Math.min(...micros).toFixed(1),
      median(micros).toFixed(1),
      ...references.map((reference) =>
        formatRatios(micros.map((own, i) => own / measurements[reference][i].cpuMicros)),
      ),
      Math.round(median(measurements[system].map(({ bytes }) => bytes))).toString(),
    ]);
  }
  console.log(`\n${name}: CPU µs per operation in ${rounds} rounds, and ratios within a round: median (min–max)`);
  console.log(formatRows(rows));
}

function formatRatios(ratios) {
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  return `${median(ratios).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

function formatRows(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]));
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}

function rotate(list, steps) {
  const start = steps % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
