import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // These have dependencies and a configuration of their own.
    exclude: [...configDefaults.exclude, 'test/instrumentations/**'],
    // Files run in processes of their own: each sets up OpenTelemetry's process-wide globals.
    pool: 'forks',
    // Half of the time they wait for processes and timers.
    maxWorkers: 2,
    globalSetup: 'test/tooling/store-root.ts',
    setupFiles: 'test/tooling/store-of-file.ts',
    // Many start processes, which takes long on a busy machine. No test expects anything to be fast.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
