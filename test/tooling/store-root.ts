import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the tests store on disk is in one folder for the run, which is deleted with all that is in it. */
export async function setup() {
  const root = await mkdtemp(join(tmpdir(), 'faultline-test-store-'));
  // Processes of test files inherit it.
  process.env['FAULTLINE_STORE_DIR'] = root;
  return () => rm(root, { recursive: true, force: true });
}
