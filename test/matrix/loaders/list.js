/**
 * A way to load the package.
 *
 * @typedef {object} Loader
 * @property {string} name
 * @property {Record<string, string>} packages what it is made of, beside what is always there
 * @property {string[][]} steps commands that must succeed; the first word is a binary of `packages`, `node`, or a file
 * @property {number} [proofs] how many of the steps say `one instance`; all by default
 * @property {string[]} [files] what of `app/` is there; all by default
 * @property {Record<string, unknown>} [manifest]
 * @property {'yarn'} [installer]
 */

const TYPESCRIPT = { typescript: '~5.9.0', '@types/node': '20' };
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
const ESBUILD = ['esbuild', 'bundled.mjs', '--bundle', '--platform=node', '--log-level=error'];
const TS_NODE_OPTIONS = { module: 'node16', moduleResolution: 'node16', esModuleInterop: true, types: ['node'] };

/** @param {string} moduleResolution @param {string} module @param {string} [type] */
function compile(moduleResolution, module, type = 'commonjs') {
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--moduleResolution',
    moduleResolution,
    '--module',
    module,
  ];
  return {
    name: `moduleResolution ${moduleResolution}, ${type}`,
    packages: TYPESCRIPT,
    steps: [['tsc', ...options, 'types.ts']],
    proofs: 0,
    manifest: { type },
  };
}

/** @param {string} version @returns {Loader} */
function jest(version) {
  return {
    name: `Jest ${version}`,
    packages: { jest: version },
    steps: [
      ['jest', '--testMatch', '**/cjs.test.cjs'],
      ['jest', '--detectOpenHandles', '--testMatch', '**/parallel.test.cjs'],
      ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testMatch', '**/esm.test.mjs'],
    ],
    proofs: 0,
    manifest: { jest: { transform: {}, testTimeout: 60_000, maxConcurrency: 100 } },
  };
}

/** @type {Loader[]} */
export const LOADERS = [
  {
    name: 'Node',
    packages: {},
    steps: [
      ['node', 'import-first.mjs'],
      ['node', 'require-first.cjs'],
      ['node', '--import', 'faultline/register', 'registered.mjs'],
      ['node', '--require', 'faultline/register', 'registered.mjs'],
      ['node', '--require', './instrument.cjs', 'preloaded.mjs'],
    ],
  },
  compile('node10', 'commonjs'),
  compile('node16', 'node16'),
  compile('node16', 'node16', 'module'),
  compile('nodenext', 'nodenext'),
  compile('nodenext', 'nodenext', 'module'),
  compile('bundler', 'esnext', 'module'),
  {
    name: 'esbuild',
    packages: { esbuild: '^0.28.0' },
    steps: [
      [...ESBUILD, '--format=cjs', '--outfile=bundled.cjs'],
      ['node', 'bundled.cjs'],
      [...ESBUILD, '--format=cjs', '--minify', '--outfile=bundled.min.cjs'],
      ['node', 'bundled.min.cjs'],
      [...ESBUILD, '--format=esm', `--banner:js=${BANNER}`, '--outfile=bundled.out.mjs'],
      ['node', 'bundled.out.mjs'],
    ],
    proofs: 3,
  },
  {
    name: 'Vitest',
    packages: { vitest: '^4.1.0' },
    steps: [['vitest', 'run', 'esm.test.mjs']],
    proofs: 0,
  },
  jest('29'),
  jest('30'),
  {
    name: 'ts-jest',
    packages: { jest: '30', 'ts-jest': '29', ...TYPESCRIPT },
    steps: [['jest', '--testMatch', '**/ts.spec.ts']],
    proofs: 0,
    manifest: { type: 'commonjs', jest: { preset: 'ts-jest', testTimeout: 60_000 } },
  },
  {
    name: 'tsx',
    packages: { tsx: '4' },
    steps: [
      ['tsx', 'app.ts'],
      ['tsx', 'import-first.mjs'],
    ],
    manifest: { type: 'commonjs' },
  },
  {
    name: 'ts-node',
    packages: { 'ts-node': '10', ...TYPESCRIPT },
    steps: [['ts-node', '--compilerOptions', JSON.stringify(TS_NODE_OPTIONS), 'app.ts']],
    manifest: { type: 'commonjs' },
  },
  {
    name: 'Rollup',
    packages: {
      rollup: '4',
      '@rollup/plugin-commonjs': '*',
      '@rollup/plugin-json': '*',
      '@rollup/plugin-node-resolve': '*',
    },
    steps: [
      ['rollup', '--silent', '--config', 'rollup.config.mjs'],
      ['node', 'rolled.cjs'],
      ['node', 'rolled.mjs'],
    ],
    proofs: 2,
  },
  {
    name: 'webpack',
    packages: { webpack: '5', 'webpack-cli': '*' },
    steps: [
      ['webpack', '--config', 'webpack.config.cjs'],
      ['node', 'webpacked.cjs'],
    ],
    proofs: 1,
  },
  {
    name: 'single executable',
    packages: { esbuild: '^0.28.0', postject: '1.0.0-alpha.6' },
    steps: [
      [...ESBUILD, '--format=cjs', '--minify', '--outfile=bundled.min.cjs'],
      ['node', 'build-sea.mjs'],
      ['./sea'],
    ],
    proofs: 1,
  },
  {
    name: "Yarn Plug'n'Play",
    packages: { '@yarnpkg/cli-dist': '4' },
    installer: 'yarn',
    steps: [
      ['yarn', 'node', 'import-first.mjs'],
      ['yarn', 'node', 'require-first.cjs'],
    ],
  },
];
