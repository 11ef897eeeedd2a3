// Prints what the systems cost in a table: `node run.js [scenario ...] [--rounds 5] [--save] [--profile scenario]`. See
// README.md.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { writeDocs } from './docs.js';
import { readLastResults, saveResults, summarize } from './results.js';
import { loadScenario, SCENARIOS } from './scenarios.js';
import { formatTable } from './table.js';

/** The systems read these and would then not be measured with their defaults. */
const SYSTEM_VARIABLE = /^(FAULTLINE|SENTRY|OTEL)_|^NODE_OPTIONS$/;
const HERE = fileURLToPath(new URL('.', import.meta.url));
const PROFILES = `${HERE}profiles/`;
/** Nothing is collected while allocations are counted. */
const LARGE_YOUNG_GENERATION = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];
/** The name of the second table, of the default integrations. */
const INTEGRATIONS = 'integrations';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    save: { type: 'boolean', default: false },
    profile: { type: 'string' },
    system: { type: 'string', default: 'faultline' },
  },
});
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SYSTEM_VARIABLE.test(name)));

if (values.profile === undefined) await compare();
else await profile(await loadNamed(values.profile), values.system);

async function compare() {
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a positive whole number');
  if (values.save && positionals.length > 0) throw new Error('--save takes a run of all scenarios');
  const names = positionals.length > 0 ? positionals : [...SCENARIOS, INTEGRATIONS];
  const scenarios = await Promise.all(names.filter((name) => name !== INTEGRATIONS).map(loadNamed));
  const measurements = scenarios.map(({ systems }) => Object.fromEntries(systems.map((system) => [system, []])));
  const begin = performance.now();
  for (let round = 0; round < rounds; round++) {
    for (const [i, scenario] of scenarios.entries()) {
      // Another one goes first each round, so that a machine growing slower or faster favours nobody.
      for (const system of rotate(scenario.systems, round)) {
        measurements[i][system].push(await measure(scenario, system));
      }
    }
    const seconds = Math.round((performance.now() - begin) / 1000);
    process.stderr.write(`round ${round + 1} of ${rounds} done after ${seconds} s\n`);
  }
  const results = summarize(scenarios, measurements, await loadTitles(scenarios), rounds);
  if (names.includes(INTEGRATIONS))
    results.integrations = JSON.parse(await runScript([...LARGE_YOUNG_GENERATION, 'integrations.js']));
  console.log(formatTable(results, readLastResults()));
  if (!values.save) return;
  console.log(`\nsaved in ${saveResults(results)}`);
  writeDocs(results);
}

/** Writes where the time of a process goes that measures one system in one scenario. */
async function profile({ name, script }, system) {
  const file = `${name}-${system}.cpuprofile`;
  const options = ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`, `--cpu-prof-name=${file}`];
  await run({ name, script }, system, options);
  console.log(`${PROFILES}${file}`);
  console.log('Open it as a flame graph: in an editor like VS Code, in Chrome (DevTools, Performance, Load profile),');
  console.log('or with https://www.speedscope.app, which keeps the file on this machine.');
}

async function measure(scenario, system) {
  const measured = JSON.parse(await run(scenario, system));
  if (!Number.isFinite(measured.figure)) throw new Error(`${scenario.name} of ${system} has no figure`);
  return measured;
}

/** Fails when the process does, with what it wrote to stderr: a missing delivery is no measurement. */
async function run({ name, script }, system, options = []) {
  return runScript([...options, '--expose-gc', script, system, name]);
}

async function runScript(args) {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: HERE, env, maxBuffer: 2 ** 26 });
  return stdout;
}

function loadNamed(name) {
  if (!SCENARIOS.includes(name))
    throw new Error(`no scenario ${name}; there are ${[...SCENARIOS, INTEGRATIONS].join(', ')}`);
  return loadScenario(name);
}

async function loadTitles(scenarios) {
  const systems = [...new Set(scenarios.flatMap((scenario) => scenario.systems))];
  const titles = systems.map(async (system) => [system, (await import(`./systems/${system}.js`)).title]);
  return Object.fromEntries(await Promise.all(titles));
}

function rotate(list, steps) {
  const start = steps % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
