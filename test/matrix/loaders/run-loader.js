import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPackage, npm } from '../npm.js';

const APP = fileURLToPath(new URL('app', import.meta.url));
const PROOF = 'one instance';
/** What Jest says of handles, which does not make it fail. */
const HANDLES_LEFT = /Jest has detected the following|Jest did not exit/;
const MAX_STEP_MILLIS = 120_000;
const FOREIGN_VARIABLE = /^(FAULTLINE|OTEL|JEST|VITEST)_|^(NODE_OPTIONS|NODE_ENV|VITEST|TEST)$/;

/** @typedef {import('./list.js').Loader} Loader */
/** @typedef {{ folder: string, bin: string }} LoaderApp where the commands run, and where their binaries are */

/**
 * Installs an application that loads the package.
 *
 * @param {Loader} loader
 * @param {string} tarball
 * @param {string} parent where to
 * @returns {Promise<LoaderApp>}
 */
export async function installLoader({ name, packages, manifest, installer }, tarball, parent) {
  const faultline = { faultline: `file:${tarball}`, '@opentelemetry/api': '~1.9.0' };
  const slug = name.replace(/\W+/g, '-');
  if (installer === 'yarn') {
    const yarn = createPackage(parent, `${slug}-cli`, { dependencies: packages });
    await npm(['install'], yarn);
    const folder = createLoaderApp(parent, slug, { ...manifest, dependencies: faultline });
    const bin = join(yarn, 'node_modules', '.bin');
    writeFileSync(join(folder, '.yarnrc.yml'), await configureYarn());
    writeFileSync(join(folder, 'yarn.lock'), '');
    const { error, output } = await runStep(['yarn', 'install', '--no-immutable'], { folder, bin }, process.execPath);
    if (error) throw new Error(output);
    return { folder, bin };
  }
  const folder = createLoaderApp(parent, slug, { ...manifest, dependencies: { ...packages, ...faultline } });
  await npm(['install'], folder);
  return { folder, bin: join(folder, 'node_modules', '.bin') };
}

/** @param {string} parent @param {string} name @param {object} [manifest] @returns {string} path of the folder */
export function createLoaderApp(parent, name, manifest = {}) {
  const folder = createPackage(parent, name, manifest);
  cpSync(APP, folder, { recursive: true });
  return folder;
}

/**
 * Loads the package in an application, under a Node.
 *
 * @param {Loader} loader
 * @param {LoaderApp} app
 * @param {string} node path of the binary
 * @returns {Promise<import('../cell.js').Cell>}
 */
export async function runLoader({ steps, proofs = steps.length }, app, node) {
  const failures = [];
  let proven = 0;
  for (const step of steps) {
    const { error, output } = await runStep(step, app, node);
    if (error) failures.push(`${step.join(' ')}: ${error.message}\n${output}`);
    if (HANDLES_LEFT.test(output)) failures.push(`${step.join(' ')} leaves handles open\n${output}`);
    if (output.split('\n').includes(PROOF)) proven += 1;
  }
  if (failures.length === 0 && proven !== proofs) failures.push(`${proven} of ${proofs} steps say: ${PROOF}`);
  return { passed: failures.length === 0 ? steps.length : 0, failures };
}

/** @param {string[]} step @param {LoaderApp} app @param {string} node @returns {Promise<{ error?: Error, output: string }>} */
function runStep([command, ...args], { folder, bin }, node) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN_VARIABLE.test(name)));
  // Binaries of packages start the Node that they find first.
  env['PATH'] = [dirname(node), bin, env['PATH']].join(delimiter);
  return new Promise((resolve) => {
    const options = { cwd: folder, env, timeout: MAX_STEP_MILLIS, maxBuffer: 2 ** 26 };
    execFile(command === 'node' ? node : command, args, options, (error, stdout, stderr) =>
      resolve({ ...(error && { error }), output: `${stdout}${stderr}` }),
    );
  });
}

async function configureYarn() {
  const registry = (await npm(['config', 'get', 'registry'], process.cwd())).trim();
  const settings = {
    nodeLinker: 'pnp',
    enableGlobalCache: false,
    enableTelemetry: false,
    npmMinimalAgeGate: 0,
    npmRegistryServer: registry,
    unsafeHttpWhitelist: [new URL(registry).hostname],
  };
  return JSON.stringify(settings);
}
