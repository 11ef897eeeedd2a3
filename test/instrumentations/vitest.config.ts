import { configDefaults, defineConfig } from 'vitest/config';
import { base } from '../tooling/base.js';

export default defineConfig({
  test: {
    ...base,
    include: ['test/instrumentations/*.test.ts'],
    exclude: configDefaults.exclude,
    globalSetup: ['test/tooling/store-root.ts', 'test/instrumentations/prepare.ts'],
  },
});
