import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPackage, npm } from './npm.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What the suite is made of, in the places where it looks for itself. */
const COPIED = ['test/matrix/suite'];

/** @typedef {import('./generations.js').Generation} Generation */

/**
 * Builds and packs the package.
 *
 * @param {string} folder where to
 * @returns {Promise<string>} path of the tarball
 */
export async function pack(folder) {
  await npm(['run', 'build'], ROOT);
  const said = await npm(['pack', '--json', '--pack-destination', folder], ROOT);
  return join(folder, JSON.parse(said)[0].filename);
}

/**
 * Fetches the newest Node of a major version from the registry, unless it is the one that runs.
 *
 * @param {string} major
 * @param {string} parent where to
 * @returns {Promise<{ version: string, binary: string }>}
 */
export async function fetchNode(major, parent) {
  const { node } = process.versions;
  if (node.startsWith(`${major}.`)) return { version: node, binary: process.execPath };
  const folder = createPackage(parent, `node-${major}`);
  await npm(['install', `node@${major}`], folder);
  const binary = join(folder, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const { stdout } = await promisify(execFile)(binary, ['--version']);
  return { version: stdout.trim().slice(1), binary };
}

/**
 * @typedef {object} App
 * @property {Generation} generation
 * @property {string} folder
 * @property {string} sdkVersion
 * @property {string} minNode the oldest Node that its packages of OpenTelemetry allow
 */

/**
 * Makes an application of a generation: its packages first, as they are there before Faultline is, then the tarball.
 *
 * @param {Generation} generation
 * @param {string} tarball
 * @param {string} parent where to
 * @returns {Promise<App>}
 */
export async function createApp(generation, tarball, parent) {
  const dependencies = { ...generation.packages, '@types/node': '20' };
  const folder = createPackage(parent, `sdk-${generation.name}`, { dependencies });
  await npm(['install'], folder);
  await npm(['install', tarball], folder);
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  const { version, engines } = JSON.parse(
    readFileSync(join(folder, 'node_modules', generation.sdk, 'package.json'), 'utf8'),
  );
  return { generation, folder, sdkVersion: version, minNode: oldestIn(engines.node) };
}

/** The version from which on everything is allowed. @param {string} range */
function oldestIn(range) {
  const version = />=\s*(\d+\.\d+\.\d+)$/.exec(range)?.[1];
  if (version === undefined) throw new Error(`engines of the SDK: ${range} does not end in >=`);
  return version;
}
