import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newerOf } from '../../src/internal/node/package-version.js';
import { SDK_MAJOR, SDK_VERSION } from '../../src/internal/version.js';
import type { OpenTelemetryStatus } from '../../src/model/open-telemetry-status.js';
import { changeVersion } from '../support/change-version.js';

const OWN_API: string = JSON.parse(readFileSync('node_modules/@opentelemetry/api/package.json', 'utf8')).version;
const OWN = pathToFileURL(resolve('dist/index.mjs')).href;
const SDK = resolve('node_modules/@opentelemetry/sdk-trace-base');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'faultline-copies-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Application {
  /** Version of the `@opentelemetry/api` that the application itself finds; without it, the one that Faultline has. */
  readonly api?: string;
  /** Whether the application finds a Faultline of its own. */
  readonly hasFaultline?: boolean;
}

/** Installs what an application finds in its `node_modules`: copies of the real packages, under another version. */
function install(name: string, { api, hasFaultline = false }: Application): string {
  const root = join(folder, name);
  const scope = join(root, 'node_modules', '@opentelemetry');
  mkdirSync(scope, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{}');
  for (const one of readdirSync('node_modules/@opentelemetry')) {
    if (one !== 'api' || !api) symlinkSync(resolve('node_modules/@opentelemetry', one), join(scope, one));
  }
  if (api) {
    cpSync('node_modules/@opentelemetry/api', join(scope, 'api'), { recursive: true });
    for (const file of ['package.json', 'build/src/version.js']) {
      const path = join(scope, 'api', file);
      writeFileSync(path, readFileSync(path, 'utf8').replace(OWN_API, api));
    }
  }
  if (hasFaultline) {
    const own = join(root, 'node_modules', 'faultline');
    mkdirSync(own);
    cpSync('dist', join(own, 'dist'), { recursive: true });
    cpSync('package.json', join(own, 'package.json'));
  }
  return root;
}

/** Runs an application; `status` is what it says at its end, `stderr` what its logger has heard from warnings up. */
function run(name: string, application: Application, source: string) {
  return runIn(install(name, application), source);
}

async function runIn(root: string, source: string) {
  const file = join(root, 'app.mjs');
  const prelude = `
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    const api = require('@opentelemetry/api');
    const { BasicTracerProvider } = require(${JSON.stringify(SDK)});
    const own = await import(${JSON.stringify(OWN)});
    const listen = () => api.diag.setLogger({ ...console, warn: console.error }, api.DiagLogLevel.WARN);
    const options = { dsn: 'http://key@127.0.0.1:1/1', tracesSampleRate: 1 };
    const beside = { ...options, skipOpenTelemetrySetup: true };
    const register = ({ textMapPropagator, contextManager, ...parts }) => {
      api.trace.setGlobalTracerProvider(new BasicTracerProvider(parts));
      api.context.setGlobalContextManager(contextManager);
      api.propagation.setGlobalPropagator(textMapPropagator);
    };
  `;
  writeFileSync(file, `${prelude}${source}\nconsole.log(JSON.stringify(client.openTelemetryStatus()));`);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { timeout: 50_000 });
  const status: OpenTelemetryStatus = JSON.parse(stdout);
  return { status, codes: status.problems.map(({ code }) => code), stderr };
}

describe('two copies of @opentelemetry/api', () => {
  it('an older one that came first: Faultline sees no registered globals', async () => {
    const { status, codes, stderr } = await run(
      'older',
      { api: '1.8.0' },
      'listen(); register(own.openTelemetry()); const client = own.init(beside);',
    );
    expect(codes).toEqual(['api-version-conflict']);
    expect(status.versions).toMatchObject({ api: OWN_API, registeredApi: '1.8.0', otherApis: ['1.8.0'] });
    expect(status.trace.owner).toBe('application');
    expect(status.problems[0]).toMatchObject({
      message: expect.stringContaining(`1.8.0 and ${OWN_API}; 1.8.0 was first`),
      remedy: `npm install @opentelemetry/api@${OWN_API} && npm dedupe`,
    });
    // The logger was given to the other copy, and hears of it all the same.
    expect(stderr).toContain('faultline/open-telemetry api-version-conflict: ');
  });

  it('one of another version that came first: init can register nothing', async () => {
    const { codes, stderr } = await run(
      'first',
      { api: newerOf(OWN_API, '1.99.0') },
      'listen(); const client = own.init(options);',
    );
    expect(codes).toEqual(['api-version-conflict']);
    expect(stderr).toContain('faultline/open-telemetry api-version-conflict: ');
  });

  it('Faultline’s came first: the application cannot register globals', async () => {
    const { status, codes } = await run(
      'refused',
      { api: '1.99.0' },
      'own.init({ ...beside, debug: true }); const client = own.getClient(); register(own.openTelemetry());',
    );
    expect(codes).toEqual(['api-version-conflict']);
    expect(status.problems[0]!.remedy).toBe('npm install @opentelemetry/api@1.99.0 && npm dedupe');
  });

  it('one of another major version', async () => {
    const { codes } = await run(
      'major',
      { api: '2.0.0' },
      'const client = own.init(beside); register(own.openTelemetry());',
    );
    expect(codes).toEqual(['api-of-another-major']);
  });

  it('a newer one that came first is no problem', async () => {
    const { status, codes, stderr } = await run(
      'newer',
      { api: '1.99.0' },
      'listen(); register(own.openTelemetry()); const client = own.init(beside);',
    );
    expect(codes).toEqual([]);
    expect(status.versions).toMatchObject({ registeredApi: '1.99.0', otherApis: ['1.99.0'] });
    expect(stderr).toBe('');
  });

  it('of the same version are no problem', async () => {
    const { codes } = await run(
      'same',
      { api: OWN_API },
      'const client = own.init(beside); register(own.openTelemetry());',
    );
    expect(codes).toEqual([]);
  });

  it('with debug, the problem is written to stderr', async () => {
    const { stderr } = await run(
      'debug',
      { api: '1.8.0' },
      'listen(); const client = own.init({ ...beside, debug: true });',
    );
    expect(stderr).toContain('[error] faultline/debug another version of @opentelemetry/api');
  });
});

describe('an @opentelemetry/api', () => {
  it('that is older than Faultline needs', async () => {
    const { status, codes } = await run(
      'too-old',
      { api: '1.8.0', hasFaultline: true },
      "const { init } = await import('faultline'); const client = init(options);",
    );
    expect(codes).toEqual(['api-too-old']);
    expect(status.versions.api).toBe('1.8.0');
    expect(status.problems[0]!.remedy).toBe('npm install @opentelemetry/api@^1.9.0');
  });
});

describe('two copies of Faultline', () => {
  const FAULTLINE = { hasFaultline: true };
  const IMPORT = `
    const other = await import('faultline');
    const assert = require('node:assert/strict');
    const events = [];
    const keep = (event) => { events.push(event); return null; };
    const kept = { ...options, beforeSend: keep, beforeSendTransaction: keep };
  `;

  it.each([
    ['with an init each', 'own.init(options); const client = other.init(options);'],
    ['beside an OTel setup', 'const client = own.init(beside); register(other.openTelemetry());'],
  ])('%s: a note says that they share', async (name, source) => {
    const { codes, status } = await run(name.replaceAll(' ', '-'), FAULTLINE, `${IMPORT} ${source}`);
    expect(codes).toEqual([]);
    const { faultline } = status.versions;
    expect(status.notes).toContainEqual({
      code: 'copies-share',
      feature: 'everything',
      message: expect.stringContaining(`2 times (${faultline}, ${faultline})`),
      remedy: `npm install faultline@${faultline} && npm dedupe`,
    });
  });

  it('have one client and the same scopes', async () => {
    await run(
      'shared',
      FAULTLINE,
      `${IMPORT}
      const client = own.init(kept);
      assert.equal(other.getClient(), client);
      other.setTag('from', 'other');
      own.getGlobalScope().setTag('global', 'own');
      other.withScope((scope) => {
        scope.setTag('within', 'other');
        own.withScope(() => own.captureMessage('one'));
      });
      const given = new other.Scope();
      given.setTag('given', 'other');
      own.captureMessage('two', given);
      await client.flush();
      assert.deepEqual(events[0].tags, { global: 'own', from: 'other', within: 'other' });
      assert.deepEqual(events[1].tags, { global: 'own', from: 'other', given: 'other' });`,
    );
  });

  it('make one transaction of the spans of both', async () => {
    await run(
      'one-transaction',
      FAULTLINE,
      `${IMPORT}
      const client = own.init(kept);
      other.startSpan({ name: 'root' }, () => own.startSpan({ name: 'child' }, () => other.startSpan({ name: 'leaf' }, () => {})));
      await client.flush();
      assert.deepEqual(events.map(({ transaction, spans }) => [transaction, spans.map((span) => span.description)]), [['root', ['leaf', 'child']]]);`,
    );
  });

  it('a second init, by the other copy, takes over', async () => {
    await run(
      'takes-over',
      FAULTLINE,
      `${IMPORT}
      const first = own.init(kept);
      const client = other.init({ ...kept, release: '2' });
      assert.equal(own.getClient(), client);
      own.startSpan({ name: 'root' }, () => own.captureMessage('one'));
      await client.flush();
      assert.deepEqual(events.map(({ release }) => release), ['2', '2']);`,
    );
  });

  it('init of one names the mistakes in what the other was given', async () => {
    const { status } = await run(
      'mistakes',
      FAULTLINE,
      `${IMPORT}
      const client = own.init({ ...kept, integrations: [other.consoleIntegration({ level: ['warn'] })] });`,
    );
    expect(status.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('consoleIntegration: level: there is no such option'),
    ]);
  });

  it('share what a version without the newer members has made', async () => {
    await run(
      'fewer-members',
      FAULTLINE,
      `Object.defineProperty(globalThis, Symbol.for('faultline.v${SDK_MAJOR}'), { value: {} });
      ${IMPORT}
      const client = own.init(kept);
      other.startSpan({ name: 'root' }, () => own.captureMessage('one'));
      await client.flush();
      assert.deepEqual(events.map(({ message, transaction }) => message ?? transaction).sort(), ['one', 'root']);`,
    );
  });

  it.each([
    ['first', 'await first.close(100); await client.close(100);'],
    ['last', 'await client.close(100); await first.close(100);'],
  ])('leave nothing patched once both are closed, the one that began first %s', async (name, close) => {
    await run(
      `closed-${name}`,
      FAULTLINE,
      `
      const { channel } = require('node:diagnostics_channel');
      const http = require('node:http');
      const https = require('node:https');
      const assert = require('node:assert/strict');
      const channels = [
        'net.server.socket', 'http.server.request.start', 'http.client.request.created', 'http.client.response.finish',
        'http.client.request.error', 'undici:request:create', 'undici:client:sendHeaders', 'undici:request:headers',
        'undici:request:trailers', 'undici:request:error', 'child_process', 'worker_threads', 'fastify.initialization',
      ].map((one) => channel(one));
      const server = http.createServer((incoming, response) => response.end());
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = 'http://127.0.0.1:' + server.address().port;
      const request = async () => {
        await (await fetch(url)).text();
        await new Promise((resolve) => {
          http.get(url, { agent: false }, (response) => response.resume().on('end', resolve));
        });
      };
      const membersOf = (object) => Reflect.ownKeys(object).map((key) => {
        const { value, get } = Object.getOwnPropertyDescriptor(object, key);
        return [key, value ?? get];
      });
      const takeState = () => ({
        console: membersOf(console),
        http: [http, https, http.Server.prototype, http.ClientRequest.prototype, http.ServerResponse.prototype].map(membersOf),
        emit: [Object.hasOwn(server, 'emit'), server.emit],
        functions: membersOf(Function.prototype),
        channels: channels.map((one) => [one.name, one.hasSubscribers, Object.hasOwn(one, 'publish')]),
        listeners: process.eventNames().map((event) => [event, process.rawListeners(event)]),
        stackTraceLimit: Error.stackTraceLimit,
        globals: membersOf(globalThis).filter(([key]) => typeof key === 'string'),
      });
      await request();
      const before = takeState();
      const other = await import('faultline');
      const first = own.init(options);
      await request();
      const client = other.init({ ...options, stackTraceLimit: 100 });
      await request();
      const during = takeState();
      for (const part of ['console', 'emit', 'functions', 'channels', 'listeners', 'stackTraceLimit']) {
        assert.notDeepEqual(during[part], before[part], part);
      }
      ${close}
      assert.deepEqual(takeState(), before);
      server.close();
      server.closeAllConnections();`,
    );
  });

  it('of versions that differ in the last number share everything', async () => {
    const root = install('patch', FAULTLINE);
    changeVersion(join(root, 'node_modules/faultline'), SDK_VERSION.replace(/\d+$/, '99'));
    const { codes } = await runIn(
      root,
      `${IMPORT}
      const client = own.init(kept);
      assert.equal(other.getClient(), client);`,
    );
    expect(codes).toEqual([]);
  });

  it.each(['9.1.0', '0.99.0'])(
    'of an incompatible version, %s, share nothing, and a problem says so',
    async (version) => {
      const root = install(`incompatible-${version}`, FAULTLINE);
      changeVersion(join(root, 'node_modules/faultline'), version);
      const { codes, status } = await runIn(
        root,
        `${IMPORT}
      const client = own.init(kept);
      assert.equal(other.getClient(), undefined);
      other.setTag('from', 'other');
      other.withScope((scope) => {
        scope.setTag('within', 'other');
        own.captureMessage('one');
      });
      await client.flush();
      assert.equal(events[0].tags, undefined);
      other.init({ ...beside, debug: false });`,
      );
      expect(codes).toContain('loaded-twice');
      expect(status.problems.find(({ code }) => code === 'loaded-twice')?.remedy).toBe(
        `npm install faultline@${version} && npm dedupe`,
      );
    },
  );

  it('of different major versions, of which one only makes a part, are not said to have called init', async () => {
    const root = install('part-of-major', FAULTLINE);
    changeVersion(join(root, 'node_modules/faultline'), '9.1.0');
    const { codes, stderr } = await runIn(
      root,
      `${IMPORT}
      own.captureMessage('one');
      new other.FaultlineSampler();
      own.captureMessage('two');
      const client = own.init(beside);`,
    );
    expect(codes).toContain('loaded-twice');
    expect(stderr).toMatch(/captures before init: 2/);
    expect(stderr).not.toMatch(/init was called in/);
  });
});
