import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readString } from '../values/read.js';
import { packageFolderOf, packageOf } from './package-of.js';
import { createPackageRequire } from './package-require.js';

/**
 * The versions of a package that this process has loaded. Reads files and walks all loaded modules: too slow for a hot path.
 *
 * @returns `own`: that of the copy that this package uses, `undefined` in a bundle; `others`: those of other copies that
 *   Node has loaded as CommonJS, because it does not list ES modules
 */
export function readLoadedVersions(name: string): { own: string | undefined; others: readonly string[] } {
  const require = createPackageRequire();
  const ownRoot = resolveRoot(name, require);
  const roots = new Set(Object.keys(require.cache).flatMap((file) => rootOf(name, file) ?? []));
  if (ownRoot) roots.delete(ownRoot);
  return { own: ownRoot && versionIn(ownRoot), others: [...roots].flatMap((root) => versionIn(root) ?? []) };
}

/** Returns the later of two versions. A string that is not a version counts as the earliest. */
export function newerOf(a: string, b: string): string {
  const [partsOfA, partsOfB] = [partsOf(a), partsOf(b)];
  const differing = partsOfA.findIndex((part, i) => part !== partsOfB[i]);
  return differing < 0 || partsOfA[differing]! > partsOfB[differing]! ? a : b;
}

function resolveRoot(name: string, require: NodeJS.Require): string | undefined {
  try {
    return rootOf(name, require.resolve(name));
  } catch {
    return undefined;
  }
}

/** The folder of a package, from the path of one of its files; `undefined` for files of other packages. */
function rootOf(name: string, file: string): string | undefined {
  return packageOf(file) === name ? packageFolderOf(file) : undefined;
}

function versionIn(root: string): string | undefined {
  try {
    return readString(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), 'version');
  } catch {
    return undefined;
  }
}

function partsOf(version: string): number[] {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? ['', -1, -1, -1];
  return parts.map(Number);
}
