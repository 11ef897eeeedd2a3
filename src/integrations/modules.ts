import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { settlesWithin } from '../internal/deadline.js';
import { ancestorsOf, packageFolderOf, packageOf } from '../internal/node/package-of.js';
import { createPackageRequire } from '../internal/node/package-require.js';
import { readOptions } from '../internal/options/read-options.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { readProperty, readString } from '../internal/values/read.js';
import type { Integration } from '../model/contracts.js';
import { share } from '../model/event/shared-parts.js';

/** Options of {@link modulesIntegration}. */
export interface ModulesOptions {
  /**
   * Folder of the application's package.json. @default the working directory, else the first one above the main script
   */
  folder?: string | undefined;
}

type Versions = Record<string, string>;

const MANIFEST = 'package.json';
const MAX_MODULES = 500;
const MAX_MANIFEST_BYTES = 1024 * 1024;
/** Manifests read concurrently. */
const BATCH_SIZE = 16;
/** How long the first event waits for the list; it is cached for later ones. */
const COLLECT_TIMEOUT_MILLIS = 1000;
const VERSION = /^\d[\w.+-]{0,99}$/;

/**
 * Adds installed package versions to error events: dependencies of the application, and packages loaded by `require`.
 * An event's own `modules` stay. The versions are read once, for the first event.
 */
export function modulesIntegration(options?: ModulesOptions): Integration {
  const { folder } = readOptions('modulesIntegration', options, {}, { folder: 'string' });
  let versions: Versions | undefined;
  let collecting: Promise<void> | undefined;
  const collect = async (): Promise<void> => {
    versions = share(await collectVersions(folder));
    // It would keep the async context of the first event in memory.
    collecting = undefined;
  };
  return {
    name: 'Modules',
    enrichEvent(event) {
      if (event.type !== undefined) return undefined;
      const addModules = (): void => {
        if (versions) event.modules ??= versions;
      };
      if (versions) return addModules();
      collecting ??= collect();
      return settlesWithin(collecting, COLLECT_TIMEOUT_MILLIS).then(addModules);
    },
    enrichEventSync(event) {
      if (event.type !== undefined) return;
      if (versions) event.modules ??= versions;
      // For later events of the thread: to read so many files takes too long.
      else if (!isMainThread) collecting ??= collect();
    },
  };
}

/**
 * Reads versions from the installed packages. The application's manifest supplies only names: its version ranges may be
 * URLs that contain a token. Never rejects.
 */
async function collectVersions(folderOption: string | undefined): Promise<Versions> {
  const { folder, manifest } = await findApplication(folderOption);
  const names = [...namesIn(manifest, 'dependencies'), ...namesIn(manifest, 'devDependencies')];
  const candidates = [...names.map((name) => foldersOf(name, folder)), ...loadedPackages().map((one) => [one])];
  const versions: Versions = {};
  for (let i = 0; i < candidates.length && i < MAX_MODULES; i += BATCH_SIZE) {
    const batch = await Promise.all(candidates.slice(i, Math.min(i + BATCH_SIZE, MAX_MODULES)).map(readVersion));
    for (const [name, version] of batch) if (name && version) versions[name] = version;
  }
  return versions;
}

/** The folders in which Node would look for a package. */
function foldersOf(name: string, from: string): string[] {
  return ancestorsOf(resolve(from)).map((folder) => join(folder, 'node_modules', name));
}

async function readVersion(folders: readonly string[]): Promise<readonly [name?: string, version?: string]> {
  for (const folder of folders) {
    const version = readString(await readManifest(folder), 'version');
    if (version) return VERSION.test(version) ? [packageOf(join(folder, MANIFEST)), version] : [];
  }
  return [];
}

async function findApplication(chosen: string | undefined): Promise<{ folder: string; manifest: unknown }> {
  const candidates = ['.', ...ancestorsOf(dirname(process.argv[1] ?? '.'))];
  for (const folder of chosen === undefined ? candidates : [chosen]) {
    const manifest = await readManifest(folder);
    if (manifest !== undefined) return { folder, manifest };
  }
  return { folder: chosen ?? '.', manifest: undefined };
}

async function readManifest(folder: string): Promise<unknown> {
  try {
    const file = join(folder, MANIFEST);
    const { size } = await stat(file);
    return size <= MAX_MANIFEST_BYTES ? JSON.parse(await readFile(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(manifest: unknown, kind: 'dependencies' | 'devDependencies'): string[] {
  return Object.keys(copyOwn(readProperty(manifest, kind))).slice(0, MAX_MODULES);
}

/** Folders of packages from which `require` has loaded files. Node keeps no such list for `import`. */
function loadedPackages(): string[] {
  const files = Object.keys(createPackageRequire().cache);
  return [...new Set(files.flatMap((file) => packageFolderOf(file) ?? []))];
}
