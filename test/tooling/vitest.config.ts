import { configDefaults, defineConfig } from 'vitest/config';
import { base } from './base.js';

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
  'test/errors/stack.test.ts', // loads copies of modules
  'test/fuzz/*.test.ts', // listens to what escapes into the process
  'test/integrations/console/capture-console.test.ts', // mocks a module
  'test/sentry/**/*.test.ts', // patches modules, and says once in a process what is missing
];
// These have dependencies and a configuration of their own.
const EXCLUDE = [...configDefaults.exclude, 'test/instrumentations/**'];

export default defineConfig({
  test: {
    ...base,
    projects: [
      {
        extends: true,
        test: { name: 'own process', include: NEED_OWN_PROCESS, exclude: EXCLUDE },
      },
      {
        // Loading the SDK anew takes longer than most files run.
        extends: true,
        test: {
          name: 'shared process',
          include: ['test/**/*.test.ts'],
          exclude: [...EXCLUDE, ...NEED_OWN_PROCESS],
          isolate: false,
          setupFiles: ['test/tooling/leaves-no-trace.ts'],
        },
      },
    ],
  },
});
