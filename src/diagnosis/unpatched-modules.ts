import { dirname } from 'node:path';
import { guardOwn } from '../internal/guard.js';
import { packageOf } from '../internal/node/package-of.js';
import { createPackageRequire } from '../internal/node/package-require.js';
import { readLoadedVersions } from '../internal/node/package-version.js';
import { isArray, readProperty } from '../internal/values/read.js';

/** Packages that an instrumentation of OTel is to patch, and that the process has loaded without its patch. */
export interface UnpatchedModules {
  /** Imported as ES modules, in a process in which no loader hook has seen a module. */
  readonly withoutHook: readonly string[];
  /** Loaded before the instrumentation was created, and not required since. */
  readonly tooEarly: readonly string[];
}

const NONE: UnpatchedModules = { withoutHook: [], tooEarly: [] };
/** From this version on, require-in-the-middle marks each module that it has seen. */
const OLDEST_MARKING_MAJOR = 8;
const MARK = 'RitmExports';
const REQUIRE_HOOK =
  /[\\/]@opentelemetry[\\/]instrumentation[\\/]build[\\/]src[\\/]platform[\\/]node[\\/]RequireInTheMiddleSingleton\.js$/;
const IMPORT_HOOK = /[\\/]import-in-the-middle[\\/]lib[\\/]register\.js$/;

/** Walks all loaded modules if there is an instrumentation. What it cannot read, as in a bundle, counts as patched. */
export function readUnpatchedModules(): UnpatchedModules {
  const require = createPackageRequire();
  const { cache } = require;
  const files = Object.keys(cache);
  const wanted = new Set(files.flatMap((file) => (REQUIRE_HOOK.test(file) ? namesIn(cache[file]) : [])));
  if (wanted.size === 0 || !marksModules()) return NONE;
  const imported = files.flatMap((file) => (IMPORT_HOOK.test(file) ? specifiersIn(cache[file]) : []));
  const seen = new Set(imported.flatMap((url) => packageOf(url) ?? []));
  const withoutHook = new Set<string>();
  const tooEarly = new Set<string>();
  for (const file of files) {
    const name = packageOf(file);
    if (name === undefined || !wanted.has(name) || seen.has(name) || isMarked(cache[file])) continue;
    const requirer = readProperty(readProperty(cache[file], 'parent'), 'filename');
    // Parts of OTel load some packages for themselves.
    const isOfOtel = typeof requirer === 'string' && packageOf(requirer)?.startsWith('@opentelemetry/');
    if (isOfOtel || !isMain(name, file, require)) continue;
    (requirer === undefined && imported.length === 0 ? withoutHook : tooEarly).add(name);
  }
  return { withoutHook: [...withoutHook], tooEarly: [...tooEarly] };
}

/** The file that instrumentations patch. */
function isMain(name: string, file: string, require: NodeJS.Require): boolean {
  return guardOwn('resolving a package', () => require.resolve(name, { paths: [dirname(file)] }) === file, false);
}

function marksModules(): boolean {
  const { own, others } = readLoadedVersions('require-in-the-middle');
  const majors = [...others, ...(own === undefined ? [] : [own])].map((version) => Number.parseInt(version, 10));
  return majors.length > 0 && majors.every((major) => major >= OLDEST_MARKING_MAJOR);
}

function isMarked(module: object | undefined): boolean {
  return module !== undefined && Object.getOwnPropertySymbols(module).some(({ description }) => description === MARK);
}

/** The packages for which instrumentations have registered, from a tree by the parts of their names. */
function namesIn(module: unknown): string[] {
  const instance = readProperty(readProperty(exportsOf(module), 'RequireInTheMiddleSingleton'), '_instance');
  return namesBelow(readProperty(readProperty(instance, '_moduleNameTrie'), '_trie'));
}

function namesBelow(node: unknown): string[] {
  const hooks = readProperty(node, 'hooks');
  const children = readProperty(node, 'children');
  const names = isArray(hooks) ? hooks.map((one) => readProperty(readProperty(one, 'hook'), 'moduleName')) : [];
  const below = children instanceof Map ? [...children.values()].flatMap(namesBelow) : [];
  return [...names.filter((name) => typeof name === 'string'), ...below];
}

/** The addresses of the modules that a loader hook has seen. */
function specifiersIn(module: unknown): string[] {
  const specifiers = readProperty(exportsOf(module), 'specifiers');
  return specifiers instanceof Map ? [...specifiers.keys()].map(String) : [];
}

function exportsOf(module: unknown): unknown {
  return readProperty(module, 'exports');
}
