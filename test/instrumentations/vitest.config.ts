import { configDefaults, defineConfig } from 'vitest/config';
import shared from '../tooling/vitest.config.js';

export default defineConfig({
  test: {
    ...shared.test,
    include: ['test/instrumentations/*.test.ts'],
    exclude: configDefaults.exclude,
    // Each starts applications that load every instrumentation there is.
    hookTimeout: 60_000,
    globalSetup: ['test/tooling/store-root.ts', 'test/instrumentations/prepare.ts'],
  },
});
