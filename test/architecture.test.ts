import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type IForbiddenRuleType } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';
import { ENTRIES } from '../build/entries.js';

/** Who may import whom, types included. A new folder, or a new arrow, is a visible decision here. */
const mayImport: Record<string, string[]> = {
  internal: [],
  model: ['internal'],
  errors: ['model', 'internal'],
  scrubbing: ['model', 'internal'],
  context: ['model', 'internal'],
  pipeline: ['context', 'errors', 'scrubbing', 'model', 'internal'],
  tracing: ['context', 'scrubbing', 'model', 'internal'],
  transport: ['model', 'internal'],
  store: ['model', 'internal'],
  diagnosis: ['tracing', 'context', 'model', 'internal'],
  'options.ts': ['model', 'internal'],
  'capture.ts': ['context', 'model', 'internal'],
  'client.ts': ['pipeline', 'model', 'internal'],
  integrations: ['capture.ts', 'frameworks', 'tracing', 'context', 'errors', 'scrubbing', 'model', 'internal'],
  frameworks: ['capture.ts', 'context', 'model', 'internal'],
  sentry: [
    'index.ts',
    'init.ts',
    'frameworks',
    'integrations',
    'diagnosis',
    'tracing',
    'transport',
    'context',
    'errors',
    'model',
    'internal',
  ],
  testing: ['index.ts', 'init.ts', 'transport', 'model', 'internal'],
  receiver: [],
  cli: ['index.ts', 'receiver', 'diagnosis', 'transport', 'model', 'internal'],
  'register.ts': ['init.ts', 'model', 'internal'],
};

const unit = (name: string) => `^src/${name.replace('.', '[.]')}(/|$)`;

/** The files that make an integration; the others in their folder are mechanisms that several of them share. */
function integrations(): string[] {
  return readdirSync('src/integrations', { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /^export function \w+Integration\(/m.test(readFileSync(join('src/integrations', file), 'utf8')))
    .map((file) => `integrations/${file}`);
}

/** The files of `frameworks/` that are entries of the package; the others hold what several of them share. */
function frameworks(): string[] {
  return Object.values(ENTRIES).filter((file) => file.startsWith('frameworks/'));
}

/**
 * The public types of these files refer to each other in a circle: an `EventHint` may hold a `Scope`, `scope.getClient()`
 * returns a `Client`, whose capture functions take an `EventHint`, and whose settings have hooks and integrations that get
 * hints and clients. However they are spread over files, the files import each other; type parameters would have to be on
 * all of them. All of these imports are of types only.
 */
const CIRCLE_OF_PUBLIC_TYPES = ['contracts', 'hint', 'options', 'scope/scope', 'scope/scope-state'].map((name) =>
  unit(`model/${name}.ts`),
);

/** A reader takes in so many names at a glance; a larger room gets rooms of its own. */
const MAX_FILES_PER_ROOM = 15;

const forbidden = [
  {
    name: 'value cycle',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'type cycle',
    severity: 'error',
    from: { pathNot: CIRCLE_OF_PUBLIC_TYPES },
    to: { circular: true },
  },
  {
    name: 'integrations are strangers to each other',
    severity: 'error',
    from: { path: '^src/integrations/', pathNot: '^src/integrations/default[.]ts$' },
    to: { path: integrations().map(unit) },
  },
  {
    name: 'frameworks are strangers to each other',
    severity: 'error',
    from: { path: '^src/frameworks/' },
    to: { path: frameworks().map(unit) },
  },
  ...Object.entries(mayImport).map(([from, to]) => ({
    name: `${from} → ${to.join(', ') || 'nothing'}`,
    severity: 'error',
    from: { path: unit(from) },
    to: { path: '^src/', pathNot: [from, ...to].map(unit) },
  })),
] as unknown as IForbiddenRuleType[];

async function violationsIn(folder: string): Promise<string[]> {
  const { output } = await cruise([folder], {
    validate: true,
    includeOnly: '^src/',
    tsPreCompilationDeps: true,
    ruleSet: { forbidden },
  });
  if (typeof output === 'string') throw new TypeError('dependency-cruiser returned text');
  expect(output.summary.totalCruised).toBeGreaterThan(0);
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`);
}

it('only test files register hooks: what they import is loaded once for all files of a process', () => {
  const files = readdirSync('test', { withFileTypes: true, recursive: true }).filter(
    ({ name, parentPath }) => /(?<!\.test)\.ts$/.test(name) && !/node_modules|tooling/.test(parentPath),
  );
  expect(files.length).toBeGreaterThan(50);
  const hooks = /^(?:before|after)(?:Each|All)\(/m;
  const registering = files.filter(({ name, parentPath }) => hooks.test(readFileSync(join(parentPath, name), 'utf8')));
  expect(registering.map(({ name }) => name)).toEqual([]);
});

it('no class of the package extends String, which would make the methods of all strings of a process several times slower', () => {
  const files = readdirSync('src', { withFileTypes: true, recursive: true }).filter(({ name }) => /\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(200);
  const slowing = /\bextends String\b|\bnew String\(/;
  const found = files.filter(({ name, parentPath }) => slowing.test(readFileSync(join(parentPath, name), 'utf8')));
  expect(found.map(({ name }) => name)).toEqual([]);
  expect(slowing.test('class ParameterizedString extends String {')).toBe(true);
});

describe('the architecture', () => {
  it('has no import that the table does not allow, and no cycle', async () => {
    expect(await violationsIn('src')).toEqual([]);
  }, 60_000);

  it('shows in the folders and files of src', () => {
    expect(readdirSync('src').sort()).toEqual([...Object.keys(mayImport), 'init.ts', 'index.ts'].sort());
  });

  it('has no room in which a reader has to search', () => {
    const files = readdirSync('src', { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
    const sizes = new Map<string, number>();
    for (const { parentPath } of files) sizes.set(parentPath, (sizes.get(parentPath) ?? 0) + 1);
    expect(sizes.size).toBeGreaterThan(20);
    const large = [...sizes].filter(([, size]) => size > MAX_FILES_PER_ROOM);
    expect(large, `a folder of more than ${MAX_FILES_PER_ROOM} files: give what belongs together a folder`).toEqual([]);
  });

  it('would be violated by a transport that imports the pipeline', async () => {
    process.chdir('test/tooling/broken-architecture');
    try {
      expect(await violationsIn('src')).toEqual([expect.stringContaining('transport → model, internal')]);
    } finally {
      process.chdir('../../..');
    }
  }, 60_000);
});
