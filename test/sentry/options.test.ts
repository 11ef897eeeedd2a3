import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { diag } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Envelope } from '../../src/model/delivery/envelope.js';
import type { TransportOptions } from '../../src/model/delivery/transport.js';
import * as Sentry from '../../src/sentry/sentry.js';
import { reset } from '../../src/testing/testing.js';
import { runScript } from '../integrations/run-script.js';

const warn = vi.fn<(...parts: unknown[]) => void>();

beforeEach(() => {
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, { suppressOverrideMessage: true });
});

afterEach(async () => {
  warn.mockClear();
  await Sentry.close(0);
  await reset();
});

it('knows every option of the peer', () => {
  Sentry.init({
    enabled: false,
    clientReportFlushInterval: 1000,
    disableInstrumentationWarnings: true,
    enhanceFetchErrorMessages: 'always',
    integrations: [Sentry.eventFiltersIntegration({ disableErrorDefaults: true, ignoreErrors: ['noise'] })],
    maxSpanWaitDuration: 10,
    openTelemetryBasicTracerProvider: true,
    parentSpanIsAlwaysRootSpan: true,
    registerEsmLoaderHooks: true,
    stackParser: Sentry.defaultStackParser,
    streamGenAiSpans: true,
    traceLifecycle: 'static',
    transport: Sentry.makeNodeTransport,
    _experiments: { enableLogs: true },
    _flushInterval: 5,
  });
  expect(warn.mock.calls).toEqual([]);
  expect(Sentry.getClient()?.getOptions()).toMatchObject({
    clientReportIntervalMillis: 1000,
    ignoreErrors: ['noise'],
    transport: undefined,
  });
});

it.each([undefined, 0, -5, Number.NaN, 'soon'])(
  'a transport that is made directly waits for answers, with the timeout %s',
  async (timeoutMillis) => {
    const server = http.createServer((_, response) => void setTimeout(() => response.end('{}'), 50));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/1/envelope/`;
    const drop = vi.fn();
    const options = { url, timeoutMillis, recordDroppedEvent: drop } as unknown as TransportOptions;
    const transport = Sentry.makeNodeTransport(options);
    try {
      const envelope: Envelope = [{}, [[{ type: 'event' }, { message: 'late answer' }]]];
      expect(await transport.send(envelope)).toMatchObject({ statusCode: 200 });
      expect(drop).not.toHaveBeenCalled();
    } finally {
      transport.close();
      server.close();
    }
  },
);

it('leaves errors of startSpan to those who catch them, unless asked to capture them', () => {
  Sentry.init({ enabled: false });
  expect(Sentry.getClient()?.getOptions().captureSpanErrors).toBe(false);
  Sentry.init({ enabled: false, captureSpanErrors: true });
  expect(Sentry.getClient()?.getOptions().captureSpanErrors).toBe(true);
});

it('a variable for errors of startSpan is not overruled', () => {
  vi.stubEnv('FAULTLINE_CAPTURE_SPAN_ERRORS', 'true');
  Sentry.init({ enabled: false });
  vi.unstubAllEnvs();
  expect(Sentry.getClient()?.getOptions().captureSpanErrors).toBe(true);
});

it.each([
  [{ enableTracing: true }, 1],
  [{ enableTracing: true, tracesSampleRate: 0.5 }, 0.5],
  [{ enableTracing: true, tracesSampler: () => 0 }, undefined],
  [{ enableTracing: false }, undefined],
])('the rate for traces of version 8: %o', (options, rate) => {
  Sentry.init({ enabled: false, ...options });
  expect(Sentry.getClient()?.getOptions().tracesSampleRate).toBe(rate);
});

it('says that sessions are still sent', () => {
  Sentry.init({ enabled: false, autoSessionTracking: false });
  expect(warn.mock.calls.flat().join(' ')).toMatch(/autoSessionTracking: false.*ProcessSession/);
});

it('says once that spans are not streamed', () => {
  Sentry.init({ enabled: false, traceLifecycle: 'stream' });
  Sentry.init({ enabled: false, traceLifecycle: 'stream' });
  expect(warn.mock.calls.flat().join(' ').split('traceLifecycle')).toHaveLength(2);
});

it.each([
  ['prints an unhandled rejection and goes on, as with the peer', '{}', 0],
  [
    'ends the process when that is asked for',
    `{ integrations: [Sentry.onUnhandledRejectionIntegration({ mode: 'strict' })] }`,
    1,
  ],
  ['leaves unhandled rejections to Node without default integrations', '{ defaultIntegrations: false }', 1],
])('%s', async (_title, options, status) => {
  const run = await runScript(
    `import * as Sentry from 'faultline/sentry'; Sentry.init(${options}); Promise.reject(new Error('rejected'));`,
  );
  expect(run).toMatchObject({ status, stderr: expect.stringContaining('Error: rejected') });
});

it('ignores rejections by name, as strings, patterns or objects', () => {
  const integration = Sentry.onUnhandledRejectionIntegration({ ignore: ['A', /^B/, { name: 'C' }] });
  expect(integration.name).toBe('OnUnhandledRejection');
  expect(warn.mock.calls).toEqual([]);
});

it('ignores rejections by a pattern of another realm, such as that of a test runner', async () => {
  const run = await runScript(
    `import { runInNewContext } from 'node:vm';
    import * as Sentry from 'faultline/sentry';
    Sentry.init({
      dsn: 'http://key@localhost:1/1',
      integrations: [Sentry.onUnhandledRejectionIntegration({ mode: 'none', ignore: [runInNewContext('/^Abort/')] })],
      beforeSend({ exception }) {
        console.log(exception.values[0].type);
        return null;
      },
    });
    Promise.reject(new DOMException('ignored', 'AbortError'));
    Promise.reject(new TypeError('captured'));`,
  );
  expect(run).toMatchObject({ status: 0, stdout: 'TypeError\n' });
});

it.each(['preload', 'import'])(
  'starts with the variables of the peer when faultline/sentry/init is loaded first, behind faultline/sentry/%s',
  async (first) => {
    const script = `
    import * as Sentry from 'faultline/sentry';
    process.stdout.write(Sentry.getClient().getOptions().release);`;
    const nodeOptions = ['--import', `faultline/sentry/${first}`, '--import', 'faultline/sentry/init'];
    const run = await runScript(script, { env: { SENTRY_RELEASE: 'shop@1' }, nodeOptions });
    expect(run).toEqual({ status: 0, stdout: 'shop@1', stderr: '' });
  },
);

it('binds a scope to an emitter, and returns the emitter', async () => {
  const { EventEmitter } = await import('node:events');
  Sentry.init({ defaultIntegrations: false });
  const scope = new Sentry.Scope().setTag('of', 'the stream');
  const emitter = Sentry.bindScopeToEmitter(new EventEmitter(), scope);
  let seen: unknown;
  emitter.on('tick', () => {
    seen = Sentry.getCurrentScope().getScopeData().tags;
  });
  emitter.emit('tick');
  expect(seen).toEqual({ of: 'the stream' });
});
