import { availableParallelism } from 'node:os';
import type { InlineConfig } from 'vitest/node';

/** What all configurations have in common. */
export const base: InlineConfig = {
  root: new URL('../..', import.meta.url).pathname,
  pool: 'forks',
  // While one waits for processes and timers, another one works.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  globalSetup: 'test/tooling/store-root.ts',
  setupFiles: 'test/tooling/store-of-file.ts',
  // Many start processes, which takes long on a busy machine. No test expects anything to be fast.
  testTimeout: 60_000,
  hookTimeout: 60_000,
};
