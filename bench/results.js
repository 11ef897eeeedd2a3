// Results of whole runs, one file for each version of the package: what `run.js --save` writes, and what later runs are
// compared with.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, totalmem, type } from 'node:os';
import { ownSystems, PEER } from './scenarios.js';

const FOLDER = new URL('results/', import.meta.url);
const BYTES_PER_GIB = 2 ** 30;

/**
 * @typedef {object} Results
 * @property {string} date of the run, such as `2026-01-31`
 * @property {Record<string, string>} versions of the package, Node and what it is compared with
 * @property {string} machine
 * @property {number} rounds
 * @property {Record<string, ScenarioResult>} scenarios
 * @property {{ all: IntegrationCost, costs: Record<string, IntegrationCost> }} [integrations] what an operation allocates
 *   with all default integrations, and how much of it each causes
 *
 * @typedef {{ exception: number, request: number }} IntegrationCost in kilobytes
 *
 * @typedef {object} ScenarioResult
 * @property {string} title
 * @property {string} unit
 * @property {{ of: string, max: number }} goal
 * @property {Record<string, SystemResult>} systems
 *
 * @typedef {object} SystemResult
 * @property {string} title
 * @property {number} median of the rounds
 * @property {number} bytes delivered for each operation
 * @property {number} [deliveredShare] of the spans, where a system may drop some
 * @property {Ratio} [otel] own systems only: how often the figure of bare OpenTelemetry of the same round it is
 * @property {Ratio} [peer] the same for the peer
 *
 * @typedef {[median: number, min: number, max: number]} Ratio
 */

/**
 * @param scenarios as `loadScenario` returns them
 * @param measurements of each scenario: per system, in the order of the rounds
 * @param titles of systems
 * @returns {Results}
 */
export function summarize(scenarios, measurements, titles, rounds) {
  const entries = scenarios.map((scenario, i) => [scenario.name, summarizeScenario(scenario, measurements[i], titles)]);
  const date = new Date().toISOString().slice(0, 10);
  return { date, versions: readVersions(), machine: describeMachine(), rounds, scenarios: Object.fromEntries(entries) };
}

function summarizeScenario(scenario, measurements, titles) {
  const { title, unit, goal, systems, baseline } = scenario;
  const figures = Object.fromEntries(systems.map((system) => [system, measurements[system].map((one) => one.figure)]));
  const ratios = (system, other) => figures[system].map((figure, round) => figure / figures[other][round]);
  const own = ownSystems(scenario);
  const results = systems.map((system) => {
    const result = {
      title: titles[system],
      median: median(figures[system]),
      bytes: Math.round(median(measurements[system].map(({ bytes }) => bytes))),
    };
    const shares = measurements[system].flatMap(({ deliveredShare }) => deliveredShare ?? []);
    if (shares.length > 0) result.deliveredShare = median(shares);
    if (own.includes(system) && baseline) result.otel = summarizeRatios(ratios(system, baseline));
    if (own.includes(system) && systems.includes(PEER)) result.peer = summarizeRatios(ratios(system, PEER));
    return [system, result];
  });
  return { title, unit, goal, ...(baseline && { baseline }), systems: Object.fromEntries(results) };
}

/** The results that were committed last, or `undefined`. @returns {Results | undefined} */
export function readLastResults() {
  if (!existsSync(FOLDER)) return undefined;
  const all = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  const results = all.map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')));
  return results.sort((a, b) => a.date.localeCompare(b.date)).at(-1);
}

/** @returns the path of the file */
export function saveResults(results) {
  const path = new URL(`${results.versions.faultline}.json`, FOLDER);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
  return path.pathname;
}

function readVersions() {
  const versionOf = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version;
  const otel = versionOf('node_modules/@opentelemetry/sdk-trace-base/package.json');
  const instrumentation = versionOf('node_modules/@opentelemetry/instrumentation-http/package.json');
  return {
    faultline: versionOf('../package.json'),
    node: process.versions.node,
    '@opentelemetry/sdk-trace-base': otel,
    '@opentelemetry/instrumentation-http': instrumentation,
    '@sentry/node': createRequire(import.meta.url)('@sentry/node').SDK_VERSION,
  };
}

function describeMachine() {
  const { length, 0: cpu } = cpus();
  return `${cpu.model.trim()}, ${length} cores, ${Math.round(totalmem() / BYTES_PER_GIB)} GiB, ${type()}`;
}

function summarizeRatios(ratios) {
  return [median(ratios), Math.min(...ratios), Math.max(...ratios)];
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
