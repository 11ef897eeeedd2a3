// Runs npm scripts beside each other, for `npm test`: `node build/side-by-side.js typecheck lint docs`.

import { spawn } from 'node:child_process';

const statuses = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;

/**
 * Prints what a script writes when it has ended, so that it is not mixed with what others write.
 *
 * @param {string} script
 * @returns {Promise<number | null>} its status; `null` when a signal has ended it
 */
function run(script) {
  return new Promise((resolve, reject) => {
    const stdio = /** @type {const} */ (['ignore', 'pipe', 'pipe']);
    const child = spawn('npm', ['run', script], { stdio, shell: process.platform === 'win32' });
    /** @type {Buffer[]} */
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => {
      process.stdout.write(Buffer.concat(output));
      resolve(status);
    });
  });
}
