import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setupConnectErrorHandler } from '../../../src/frameworks/connect.js';
import { setupExpressErrorHandler } from '../../../src/frameworks/express.js';
import { setupFastifyErrorHandler } from '../../../src/frameworks/fastify.js';
import { setupHapiErrorHandler } from '../../../src/frameworks/hapi.js';
import { setupHonoErrorHandler } from '../../../src/frameworks/hono.js';
import { wrapJob } from '../../../src/frameworks/jobs.js';
import { setupKoaErrorHandler } from '../../../src/frameworks/koa.js';
import { wrapHandler } from '../../../src/frameworks/lambda.js';
import { setupNestErrorHandler } from '../../../src/frameworks/nest.js';
import { wrapRequestHandler } from '../../../src/frameworks/node-http.js';
import { getClient, init } from '../../../src/index.js';
import { resetOpenTelemetry } from '../../support/story.js';

const logged: string[] = [];
beforeEach(() => {
  init({ dsn: 'http://key@127.0.0.1:1/1', defaultIntegrations: false, quiet: true });
  const log = (_namespace: string, message: unknown) => logged.push(String(message));
  diag.setLogger({ error: log, warn: log, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
});
afterEach(async () => {
  await getClient()?.close(1);
  resetOpenTelemetry();
  diag.disable();
  logged.length = 0;
});

const SETUPS = {
  setupConnectErrorHandler,
  setupExpressErrorHandler,
  setupFastifyErrorHandler,
  setupHapiErrorHandler,
  setupHonoErrorHandler,
  setupKoaErrorHandler,
  setupNestErrorHandler,
};

it.each(Object.entries(SETUPS))('%s says that it was called with something else than an application', (name, setUp) => {
  for (const app of [undefined, {}, {}]) expect((setUp as (app: unknown) => unknown)(app)).toBeUndefined();
  expect(logged).toHaveLength(2);
  for (const message of logged)
    expect(message).toContain(`${name}: the first argument must be the application, but is`);
});

it('the setup function of Koa adds nothing to an application of Express', () => {
  const calls: string[] = [];
  const methods = ['use', 'handle', 'emit'].map((method) => [method, () => calls.push(method)]);
  setupKoaErrorHandler(Object.fromEntries(methods));
  expect(calls).toEqual([]);
  expect(logged).toEqual([expect.stringContaining('is an object without callback()')]);
});

it('a setup function does not throw what a method of the application throws', () => {
  const addHook = () => {
    throw new Error('Fastify instance is already listening');
  };
  setupFastifyErrorHandler({ addHook, setErrorHandler: () => undefined });
  expect(logged).toEqual([
    expect.stringMatching(/^setupFastifyErrorHandler: it threw: Error: Fastify instance is already .*;/),
  ]);
});

it('wrapJob with its arguments in the wrong order says so, and returns the function', () => {
  const job = () => 'done';
  expect((wrapJob as (...args: unknown[]) => unknown)(job, 'nightly')).toBe(job);
  expect(logged).toEqual([expect.stringContaining('wrapJob: the handler must be a function, but is')]);
});

it.each(Object.entries({ wrapHandler, wrapRequestHandler }))(
  '%s without a function says so, and returns what it got',
  (name, wrap) => {
    expect((wrap as (handler?: unknown) => unknown)()).toBeUndefined();
    expect(logged).toEqual([expect.stringContaining(`${name}: the handler must be a function, but is`)]);
  },
);

it('says that routes are there already, whose errors are missed', () => {
  const hono = (method: string) => ({ use: () => undefined, onError: () => undefined, routes: [{ method }] });
  setupHonoErrorHandler(hono('ALL') as never);
  const nest = (isInitialized: boolean) => ({
    useGlobalFilters: () => undefined,
    useGlobalInterceptors: () => undefined,
    isInitialized,
  });
  setupNestErrorHandler(nest(false));
  expect(logged).toEqual([]);
  setupHonoErrorHandler(hono('GET') as never);
  setupNestErrorHandler(nest(true));
  expect(logged).toEqual([
    expect.stringContaining('setupHonoErrorHandler: it misses errors of routes that are there'),
    expect.stringContaining('setupNestErrorHandler: it misses routes that are there: call it before listen()'),
  ]);
});

it.each(Object.entries({ setupKoaErrorHandler, setupHonoErrorHandler }))(
  'a request goes on behind %s that is passed to app.use',
  async (name, setUp) => {
    const middleware = setUp as unknown as (context: object, next: () => Promise<string>) => unknown;
    for (let i = 0; i < 2; i++) expect(await middleware({ req: {} }, async () => 'answered')).toBe('answered');
    expect(logged).toEqual([
      expect.stringContaining(`${name}: is not a middleware and captures no errors: call ${name}(app)`),
    ]);
  },
);
