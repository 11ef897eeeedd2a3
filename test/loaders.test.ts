import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOADERS } from './matrix/loaders/list.js';
import { createLoaderApp, runLoader } from './matrix/loaders/run-loader.js';

/** What needs no packages beside those of this project, without what other tests try (bundlers, newer compilers); `npm run test:matrix` tries all. */
const AVAILABLE = LOADERS.filter(({ name }) => /^(Node|Vitest|moduleResolution node10, commonjs)$/.test(name));

let folder: string;
beforeAll(() => {
  // Inside the package, so that commands find the packages of this project.
  folder = resolve(mkdtempSync(join('test', 'tooling', 'tmp-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('imported and required, the package is one instance with', () => {
  it.each(AVAILABLE)('$name', { timeout: 120_000 }, async (loader) => {
    const app = createLoaderApp(folder, loader.name.replace(/\W+/g, '-'), loader.manifest);
    mkdirSync(join(app, 'node_modules'));
    symlinkSync(resolve('.'), join(app, 'node_modules/faultline'));
    const { failures } = await runLoader(loader, { folder: app, bin: resolve('node_modules/.bin') }, process.execPath);
    expect(failures).toEqual([]);
  });

  it('and the matrix tries every loader that docs/setup.md names', () => {
    expect(LOADERS.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Jest 29', 'Jest 30', 'ts-jest', 'Vitest', 'tsx', 'ts-node', 'Rollup', 'webpack']),
    );
    expect(LOADERS.map(({ name }) => name)).toEqual(expect.arrayContaining(['single executable', "Yarn Plug'n'Play"]));
  });
});
