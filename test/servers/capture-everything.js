import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ITEMS = fileURLToPath(new URL('items.js', import.meta.url));

/**
 * Runs the application of `items.js` in a process of its own, where nothing else is captured.
 *
 * @returns what became of all it captured, by category
 */
export async function captureEverything(dsn) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [ITEMS, dsn]);
  if (stderr !== '') throw new Error(`items.js: ${stderr}`);
  return JSON.parse(stdout);
}
