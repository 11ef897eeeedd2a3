import { existsSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { pathOf } from '../../errors/stack-line.js';
import { guardOwn } from '../../internal/guard.js';
import { ancestorsOf } from '../../internal/node/package-of.js';
import { createPackageRequire } from '../../internal/node/package-require.js';

const SCRIPT_EXTENSION = /\.[cm]?[jt]sx?$/i;
/** Files in these folders are views of the system, for example of this process's environment variables. */
const SYSTEM_FOLDER = /^\/(?:proc|sys|dev)\//;

/**
 * The files whose lines may be sent with a stack. Anyone can write paths into an error's `stack`, so only files qualify
 * that the process loaded as code:
 *
 * - modules loaded by `require`, and the sources that their source maps name;
 * - scripts, by extension, below the application's folder or in a `node_modules` folder that it resolves packages from.
 *   Node keeps no list of files loaded by `import`.
 *
 * Symbolic links are resolved first, so that none leads outside.
 */
export class SourceFiles {
  #folders: readonly string[] | undefined;

  /** @returns the path without symbolic links; `undefined` for a file that must not be read */
  async resolve(file: string): Promise<string | undefined> {
    return this.#check(await realpath(file));
  }

  /** The same without waiting, for the end of the process. */
  resolveSync(file: string): string | undefined {
    return this.#check(realpathSync(file));
  }

  #check(real: string): string | undefined {
    if (SYSTEM_FOLDER.test(real)) return undefined;
    return this.#isOfApplication(real) || isLoaded(real) || isMappedSource(real) ? real : undefined;
  }

  #isOfApplication(file: string): boolean {
    this.#folders ??= findFolders();
    return SCRIPT_EXTENSION.test(file) && this.#folders.some((folder) => file.startsWith(folder));
  }
}

function isLoaded(file: string): boolean {
  return Object.hasOwn(createPackageRequire().cache, file);
}

/**
 * Whether a loaded module's source map names the file. Rarely needed: such sources are outside the application's
 * folder.
 */
function isMappedSource(file: string): boolean {
  if (!process.sourceMapsEnabled) return false;
  const { findSourceMap } = process.getBuiltinModule('node:module');
  return Object.keys(createPackageRequire().cache).some((script) => {
    const { sourceRoot = '', sources = [] } = findSourceMap(script)?.payload ?? {};
    return sources.some((source) => resolve(dirname(script), pathOf(sourceRoot), pathOf(source)) === file);
  });
}

/** Real paths with a trailing separator, without the file system's root, where services are often started. */
function findFolders(): string[] {
  const script = process.argv[1];
  const scriptFolders = script && isAbsolute(script) ? ancestorsOf(dirname(script)) : [];
  const packageFolder = scriptFolders.find((folder) => existsSync(join(folder, 'package.json')));
  const workingFolder = guardOwn('the working directory', () => process.cwd());
  const applications = [scriptFolders[0], packageFolder, workingFolder].filter((folder) => folder !== undefined);
  const dependencies = applications.flatMap(ancestorsOf).map((folder) => join(folder, 'node_modules'));
  return [...new Set([...applications, ...dependencies])]
    .filter((folder) => existsSync(folder) && parse(folder).root !== folder)
    .map((folder) => guardOwn('a folder of the application', () => realpathSync(folder), folder) + sep);
}
