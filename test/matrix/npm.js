import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} stdout; rejects with what npm wrote
 */
export async function npm(args, cwd) {
  const { stdout } = await execute('npm', args, { cwd, maxBuffer: 2 ** 26, shell: process.platform === 'win32' });
  return stdout;
}

/**
 * Makes a folder with a package of its own.
 *
 * @param {string} parent
 * @param {string} name
 * @param {object} manifest
 * @returns {string} path of the folder
 */
export function createPackage(parent, name, manifest = {}) {
  const folder = join(parent, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'app', type: 'module', ...manifest }));
  return folder;
}
