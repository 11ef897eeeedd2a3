import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPackage, npm } from './npm.js';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const COMPILER_OPTIONS = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];

/** @typedef {import('./app.js').App} App */

/** What must hold of an application before anything runs: each says what is wrong, or nothing. */
const CHECKS = [hasOneApi, agreesInTypes, installsStrictly];

/**
 * @param {App} app
 * @param {string} tarball
 * @returns {Promise<import('./cell.js').Cell>}
 */
export async function checkInstallation(app, tarball) {
  const said = await Promise.all(CHECKS.map((check) => check(app, tarball)));
  const failures = said.filter((problem) => problem !== undefined);
  return { passed: said.length - failures.length, failures };
}

/** @param {App} app */
async function hasOneApi({ folder }) {
  return countApis(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
}

/** An application of this generation compiles, its types and ours included. @param {App} app */
async function agreesInTypes({ folder, generation }) {
  const file = join('test', 'matrix', 'suite', 'types', `sdk-${generation.major}.ts`);
  return promisify(execFile)(process.execPath, [TSC, ...COMPILER_OPTIONS, file], { cwd: folder }).then(
    () => undefined,
    ({ stdout }) => `types: ${stdout}`,
  );
}

/**
 * An application that has npm check peers strictly installs everything at once, and `npm ls` is content.
 *
 * @param {App} app
 * @param {string} tarball
 */
async function installsStrictly({ generation, folder }, tarball) {
  const dependencies = { ...generation.packages, faultline: `file:${tarball}` };
  const strict = createPackage(folder, 'strict', { dependencies, overrides: generation.overrides });
  try {
    await npm(['install', '--package-lock-only', '--strict-peer-deps'], strict);
    await npm(['ls', '--package-lock-only', '--all'], strict);
    return countApis(readFileSync(join(strict, 'package-lock.json'), 'utf8'));
  } catch (error) {
    return `strict installation: ${error}`;
  }
}

/** @param {string} lock @returns {string | undefined} where it is, when there is not one `@opentelemetry/api` */
function countApis(lock) {
  const apis = Object.keys(JSON.parse(lock).packages).filter((path) =>
    path.endsWith('node_modules/@opentelemetry/api'),
  );
  return apis.length === 1 ? undefined : `@opentelemetry/api is there ${apis.length} times: ${apis.join(', ')}`;
}
