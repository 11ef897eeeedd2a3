import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEntries, ENTRIES } from '../build/entries.js';
import { linksOf } from './docs/pages.js';
import { GENERATIONS, NODE_MAJORS } from './matrix/generations.js';
import { type Receiver, startReceiver } from './support/receiver.js';

/** They would be a tenth of the package. The pages say that they are in the repository. */
const ONLY_IN_REPOSITORY = ['docs/page.png', 'docs/performance.md'];

let receiver: Receiver;
let folder: string;

beforeAll(async () => {
  receiver = await startReceiver();
  // Inside the package, so that it finds the package by its own name.
  folder = mkdtempSync(join('test', 'tooling', 'tmp-'));
});

afterAll(async () => {
  await receiver.close();
  rmSync(folder, { recursive: true });
});

/** Runs a file of its own in a process of its own; fails when that fails or writes to stderr. */
async function run(name: string, source: string, nodeOptions: string[] = []): Promise<void> {
  const file = join(folder, name);
  writeFileSync(file, source);
  const env = { ...process.env, FAULTLINE_DSN: receiver.dsn, FAULTLINE_RELEASE: 'app@1' };
  const { stderr } = await promisify(execFile)(process.execPath, [...nodeOptions, file], { env });
  // Node 20 announces that requiring an ES module is experimental.
  expect(stderr.replace(/^.*(ExperimentalWarning|--trace-warnings).*\n/gm, '')).toBe('');
}

describe('the built package', () => {
  it('keeps the state that every call reads in an object that V8 reads fast', async () => {
    const source = `const assert = require('node:assert');
      require('faultline').init({ tracesSampleRate: 1 });
      const slots = Object.getOwnPropertySymbols(globalThis).filter((slot) => /^faultline\\.v/.test(slot.description));
      assert.ok(slots.length > 0);
      for (const slot of slots) assert.ok(%HasFastProperties(globalThis[slot]), slot.description);`;
    await run('fast.cjs', source, ['--allow-natives-syntax']);
  });

  it('is imported by ES modules', async () => {
    await run('app.mjs', "import { captureMessage, init } from 'faultline'; init(); captureMessage('imported');");
  });

  it('is imported by the path of `dist/index.js`, too, and is the same instance', async () => {
    await run(
      'by-path.mjs',
      `import assert from 'node:assert/strict';
      import * as byName from 'faultline';
      import * as byPath from '../../../dist/index.js';
      assert.deepEqual({ ...byPath }, { ...byName });`,
    );
  });

  it('is required by CommonJS, and is the same instance there', async () => {
    await run(
      'app.cjs',
      `const required = require('faultline');
      import('faultline').then((imported) => {
        if (imported.init !== required.init) throw new Error('two instances');
        required.init();
        imported.captureMessage('required');
      });`,
    );
  });

  it('starts before the application, with options from the environment', async () => {
    await run('plain.mjs', "import { captureMessage } from 'faultline'; captureMessage('registered');", [
      '--import',
      'faultline/register',
    ]);
  });

  it('hooks into no loader of modules, neither when it is imported nor by init', async () => {
    await run(
      'hooks.mjs',
      `import Module, { syncBuiltinESMExports } from 'node:module';
      const register = () => { throw new Error('a loader hook was registered'); };
      Object.assign(Module, { register, registerHooks: register });
      syncBuiltinESMExports();
      const own = (object) => Object.entries(Object.getOwnPropertyDescriptors(object)).map(([key, { value }]) => [key, value]);
      const loaders = () => [own(Module), own(Module.prototype), own(Module._extensions)].flat(2).concat(process.execArgv);
      const before = loaders();
      const { init } = await import('faultline');
      await init({ dsn: undefined, tracesSampleRate: 1 }).close();
      const after = loaders();
      if (before.length !== after.length || before.some((one, i) => one !== after[i])) throw new Error('a loader was changed');`,
    );
  });

  it('has sent what these three said', () => {
    expect(receiver.events.map(({ message }) => message).sort()).toEqual(['imported', 'registered', 'required']);
    expect(new Set(receiver.events.map(({ release }) => release))).toEqual(new Set(['app@1']));
  });
});

/** What an entry exports, by its source. */
async function namesOf(file: string): Promise<string[]> {
  return Object.keys(await import(`../src/${file.replace(/\.ts$/, '.js')}`)).sort();
}

describe('the entries', () => {
  const subpaths = Object.entries(ENTRIES).filter(([subpath]) => subpath !== './register');

  it('export to import and to require the same values, under the names that their source exports', async () => {
    const names = await Promise.all(subpaths.map(async ([subpath, file]) => [subpath.slice(2), await namesOf(file)]));
    await run(
      'entries.mjs',
      `import assert from 'node:assert/strict';
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      for (const [subpath, names] of ${JSON.stringify(names)}) {
        const specifier = subpath ? 'faultline/' + subpath : 'faultline';
        const imported = { ...(await import(specifier)) };
        assert.deepEqual(Object.keys(imported).sort(), names, specifier);
        assert.deepEqual(Object.keys(require(specifier)).sort(), names, specifier);
        for (const name of names) assert.equal(imported[name], require(specifier)[name], specifier + ' ' + name);
      }
      assert.equal(require('faultline/sentry').captureException, require('faultline').captureException);`,
    );
  });

  it('load three files, and the parts that few use when they are called', async () => {
    await run(
      'few-files.cjs',
      `const assert = require('node:assert/strict');
      const { basename, dirname } = require('node:path');
      const dist = dirname(require.resolve('faultline'));
      const loaded = () => Object.keys(require.cache).filter((file) => dirname(file) === dist).map((file) => basename(file)).sort();
      const { init, localVariablesIntegration } = require('faultline');
      const client = init({ dsn: undefined, tracesSampleRate: 1 });
      assert.deepEqual(loaded(), ['faultline-core.cjs', 'index.cjs']);
      import('faultline').then(() => {
        assert.deepEqual(loaded(), ['faultline-core.cjs', 'imported-api.cjs', 'index.cjs']);
        client.openTelemetryStatus();
        localVariablesIntegration();
        assert.deepEqual(loaded().filter((file) => /-report|variables/.test(file)), ['health-report.cjs', 'local-variables.cjs']);
      });`,
    );
  });

  it('take nothing from the default export of a module, which `require` does not have', () => {
    expect(readFileSync('dist/faultline-core.cjs', 'utf8')).not.toMatch(/\b(http|https|fs|path|os)\.default\b/);
  });

  it('are ASCII, because one character that Latin-1 does not have makes all of a file take two bytes a character', () => {
    const files = readdirSync('dist').filter((file) => file.endsWith('.cjs'));
    expect(files.filter((file) => /[^\0-\x7f]/.test(readFileSync(join('dist', file), 'utf8')))).toEqual([]);
  });

  it('are described in package.json as in the list of the build', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(manifest).toEqual({ ...manifest, ...describeEntries() });
  });

  it('are packed without source and source maps, in less than 335 kB, with what the pages link to', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json']);
    const [{ size, files }] = JSON.parse(stdout);
    expect(
      size,
      'shorten something, or raise the limit in this commit and say in its body what the bytes are for',
    ).toBeLessThan(335_000);
    const paths: string[] = files.map(({ path }: { path: string }) => path);
    expect(paths.filter((path) => !/^(dist|docs)\/|^[A-Z]+(\.md)?$|^package\.json$/.test(path))).toEqual([]);
    expect(paths.filter((path) => path.endsWith('.map'))).toEqual([]);
    const links = paths.filter((path) => path.endsWith('.md')).flatMap(linksOf);
    const missing = new Set(links.map(({ path }) => path).filter((path) => !paths.includes(path)));
    expect([...missing].sort()).toEqual(ONLY_IN_REPOSITORY);
  });
});

describe('the manifest', () => {
  const { dependencies, peerDependencies, engines } = JSON.parse(readFileSync('package.json', 'utf8'));

  it('takes the API of the application, 1.9 or 1.10, and brings none: a second one would hear of nothing', () => {
    expect(peerDependencies).toEqual({ '@opentelemetry/api': '^1.9.0' });
    expect(dependencies).not.toHaveProperty(['@opentelemetry/api']);
  });

  it('shares the packages of an application that has SDK 2.0, but for the context manager', () => {
    const { '@opentelemetry/context-async-hooks': contextManager, ...shared } = dependencies;
    expect(contextManager).toMatch(/^\^2\./);
    expect(new Set(Object.values(shared))).toEqual(new Set(['^2.0.0']));
  });

  it('asks for a Node that the matrix tries', () => {
    expect(engines).toEqual({ node: '>=20.19' });
  });
});

describe('the matrix', () => {
  const setup = readFileSync('docs/setup.md', 'utf8');

  it('tries what docs/setup.md names as supported', () => {
    const [, table] = /## Supported versions\n\n((?:\|.*\n)+)/.exec(setup)!;
    const [heading, , ...rows] = table!.split('\n').map((row) => row.split('|').slice(1, -1));
    const versionsIn = (cells: string[]) => cells.flatMap((cell) => /\d[\d.]*/.exec(cell)?.[0] ?? []);
    expect(versionsIn(heading!)).toEqual(NODE_MAJORS);
    expect(versionsIn(rows.flatMap(([sdk = '']) => sdk))).toEqual(GENERATIONS.map(({ name }) => name));
  });

  it('installs strictly with what docs/setup.md says of it', () => {
    const [, manifest] = /```json\n(\{ "overrides".*)\n```/.exec(setup)!;
    expect(JSON.parse(manifest!)).toEqual({ overrides: GENERATIONS.at(-1)!.overrides });
  });
});
