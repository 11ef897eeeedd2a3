import { afterAll, expect, vi } from 'vitest';
import { getClient } from '../../src/index.js';
import { resetSdk } from '../support/story.js';
import { differences, readProcessState } from './process-state.js';

// The files of a process follow each other in any order. Each begins as if it were the first, and fails if it leaves
// something behind that another one could notice.
const before = readProcessState();
const REMEDY =
  'what the file has changed in its process: undo it; if a library cannot, list the file in NEED_OWN_PROCESS (test/tooling/vitest.config.ts)';

afterAll(async () => {
  await getClient()?.close(0);
  resetSdk();
  const after = readProcessState();
  vi.useRealTimers();
  expect(differences(before, after), REMEDY).toEqual([]);
});
