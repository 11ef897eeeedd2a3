import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from './support/receiver.js';

const ROOT = new URL('..', import.meta.url).pathname;

let receiver: Receiver;
/** Of an application that has the package installed. */
let folder: string;
beforeEach(async () => {
  receiver = await startReceiver();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'faultline-app-')));
  write({ 'package.json': '{}' });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/faultline'));
});
afterEach(async () => {
  await receiver.close();
  rmSync(folder, { recursive: true });
});

function write(files: Record<string, string>): void {
  for (const [name, source] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source);
  }
}

const IMPORT = ['--import', 'faultline/register'];
const REQUIRE = ['--require', 'faultline/register'];
const APP = "require('faultline').captureMessage('from the app');";

interface RunOptions {
  how?: string[];
  /** What Node is told to run, within the folder. */
  main?: string[];
  env?: Record<string, string>;
  cwd?: string;
}

function run({ how = IMPORT, main = ['app.cjs'], env = {}, cwd = folder }: RunOptions = {}) {
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((done) => {
    execFile(
      process.execPath,
      [...how, ...main],
      {
        cwd,
        env: { ...process.env, NODE_OPTIONS: '', FAULTLINE_DSN: receiver.dsn, FAULTLINE_RELEASE: 'of the env', ...env },
        timeout: 50_000,
      },
      (error, stdout, stderr) => done({ status: error?.code ?? error?.signal ?? 0, stdout, stderr }),
    );
  });
}

const OK = { status: 0, stdout: '', stderr: '' };
const releases = () => receiver.events.map(({ release, environment }) => `${release} ${environment}`);

describe('a configuration beside the application', () => {
  it.each<[string, string, string]>([
    ['faultline.config.cjs', '{}', "module.exports = { environment: 'configured' };"],
    ['faultline.config.mjs', '{}', "export default { environment: 'configured' };"],
    ['faultline.config.js', '{}', "module.exports = { environment: 'configured' };"],
    ['faultline.config.js', '{}', "export default { environment: 'configured' };"],
    ['faultline.config.js', '{ "type": "module" }', "export default { environment: 'configured' };"],
    ['faultline.config.js', '{ "type": "commonjs" }', "exports.default = { environment: 'configured' };"],
    ['faultline.config.js', '{ "type": "module" }', "export const environment = 'configured';"],
    ['faultline.config.mjs', '{}', "export default () => ({ environment: 'configured' });"],
  ])('is read with --import and with --require: %s under %s with %s', async (name, manifest, source) => {
    write({ 'package.json': manifest, [name]: source, 'app.cjs': APP });
    expect(await run()).toEqual(OK);
    expect(await run({ how: REQUIRE })).toEqual(OK);
    expect(releases()).toEqual(['of the env configured', 'of the env configured']);
  });

  it('wins over environment variables, which fill in what it leaves out', async () => {
    write({ 'app.cjs': APP, 'faultline.config.cjs': "module.exports = { release: 'of the file' };" });
    await run({ env: { FAULTLINE_ENVIRONMENT: 'of the env' } });
    expect(releases()).toEqual(['of the file of the env']);
  });

  it('may hold hooks, and integrations of the package', async () => {
    write({
      'app.mjs': "import { captureMessage } from 'faultline'; captureMessage('from the app');",
      'faultline.config.mjs': `import { rewriteFramesIntegration } from 'faultline';
        export default {
          integrations: [rewriteFramesIntegration()],
          beforeSend: (event) => ({ ...event, message: event.message + ', seen' }),
        };`,
    });
    expect(await run({ main: ['app.mjs'] })).toEqual(OK);
    expect(receiver.events.map(({ message }) => message)).toEqual(['from the app, seen']);
    expect(receiver.events[0]!.sdk.integrations).toContain('RewriteFrames');
  });

  const there = { 'app/faultline.config.cjs': "module.exports = { environment: 'beside' };" };
  const here = { 'faultline.config.cjs': "module.exports = { environment: 'in the working directory' };" };
  const linked = { 'links/faultline.config.cjs': "module.exports = { environment: 'beside the link' };" };
  const built = {
    'service/package.json': '{ "main": "dist/main.js" }',
    'service/dist/main.js': APP,
    'service/dist/faultline.config.cjs': "module.exports = { environment: 'built' };",
  };
  const EVALUATED = ['-e', APP, 'app/main.cjs'];
  it.each<[string, Record<string, string>, string[], string]>([
    ['beside the main script', { ...there, ...here }, ['app/main.cjs'], 'beside'],
    ['in the working directory', here, ['app/main.cjs'], 'in the working directory'],
    ['beside a main script without extension', there, ['app/index'], 'beside'],
    ['in a folder that is run', there, ['app'], 'beside'],
    ['beside the target of a link', { ...there, ...here }, ['link.cjs'], 'beside'],
    ['beside a link, where its target has none', { ...linked, ...here }, ['links/link.cjs'], 'beside the link'],
    ['beside the main script of a folder', { ...built, ...here }, ['service'], 'built'],
    ['in the working directory, without a script', here, ['-e', APP], 'in the working directory'],
    [
      'in the working directory, whatever a script is given',
      { ...there, ...here },
      EVALUATED,
      'in the working directory',
    ],
    ['nowhere, beside what a script is given', there, EVALUATED, 'production'],
    ['nowhere', {}, ['app/main.cjs'], 'production'],
  ])('is found %s', async (_, files, main, environment) => {
    write({ 'app/main.cjs': APP, 'app/index.js': APP, ...files });
    symlinkSync(join(folder, 'app/main.cjs'), join(folder, 'link.cjs'));
    mkdirSync(join(folder, 'links'), { recursive: true });
    symlinkSync(join(folder, 'app/main.cjs'), join(folder, 'links/link.cjs'));
    expect(await run({ main })).toEqual(OK);
    expect(releases()).toEqual([`of the env ${environment}`]);
  });

  it.each<[string, string, string]>([
    ['a promise', 'mjs', "export default async () => ({ environment: 'configured' });"],
    ['a module that waits', 'mjs', "console.log('read'); await null; export default { environment: 'configured' };"],
  ])('that is %s is waited for', async (_, extension, source) => {
    write({ [`faultline.config.${extension}`]: source, 'app.cjs': `setTimeout(() => { ${APP} }, 50);` });
    for (const how of [IMPORT, REQUIRE]) {
      expect(await run({ how })).toEqual({ ...OK, stdout: source.includes('read') ? 'read\n' : '' });
    }
    expect(releases()).toEqual(['of the env configured', 'of the env configured']);
  });

  it('that is an ES module is read where Node was told not to require such', async () => {
    const source = "export default { environment: 'configured' };";
    write({ 'faultline.config.mjs': source, 'app.cjs': `setTimeout(() => { ${APP} }, 50);` });
    expect(await run({ how: ['--no-experimental-require-module', ...REQUIRE] })).toEqual(OK);
    expect(releases()).toEqual(['of the env configured']);
  });
});

describe('a configuration that', () => {
  /** With what is said of it on stderr, in debug mode. */
  const BAD: Array<[string, string, RegExp]> = [
    ['throws', "throw new Error('not today');", /faultline\.config\.cjs fails.*not today/],
    ['cannot be parsed', 'module.exports = {', /faultline\.config\.cjs fails.*SyntaxError/],
    ['throws when called', "module.exports = () => { throw new Error('not today'); };", /fails.*not today/],
    ['rejects', "module.exports = Promise.reject(new Error('not today'));", /fails.*not today/],
    ['makes no options', 'module.exports = () => 42;', /fails.*must export options.*42/],
    ['has a bad option', 'module.exports = { sampleRate: 7 };', /sampleRate: must be a number from 0 to 1, but is 7/],
    ['holds a name that is none', 'module.exports = { dns: 7 };', /dns: there is no such option/],
  ];

  it.each(BAD)('%s leaves the application alone, and Faultline with its variables', async (_, source) => {
    write({ 'faultline.config.cjs': source, 'app.cjs': `setTimeout(() => { ${APP} }, 20);` });
    expect(await run({ env: { FAULTLINE_QUIET: 'true' } })).toEqual(OK);
    expect(releases()).toEqual(['of the env production']);
  });

  it.each(BAD.slice(0, 5))('%s is named on stderr', async (_, source, message) => {
    write({ 'faultline.config.cjs': source, 'app.cjs': `setTimeout(() => { ${APP} }, 20);` });
    const { stderr } = await run({});
    expect(stderr).toMatch(/^faultline: .*and Faultline starts without its options\n$/);
    expect(stderr).toMatch(message);
  });

  it.each(BAD)('%s is reported once', async (_, source, message) => {
    write({ 'faultline.config.cjs': source, 'app.cjs': APP });
    const { status, stderr } = await run({ how: REQUIRE, env: { FAULTLINE_DEBUG: 'true' } });
    expect(status).toBe(0);
    // With a promise, the application captures before the SDK starts, which is another warning.
    const reported = stderr.split('\n').filter((line) => /^\[(error|warn)\]/.test(line) && !/before init/.test(line));
    expect(reported).toHaveLength(1);
    expect(stderr.replaceAll('\n', ' ')).toMatch(message);
  });
});

it('an application that sets OpenTelemetry up keeps its spans with the variable that stderr names', async () => {
  symlinkSync(join(ROOT, 'node_modules/@opentelemetry'), join(folder, 'node_modules/@opentelemetry'));
  const source = `
    const { trace } = require('@opentelemetry/api');
    const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    trace.getTracer('shop').startSpan('checkout').end();
    console.log(exporter.getFinishedSpans().length);`;
  write({ 'app.cjs': source });
  const { stdout, stderr } = await run();
  expect(stdout).toBe('0\n');
  const [, name, value] = /no span reaches your exporters\. .* set (FAULTLINE_\w+)=(\w+)/.exec(stderr)!;
  expect(await run({ env: { [name!]: value! } })).toEqual({ ...OK, stdout: '1\n' });
});

it.each([[IMPORT], [REQUIRE]])('worker threads are configured as the application is: %s', async (how) => {
  write({
    'faultline.config.cjs': "module.exports = { environment: 'configured' };",
    'main.cjs': `require('faultline').captureMessage('main');
      const { Worker } = require('node:worker_threads');
      new Worker('./workers/worker.cjs').on('error', () => {});`,
    'workers/faultline.config.cjs': "module.exports = { environment: 'of somebody else' };",
    'workers/worker.cjs': `const { captureMessage, flush } = require('faultline');
      captureMessage('worker');
      setInterval(() => {}, 1000);
      flush().then(() => setImmediate(() => { throw new Error('thrown'); }));`,
  });
  expect(await run({ how, main: ['main.cjs'] })).toEqual(OK);
  const messages = receiver.events.map(({ message, exception }) => message ?? exception.values[0]!.value);
  expect(messages.sort()).toEqual(['main', 'thrown', 'worker']);
  expect(new Set(releases())).toEqual(new Set(['of the env configured']));
  // One run of the process, which the worker did not end.
  expect(new Set(receiver.items('session').map(({ json }) => json!['sid'])).size).toBe(1);
});

it("a preload of the application's own starts it in the application, and in the thread of module hooks nothing", async () => {
  write({
    'instrument.cjs': `const { isMainThread } = require('node:worker_threads');
    const { writeSync } = require('node:fs');
    const client = require('faultline').init({ environment: isMainThread ? 'main' : 'hooks' });
    writeSync(1, (isMainThread ? 'main ' : 'hooks ') + client.getOptions().enabled + '\\n');
    require('faultline').captureMessage('preloaded');`,
    'app.cjs': "require('node:module').register('data:text/javascript,export{}'); import('faultline');",
  });
  const { stdout, ...rest } = await run({ how: ['--require', './instrument.cjs'] });
  expect(rest).toEqual({ status: 0, stderr: '' });
  expect(stdout.split('\n').sort()).toEqual(['', 'hooks false', 'main true']);
  expect(receiver.events.map(({ environment }) => environment)).toEqual(['main']);
});

it.each([
  ['--import', IMPORT],
  ['--require', REQUIRE],
])('with %s the thread of module hooks, which runs preloads too, is left alone', async (_, how) => {
  write({
    'app.cjs': `require('node:module').register('data:text/javascript,export{}');
    import('faultline').then(({ isInitialized }) => console.log(isInitialized()));`,
  });
  expect(await run({ how })).toEqual({ status: 0, stdout: 'true\n', stderr: '' });
});

it('an instrument file that is required leaves the thread alone in which Node runs module hooks', async () => {
  write({
    'instrument.cjs': "require('faultline').init();",
    'hooks.mjs': 'export const resolve = (specifier, context, next) => next(specifier, context);',
    'app.mjs': `import { register } from 'node:module';
      import { captureMessage } from 'faultline';
      register('./hooks.mjs', import.meta.url);
      await import('node:path');
      captureMessage('from the app');`,
  });
  expect(await run({ how: ['--require', './instrument.cjs'], main: ['app.mjs'] })).toEqual(OK);
  expect(await run({ how: REQUIRE, main: ['app.mjs'] })).toEqual(OK);
  expect(receiver.events.map(({ message }) => message)).toEqual(['from the app', 'from the app']);
});
