// Runs the compatibility suite in fresh applications of each supported OpenTelemetry SDK, and loads the package in each
// way that it supports, under each supported Node, and prints the grid: `npm run test:matrix -- --sdk 3 --node 24`,
// `-- --loader webpack`. Packages and Node binaries come from the npm registry.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp, fetchNode, pack } from './app.js';
import { runSuite, SUITES } from './cell.js';
import { GENERATIONS, NODE_MAJORS } from './generations.js';
import { renderGrid } from './grid.js';
import { checkInstallation } from './installation.js';
import { LOADERS } from './loaders/list.js';
import { installLoader, runLoader } from './loaders/run-loader.js';

const { values } = parseArgs({
  options: {
    sdk: { type: 'string', multiple: true },
    node: { type: 'string', multiple: true },
    loader: { type: 'string', multiple: true },
  },
});
// Who chooses one of the two wants only that.
const generations = values.loader && !values.sdk ? [] : choose('sdk', GENERATIONS, ({ name }) => name);
const loaders = values.sdk && !values.loader ? [] : choose('loader', LOADERS, ({ name }) => name);
const majors = choose('node', NODE_MAJORS, (major) => major);

const folder = mkdtempSync(join(tmpdir(), 'faultline-matrix-'));
process.once('SIGINT', () => process.exit(130));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

say('packing');
const tarball = await pack(folder);
const nodes = [];
for (const major of majors) {
  say(`fetching Node ${major}`);
  nodes.push(await fetchNode(major, folder));
}
const rows = [];
const failures = [];
for (const generation of generations) {
  say(`installing an application of OpenTelemetry SDK ${generation.name}`);
  const app = await createApp(generation, tarball, folder);
  const installation = await checkInstallation(app, tarball);
  fail(`SDK ${app.sdkVersion}, as installed`, installation.failures);
  rows.push({ app, title: 'installation, types', cells: nodes.map((node) => absence(app, node) ?? installation) });
  for (const { file, title } of SUITES) {
    const cells = [];
    for (const node of nodes) cells.push(absence(app, node) ?? (await runCell(app, node, { file, title })));
    rows.push({ app, title, cells });
  }
}

const LOADED_BY = { sdkVersion: 'loaded by' };
for (const loader of loaders) {
  say(`installing an application for ${loader.name}`);
  const app = await installLoader(loader, tarball, folder);
  const cells = [];
  for (const { version, binary } of nodes) {
    const where = `${loader.name}, Node ${version}`;
    say(where);
    const cell = await runLoader(loader, app, binary);
    fail(where, cell.failures);
    cells.push(cell);
  }
  rows.push({ app: LOADED_BY, title: loader.name, cells });
}

for (const failure of failures) console.log(`\n✗ ${failure}`);
console.log(`\n${renderGrid(nodes, rows)}`);
if (failures.length > 0) process.exitCode = 1;

/**
 * @template T
 * @param {'sdk' | 'node' | 'loader'} option
 * @param {T[]} all
 * @param {(one: T) => string} nameOf
 * @returns {T[]} what was chosen, in the order of all; everything, when nothing was
 */
function choose(option, all, nameOf) {
  const known = all.map(nameOf);
  const chosen = values[option] ?? known;
  const unknown = chosen.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--${option} takes one of ${known.join(', ')}, not ${unknown}`);
  return all.filter((one) => chosen.includes(nameOf(one)));
}

/**
 * @param {import('./app.js').App} app
 * @param {{ version: string }} node
 * @returns {import('./cell.js').Cell | undefined} a cell that says why it cannot be
 */
function absence({ sdkVersion, minNode }, { version }) {
  if (version.localeCompare(minNode, 'en', { numeric: true }) >= 0) return undefined;
  return { passed: 0, failures: [], absent: `SDK ${sdkVersion} needs Node ${minNode} or newer` };
}

/**
 * @param {import('./app.js').App} app
 * @param {{ version: string, binary: string }} node
 * @param {{ file: string, title: string }} suite
 * @returns {Promise<import('./cell.js').Cell>}
 */
async function runCell(app, node, { file, title }) {
  const where = `SDK ${app.sdkVersion}, Node ${node.version}, ${title}`;
  say(where);
  const cell = await runSuite(app, node, file);
  fail(where, cell.failures);
  return cell;
}

/** @param {string} where @param {string[]} what */
function fail(where, what) {
  failures.push(...what.map((one) => `${where}: ${one}`));
}

/** @param {string} what */
function say(what) {
  process.stderr.write(`${what}\n`);
}
