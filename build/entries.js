/**
 * The entries of the package: a subpath, and the file of `src` behind it. To add one, add a line here, and build:
 * package.json gets its lines from this list.
 *
 * @type {Record<string, string>}
 */
export const ENTRIES = {
  '.': 'index.ts',
  './register': 'register.ts',
  './express': 'frameworks/express.ts',
  './fastify': 'frameworks/fastify.ts',
  './koa': 'frameworks/koa.ts',
  './hono': 'frameworks/hono.ts',
  './hapi': 'frameworks/hapi.ts',
  './connect': 'frameworks/connect.ts',
  './nest': 'frameworks/nest.ts',
  './apollo': 'frameworks/apollo.ts',
  './yoga': 'frameworks/yoga.ts',
  './node-http': 'frameworks/node-http.ts',
  './lambda': 'frameworks/lambda.ts',
  './jobs': 'frameworks/jobs.ts',
  './testing': 'testing/testing.ts',
  './receiver': 'receiver/index.ts',
  './sentry': 'sentry/sentry.ts',
  './sentry/init': 'sentry/start.ts',
  './sentry/preload': 'sentry/preload.ts',
  // The same in the peer's version 11.
  './sentry/import': 'sentry/preload.ts',
};

/** Files of `dist` that only other files of `dist` load, and the command `faultline`. */
export const INTERNAL = {
  'imported-api': 'tracing/setup/imported-api.ts',
  cli: 'cli/main.ts',
  'doctor-probe': 'cli/doctor/probe.ts',
};

/** The page of `faultline dev`: one script with its library, and one style sheet. */
export const PAGE = { page: 'cli/page/page.tsx' };

/**
 * Modules that few applications use. What only they import goes into a file of this name, which is loaded when one of
 * their functions is called; they export functions only.
 */
export const ON_DEMAND = {
  activity: 'diagnosis/activity.ts',
  'health-report': 'diagnosis/status.ts',
  'local-variables': 'integrations/local-variables/local-variables.ts',
};

/** Entries that do something when they are loaded. */
const WITH_SIDE_EFFECTS = ['.', './register', './sentry/init'];

/** @param {string} subpath @returns {string} name of its files in `dist`, without extension */
export function nameOf(subpath) {
  return subpath === '.' ? 'index' : subpath.slice(2).replaceAll('/', '-');
}

/** What package.json says of the entries. */
export function describeEntries() {
  const subpaths = Object.keys(ENTRIES);
  const fileOf = (subpath, extension) => `./dist/${nameOf(subpath)}${extension}`;
  const conditionsOf = (subpath) => ({
    import: { types: fileOf(subpath, '.d.mts'), default: fileOf(subpath, '.mjs') },
    default: { types: fileOf(subpath, '.d.cts'), default: fileOf(subpath, '.cjs') },
  });
  return {
    bin: { faultline: './dist/cli.cjs' },
    main: fileOf('.', '.cjs'),
    types: fileOf('.', '.d.cts'),
    exports: {
      ...Object.fromEntries(subpaths.map((subpath) => [subpath, conditionsOf(subpath)])),
      './package.json': './package.json',
    },
    // For `moduleResolution: node10`, which does not know `exports`.
    typesVersions: {
      '*': Object.fromEntries(
        subpaths.filter((one) => one !== '.').map((one) => [one.slice(2), [fileOf(one, '.d.cts')]]),
      ),
    },
    sideEffects: WITH_SIDE_EFFECTS.flatMap((one) => [fileOf(one, '.mjs'), fileOf(one, '.cjs')]),
  };
}
