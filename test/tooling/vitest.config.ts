import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongFilesFirst } from './long-files-first.js';

/** Instrumentations of OpenTelemetry, which patch modules when these are loaded for the first time. */
const INSTRUMENTED = [
  'test/behaviour/{http-edges,own-envelopes,personal-data,recorded-exceptions,traces}.test.ts',
  'test/integrations/http/{other-instrumentation,outgoing-trace}.test.ts',
  'test/tracing/http-instrumentation.test.ts',
  'test/tracing/spans/custom-name.test.ts',
];
/** What these do to their process would reach the files after them. */
const NEED_OWN_PROCESS = [
  ...INSTRUMENTED,
  'test/behaviour/beside-otel-setups.test.ts', // registers setups of others, which cannot be taken back
  'test/behaviour/replaced-builtins.test.ts',
  'test/cli/page.test.ts', // loads playwright, which replaces functions of node:fs
  'test/errors/stack.test.ts', // loads copies of modules
  'test/integrations/console/capture-console.test.ts', // mocks a module
  'test/sentry/**/*.test.ts', // patches modules, and says once in a process what is missing
];
const FUZZ = 'test/fuzz/*.test.ts';
const INSTRUMENTATIONS = 'test/instrumentations/*.test.ts';
const EXCLUDE = [...configDefaults.exclude, INSTRUMENTATIONS];

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    pool: 'forks',
    // Node reads the certificates of the machine at each start, which takes longer than the rest of it. No test needs them.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // While one waits for processes and timers, another one works.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    globalSetup: 'test/tooling/store-root.ts',
    setupFiles: 'test/tooling/store-of-file.ts',
    // Many start processes, which takes long on a busy machine. No test expects anything to be fast.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongFilesFirst },
    // One after the other, in the order of their names.
    projects: [
      {
        extends: true,
        test: {
          name: 'instrumentations',
          include: [INSTRUMENTATIONS],
          globalSetup: 'test/instrumentations/prepare.ts',
        },
      },
      {
        extends: true,
        test: { name: 'own process', include: NEED_OWN_PROCESS, exclude: EXCLUDE },
      },
      {
        // Listens to what escapes into the process.
        extends: true,
        test: {
          name: 'fuzz',
          include: [FUZZ],
          globalSetup: 'test/tooling/report-calls.ts',
          setupFiles: 'test/tooling/count-calls.ts',
        },
      },
      {
        // Loading the SDK anew takes longer than most files run.
        extends: true,
        test: {
          name: 'shared process',
          include: ['test/**/*.test.ts'],
          exclude: [...EXCLUDE, ...NEED_OWN_PROCESS, FUZZ],
          isolate: false,
          setupFiles: ['test/tooling/leaves-no-trace.ts'],
        },
      },
    ],
  },
});
