/**
 * Makes the SDK send items of all kinds: to a receiver, whose events are checked with the schema of Bugsink's strict mode
 * and with Relay's normalizer, and to a running Bugsink. Fails unless all is accepted without a remark. Needs Python 3 and,
 * the first time, the Python package index.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkBugsink } from './bugsink.js';
import { checkFormat } from './format.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const venv = process.env.SERVERS_VENV ?? join(here, '.venv');

if (!existsSync(venv)) {
  execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
  execFileSync(join(venv, 'bin/pip'), ['install', '-q', '-r', join(here, 'requirements.txt')], { stdio: 'inherit' });
}
for (const check of [checkFormat, checkBugsink]) {
  const { problems, summary } = await check(join(venv, 'bin'));
  for (const problem of problems) console.error(problem);
  console.log(summary);
  if (problems.length > 0) process.exitCode = 1;
}
