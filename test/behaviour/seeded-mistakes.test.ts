import { beforeAll, describe, expect, it } from 'vitest';
import { type App, type AppRun, runApps } from '../support/app-runs.js';

const ALL_MILLIS = 300_000;

interface Mistake extends App {
  readonly says: RegExp;
}

const capturing = (options: string) =>
  `import { captureMessage, flush, init } from 'faultline';
   init({ ${options} });
   captureMessage('hello');
   await flush(5000);`;

/** Named by default, on one line of stderr. */
const BY_DEFAULT: readonly Mistake[] = [
  {
    name: 'a wrong key: 401',
    project: 401,
    main: capturing('dsn: process.env.DSN'),
    says: /^faultline: The destination 127\.0\.0\.1:\d+ \(project 401\) answers 401 \(status \[31m401\), so nothing .* its key may be wrong.*\n$/,
  },
  {
    name: 'a disabled key: 403',
    project: 403,
    main: capturing('dsn: process.env.DSN'),
    says: /^faultline: .* answers 403 .* its key may be wrong.*\n$/,
  },
  {
    name: 'a project that does not exist: 404',
    project: 404,
    main: capturing('dsn: process.env.DSN'),
    says: /^faultline: .* answers 404 .* its host, path or project id may be wrong.*\n$/,
  },
  {
    name: 'a redirect to https: 301',
    project: 301,
    main: capturing('dsn: process.env.DSN'),
    says: /^faultline: .* answers 301 .* put the final address into the DSN.*\n$/,
  },
  {
    name: 'a DSN without project',
    main: capturing("dsn: 'https://key@errors.example.com/'"),
    says: /^faultline: dsn: invalid DSN: .* nothing is sent, because it does not end with the number of a project.*\n$/,
  },
  {
    name: 'a DSN with a typo in the protocol, and with a secret',
    main: capturing("dsn: 'htps://key:hush@errors.example.com/1'"),
    says: /^faultline: dsn: invalid DSN: "htps:\/\/key:\[Filtered\]@.*because it begins with neither https.*\n$/,
  },
  {
    name: 'a DSN without key',
    main: capturing("dsn: 'https://errors.example.com/1'"),
    says: /^faultline: dsn: invalid DSN: .*because it has no public key.*\n$/,
  },
  {
    name: 'a DSN in an environment variable that is none',
    main: capturing(''),
    env: { FAULTLINE_DSN: 'errors.example.com' },
    says: /^faultline: dsn: invalid DSN: "errors.example.com"; nothing is sent.*\n$/,
  },
  {
    name: 'a DSN of the wrong type',
    main: capturing('dsn: new URL(process.env.DSN)'),
    says: /^faultline: dsn: must be a string, but is object; nothing is sent\n$/,
  },
  {
    name: 'a tunnel that is no URL',
    main: capturing("dsn: process.env.DSN, tunnel: '/tunnel'"),
    says: /^faultline: tunnel: "\/tunnel" is no absolute http or https URL; nothing is sent\n$/,
  },
  {
    name: 'options that do not exist, one of them a typo',
    main: capturing('dsn: process.env.DSN, tracesSamplerate: 1, colour: "red"'),
    says: /^faultline: tracesSamplerate: there is no such option; it is ignored \(did you mean `tracesSampleRate`\?\)\. colour: there is no such option; it is ignored\n$/,
  },
];

const TWICE: readonly Mistake[] = [
  {
    name: 'two clients',
    main: `import { init } from 'faultline';
      for (const dsn of ['nonsense', 'other']) init({ dsn });`,
    says: /^faultline: dsn: invalid DSN: "nonsense".*\n$/,
  },
  {
    name: 'two copies',
    otherCopy: '0.1.1',
    main: `import { init } from 'faultline';
      import * as other from './node_modules/other-faultline/dist/index.js';
      init({ dsn: 'nonsense' });
      other.init({ dsn: 'nonsense' });`,
    says: /^faultline: dsn: invalid DSN: "nonsense".*\n$/,
  },
  {
    name: 'worker threads',
    main: `import { Worker, isMainThread } from 'node:worker_threads';
      import { init } from 'faultline';
      init({ dsn: 'nonsense' });
      if (isMainThread) for (let i = 0; i < 2; i++) new Worker(new URL(import.meta.url));`,
    says: /^faultline: dsn: invalid DSN: "nonsense".*\n$/,
  },
  {
    name: 'a logger of the application, which hears it too',
    main: `import { diag, DiagLogLevel } from '@opentelemetry/api';
      import { init } from 'faultline';
      const print = (...all) => console.log(all.join(' '));
      diag.setLogger({ error: print, warn: print, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
      init({ dsn: 'nonsense' });`,
    says: /^faultline: dsn: invalid DSN: "nonsense".*\n$/,
  },
];

const QUIET: readonly App[] = [
  { name: 'quiet: true', main: capturing("dsn: 'nonsense', quiet: true, colour: 'red'") },
  { name: 'FAULTLINE_QUIET', main: capturing("dsn: 'nonsense', colour: 'red'"), env: { FAULTLINE_QUIET: 'true' } },
  { name: 'quiet: true, refused', project: 401, main: capturing('dsn: process.env.DSN, quiet: true') },
  { name: 'enabled: false', main: capturing("dsn: 'nonsense', enabled: false, colour: 'red'") },
];

/** Correct applications, which print nothing. */
const CLEAN: readonly App[] = [
  { name: 'an ES module', main: capturing('dsn: process.env.DSN') },
  {
    name: 'a CommonJS module',
    isCommonJs: true,
    main: `const { captureException, init } = require('faultline');
      init({ dsn: process.env.DSN });
      captureException(new Error('boom'));`,
  },
  {
    name: 'one with tracing',
    main: `import { init, startSpan } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, release: 'shop@1' });
      startSpan({ name: 'work' }, () => undefined);`,
  },
  {
    name: 'one beside an OpenTelemetry setup of its own',
    main: `import { NodeSDK } from '@opentelemetry/sdk-node';
      import { init, openTelemetry, startSpan } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      new NodeSDK({ ...openTelemetry(), metricReaders: [], logRecordProcessors: [] }).start();
      startSpan({ name: 'work' }, () => undefined);`,
    env: { OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' },
  },
  {
    name: 'one that is started by faultline/register',
    main: `import { captureMessage } from 'faultline'; captureMessage('hello');`,
    files: { 'faultline.config.js': 'export default { dsn: process.env.DSN };' },
    nodeOptions: ['--import', 'faultline/register'],
  },
  {
    name: 'one with a worker thread',
    main: `import { Worker, isMainThread } from 'node:worker_threads';
      import { captureMessage, close, init } from 'faultline';
      init({ dsn: process.env.DSN });
      captureMessage('hello');
      if (isMainThread) new Worker(new URL(import.meta.url));
      await close(5000);`,
  },
  {
    name: 'an Express application',
    main: `import express from 'express';
      import { captureMessage, close, init } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1 });
      const app = express();
      app.get('/', (_, response) => { captureMessage('hello'); response.send('hi'); });
      const server = app.listen(0, '127.0.0.1', async () => {
        await (await fetch('http://127.0.0.1:' + server.address().port)).text();
        server.close();
        await close(5000);
      });`,
  },
  { name: 'a script that ends at once', main: `import { init } from 'faultline'; init({ dsn: process.env.DSN });` },
  { name: 'one without a DSN, on purpose', main: capturing('') },
  { name: 'one with an empty DSN, on purpose', main: capturing("dsn: ''"), env: { FAULTLINE_DSN: '' } },
  { name: 'one that is turned off', main: capturing('dsn: process.env.DSN, enabled: false') },
];

const SENDS_NOTHING = new Set(CLEAN.slice(-4).map(({ name }) => name));

let runs: ReadonlyMap<string, AppRun>;
beforeAll(async () => {
  runs = await runApps([...BY_DEFAULT, ...TWICE, ...QUIET, ...CLEAN]);
}, ALL_MILLIS);

describe('one line on stderr names', () => {
  it.each(BY_DEFAULT)('$name', ({ name, says }) => {
    expect(runs.get(name)).toMatchObject({ status: 0, stdout: '', stderr: expect.stringMatching(says) });
  });
});

describe('the line is written once with', () => {
  it.each(TWICE)('$name', ({ name, says }) => {
    expect(runs.get(name)).toMatchObject({ status: 0, stderr: expect.stringMatching(says) });
  });

  it('an application that logs diag, where both get it', () => {
    expect(runs.get('a logger of the application, which hears it too')?.stdout).toMatch(
      /^faultline\/init dsn: invalid/,
    );
  });
});

describe('no line is written with', () => {
  it.each(QUIET)('$name', ({ name }) => {
    expect(runs.get(name)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
});

describe('a correct application prints nothing:', () => {
  it.each(CLEAN)('$name', ({ name }) => {
    const { accepted, ...run } = runs.get(name)!;
    expect(run).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(accepted > 0).toBe(!SENDS_NOTHING.has(name));
  });
});
