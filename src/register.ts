import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { init } from './init.js';
import { createLogger } from './internal/diag.js';
import { isThenable } from './internal/guard.js';
import { isHooksThread } from './internal/node/hooks-thread.js';
import { createPackageRequire } from './internal/node/package-require.js';
import { writeToStderr } from './internal/node/stderr.js';
import { describe } from './internal/values/in-message.js';
import { isObject, readProperty } from './internal/values/read.js';
import { describeThrown } from './internal/values/strings.js';
import type { Options } from './model/options.js';

/**
 * Starts Faultline before the application: `node --import faultline/register app.js`, or with `--require`. Options come
 * from a `faultline.config.js` beside the application's main script or in the working directory, and from the
 * `FAULTLINE_*` environment variables where it leaves them out.
 *
 * The file exports the options, or a function that returns them. It is loaded synchronously, because `--require` cannot wait;
 * if it returns a promise, or has to be imported, Faultline starts when that has settled. A file that fails is reported on
 * stderr, and Faultline starts without it.
 */

const CONFIG_NAMES = ['faultline.config.js', 'faultline.config.mjs', 'faultline.config.cjs'];
/** Worker threads start anew, with their own main script, and belong to the same application. */
const INHERITED_KEY = 'faultline.config';
const NONE = '';
/** Options of Node that take a script from the command line. */
const EVALUATES = /^(-e|-p|-pe|--eval|--print)(=|$)/;

/** Codes of errors: `require` takes no ES module with a top-level `await`, nor any where Node was told so. */
const NEEDS_IMPORT = new Set<unknown>(['ERR_REQUIRE_ASYNC_MODULE', 'ERR_REQUIRE_ESM']);

const log = createLogger('register');

if (!isHooksThread) start(inheritedConfig() ?? findConfig());

function start(file: string): void {
  setEnvironmentData(INHERITED_KEY, file);
  if (file === NONE) {
    init();
    return;
  }
  const fail = (error: unknown) => {
    const { settings } = init();
    const message = `${file} fails (${describeThrown(error)}), and Faultline starts without its options`;
    log.error(message, error);
    // In debug mode, the log has written it.
    if (!settings.quiet && !settings.debug) writeToStderr(`faultline: ${message}\n`);
  };
  try {
    const options = readConfig(file);
    if (isThenable(options)) options.then((settled) => init(toOptions(settled))).then(undefined, fail);
    else init(toOptions(options));
  } catch (error) {
    fail(error);
  }
}

function findConfig(): string {
  const folders = [mainFolders, process.cwd].flatMap((find) => {
    try {
      return find();
    } catch {
      return [];
    }
  });
  const files = folders.flatMap((folder) => CONFIG_NAMES.map((name) => join(folder, name)));
  return files.find((file) => existsSync(file)) ?? NONE;
}

function inheritedConfig(): string | undefined {
  const file = getEnvironmentData(INHERITED_KEY);
  return typeof file === 'string' ? file : undefined;
}

/** Of the main script as Node finds it, and as it was named: as a folder, through a link, without its extension. */
function mainFolders(): string[] {
  const [, script] = process.argv;
  // With a script in the command line, this is an argument of that one.
  if (script === undefined || process.execArgv.some((argument) => EVALUATES.test(argument))) return [];
  const path = resolve(script);
  const named = existsSync(path) && statSync(path).isDirectory() ? path : dirname(path);
  return [dirname(realpathSync(resolveMain(path))), named];
}

function resolveMain(path: string): string {
  try {
    return createPackageRequire().resolve(path);
  } catch {
    return path;
  }
}

/** @throws whatever the file throws */
function readConfig(file: string): unknown {
  try {
    return evaluate(createPackageRequire()(file));
  } catch (error) {
    if (!NEEDS_IMPORT.has(readProperty(error, 'code'))) throw error;
    return import(pathToFileURL(file).href).then(evaluate);
  }
}

/** @param exported what the file exports, as its `default` or as a whole */
function evaluate(exported: unknown): unknown {
  const config = readProperty(exported, 'default') ?? exported;
  return typeof config === 'function' ? config() : config;
}

/** @throws TypeError */
function toOptions(value: unknown): Options {
  if (isObject(value)) return value;
  throw new TypeError(`it must export options, or a function that returns them, but it is ${describe(value)}`);
}
