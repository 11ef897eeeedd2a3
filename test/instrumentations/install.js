// Installs what the applications depend on, unless that has been done since it last changed.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** @param {string} path */
const changedAt = (path) => statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) {
  const cwd = new URL('.', import.meta.url);
  execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd, shell: process.platform === 'win32' });
}
