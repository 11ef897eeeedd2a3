import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPackageRequire } from './package-require.js';
import { readString } from './read.js';

/** Where a package lies, given a file in it; `undefined` for files of other packages. */
function rootOf(name: string, file: string): string | undefined {
  const pattern = new RegExp(`^.*[\\\\/]node_modules[\\\\/]${name.replace('/', '[\\\\/]')}(?=[\\\\/])`);
  return pattern.exec(file)?.[0];
}

function versionIn(root: string): string | undefined {
  try {
    return readString(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), 'version');
  } catch {
    return undefined;
  }
}

/** Versions of a package in this process, told by the files that it was loaded from. */
export interface LoadedVersions {
  /** Of the copy that this package uses; `undefined` in a bundle. */
  readonly own: string | undefined;
  /** Of other copies that Node has loaded as CommonJS; those of ES modules are not to be seen. */
  readonly others: readonly string[];
}

/** Looks at the disk, and at each module loaded: not for paths that run often. */
export function readLoadedVersions(name: string): LoadedVersions {
  const require = createPackageRequire();
  const ownRoot = resolveRoot(name, require);
  const roots = new Set(Object.keys(require.cache).flatMap((file) => rootOf(name, file) ?? []));
  if (ownRoot) roots.delete(ownRoot);
  return { own: ownRoot && versionIn(ownRoot), others: [...roots].flatMap((root) => versionIn(root) ?? []) };
}

function resolveRoot(name: string, require: NodeJS.Require): string | undefined {
  try {
    return rootOf(name, require.resolve(name));
  } catch {
    return undefined;
  }
}

/** The later of two versions; what is no version is earlier than all. */
export function newerOf(a: string, b: string): string {
  const [partsOfA, partsOfB] = [partsOf(a), partsOf(b)];
  const differing = partsOfA.findIndex((part, i) => part !== partsOfB[i]);
  return differing < 0 || partsOfA[differing]! > partsOfB[differing]! ? a : b;
}

function partsOf(version: string): number[] {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? ['', -1, -1, -1];
  return parts.map(Number);
}
