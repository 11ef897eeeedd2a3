import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { settlesWithin } from '../internal/deadline.js';
import { createPackageRequire } from '../internal/package-require.js';
import { readProperty, readString } from '../internal/read.js';
import { readOptions } from '../internal/read-options.js';
import type { Integration } from '../model/contracts.js';

/** Options of {@link modulesIntegration}. */
export interface ModulesOptions {
  /** Where the application's package.json is. @default the working directory, else the first above the main script */
  folder?: string | undefined;
}

type Versions = Record<string, string>;

const MAX_MODULES = 500;
const MAX_MANIFEST_BYTES = 1024 * 1024;
/** Manifests read at the same time. */
const BATCH_SIZE = 16;
/** The first event waits this long for the list; later ones find it ready. */
const COLLECT_TIMEOUT_MILLIS = 1000;
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
const PACKAGE_NAME = /(?:@[^\\/]+[\\/])?[^\\/]+$/;

/**
 * Adds the versions of the packages in use to error events: those that the application depends on, and those that
 * `require` has loaded. An event that names modules itself keeps those. Collected at the first event and kept from then
 * on.
 */
export function modulesIntegration(options?: ModulesOptions): Integration {
  const { folder } = readOptions(options, { folder: 'string' });
  let versions: Versions | undefined;
  let collecting: Promise<void> | undefined;
  const collect = async (): Promise<void> => {
    versions = await collectVersions(folder);
  };
  return {
    name: 'Modules',
    enrichEvent(event) {
      if (event.type !== undefined) return undefined;
      const addModules = (): void => {
        if (versions) event.modules ??= { ...versions };
      };
      if (versions) return addModules();
      collecting ??= collect();
      return settlesWithin(collecting, COLLECT_TIMEOUT_MILLIS).then(addModules);
    },
  };
}

/** Never rejects: what cannot be read is left out. */
async function collectVersions(givenFolder: string | undefined): Promise<Versions> {
  const { folder, manifest } = await findApplication(givenFolder);
  const declared = { ...dependenciesOf(manifest, 'devDependencies'), ...dependenciesOf(manifest, 'dependencies') };
  const folders = Object.keys(declared).map((name) => join(folder, 'node_modules', name));
  const packages = [...new Set([...folders, ...loadedPackages()])].slice(0, MAX_MODULES);
  const versions: Versions = declared;
  for (let i = 0; i < packages.length; i += BATCH_SIZE) {
    await Promise.all(
      packages.slice(i, i + BATCH_SIZE).map(async (one) => {
        const version = readString(await readManifest(one), 'version');
        const name = PACKAGE_NAME.exec(one)?.[0].replace('\\', '/');
        if (version && name) versions[name] = version;
      }),
    );
  }
  return versions;
}

async function findApplication(given: string | undefined): Promise<{ folder: string; manifest: unknown }> {
  for (const folder of given === undefined ? candidateFolders() : [given]) {
    const manifest = await readManifest(folder);
    if (manifest !== undefined) return { folder, manifest };
  }
  return { folder: given ?? '.', manifest: undefined };
}

function* candidateFolders(): Generator<string> {
  yield '.';
  let folder = dirname(process.argv[1] ?? '.');
  for (; folder !== dirname(folder); folder = dirname(folder)) yield folder;
  yield folder;
}

async function readManifest(folder: string): Promise<unknown> {
  try {
    const file = join(folder, 'package.json');
    const { size } = await stat(file);
    return size <= MAX_MANIFEST_BYTES ? JSON.parse(await readFile(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

function dependenciesOf(manifest: unknown, kind: 'dependencies' | 'devDependencies'): Versions {
  const given = readProperty(manifest, kind);
  if (typeof given !== 'object' || given === null) return {};
  const entries = Object.entries(given).filter(([, version]) => typeof version === 'string');
  return Object.fromEntries(entries.slice(0, MAX_MODULES));
}

/** Folders of the packages that `require` has loaded files of; Node does not tell which ones `import` has. */
function* loadedPackages(): Generator<string> {
  for (const file of Object.keys(createPackageRequire().cache)) {
    const folder = PACKAGE_FOLDER.exec(file)?.[0];
    if (folder !== undefined) yield folder;
  }
}
