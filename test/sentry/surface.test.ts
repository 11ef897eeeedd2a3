import { diag } from '@opentelemetry/api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as root from '../../src/index.js';
import * as sentry from '../../src/sentry/sentry.js';
import * as stubsOfMissing from '../../src/sentry/stubs/stubs.js';
import * as stubsOfVersion11 from '../../src/sentry/stubs/version-11.js';
import { reset } from '../../src/testing/testing.js';
import { EXPORTS_OF_VERSION_8, EXPORTS_OF_VERSION_11, PEER_EXPORTS } from './peer-exports.js';

afterEach(async () => {
  await sentry.close(0);
  await reset();
});

describe('faultline/sentry', () => {
  it('exports every name of the peer, and no other', () => {
    expect(Object.keys(sentry).sort()).toEqual(
      [...PEER_EXPORTS, ...EXPORTS_OF_VERSION_8, ...EXPORTS_OF_VERSION_11].sort(),
    );
  });

  it('has no stub of what the root can do', () => {
    const stubs = { ...stubsOfMissing, ...stubsOfVersion11 };
    expect(Object.keys(stubs).length).toBeGreaterThan(10);
    expect(Object.keys(stubs).filter((name) => name in root)).toEqual([]);
  });

  const throwing = () => {
    throw new Error('hostile');
  };
  const getters = ['getConversationId', 'integrations', 'spans', 'mode', 'ignoreErrors', 'dsn', 'use', 'sidecarUrl'];
  const ARGUMENTS: Record<string, unknown> = {
    undefined,
    null: null,
    'a string': 'x',
    'a number': 7,
    'a symbol': Symbol('s'),
    'an empty object': {},
    'getters that throw': Object.defineProperties(
      {},
      Object.fromEntries(getters.map((name) => [name, { enumerable: true, get: throwing }])),
    ),
    'a proxy that throws': new Proxy({}, { get: throwing, ownKeys: throwing, has: throwing }),
  };

  it.each(Object.entries(ARGUMENTS))('has functions that do no harm, whatever they get: %s', async (_, argument) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    // They call what they get, or are for the options of a transport.
    const exceptions = ['withMonitor', 'disableAnrDetectionForCallback', 'createTransport', 'makeNodeTransport'];
    for (const [name, value] of Object.entries(sentry)) {
      if (typeof value !== 'function' || exceptions.includes(name) || /^(?:start|continue|with)[A-Z]/.test(name))
        continue;
      const isClass = name === 'NodeClient' || name === 'Scope' || /^class/.test(String(value));
      const call = (): unknown =>
        isClass ? Reflect.construct(value, [argument]) : (value as (...args: unknown[]) => unknown)(argument, argument);
      let returned: unknown;
      expect(() => {
        returned = call();
      }, name).not.toThrow();
      if (name === 'handleTunnelRequest') await expect(returned).resolves.toBeDefined();
    }
    vi.restoreAllMocks();
  });

  it('reads the variables of the peer, and prefers options', async () => {
    const variables = {
      SENTRY_DSN: 'http://key@127.0.0.1:9/1',
      SENTRY_RELEASE: 'a@1',
      SENTRY_ENVIRONMENT: 'staging',
      SENTRY_TRACES_SAMPLE_RATE: '0.25',
      SENTRY_NAME: 'shop-1',
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const client = sentry.init({ environment: 'test' });
    expect(client.getOptions()).toMatchObject({
      release: 'a@1',
      environment: 'test',
      tracesSampleRate: 0.25,
      serverName: 'shop-1',
    });
    expect(client.getDsn()).toMatchObject({ host: '127.0.0.1' });
    vi.unstubAllEnvs();
    await client.close(0);
  });

  it('prefers the variables of Faultline, which its tool sets', async () => {
    vi.stubEnv('SENTRY_DSN', 'http://key@127.0.0.1:9/1');
    vi.stubEnv('SENTRY_RELEASE', 'a@1');
    vi.stubEnv('FAULTLINE_DSN', 'http://key@127.0.0.1:10/1');
    const client = sentry.init();
    expect(client.getDsn()).toMatchObject({ port: '10' });
    expect(client.getOptions().release).toBe('a@1');
    vi.unstubAllEnvs();
    await client.close(0);
  });

  it('continues the trace of the process that has started this one', async () => {
    vi.stubEnv('SENTRY_TRACE', `${'a'.repeat(32)}-${'b'.repeat(16)}-1`);
    const client = sentry.init();
    expect(sentry.getCurrentScope().getPropagationContext()).toMatchObject({ traceId: 'a'.repeat(32) });
    vi.unstubAllEnvs();
    await client.close(0);
  });

  it('understands literal attributes of the peer', async () => {
    const transactions: sentry.TransactionEvent[] = [];
    const client = sentry.init({
      dsn: 'http://key@127.0.0.1:9/1',
      tracesSampleRate: 1,
      beforeSendTransaction: (event) => {
        transactions.push(event);
        return null;
      },
    });
    sentry.startSpan({ name: 'job', attributes: { 'sentry.op': 'task', 'sentry.source': 'route' } }, () => undefined);
    await client.flush();
    expect(transactions).toMatchObject([
      { contexts: { trace: { op: 'task' } }, transaction_info: { source: 'route' } },
    ]);
    await client.close(0);
  });

  it('says once what is missing, also what was called before init, and a named option or integration works', async () => {
    const lines: string[] = [];
    const logger = {
      error() {},
      warn: (...parts: unknown[]) => void lines.push(parts.join(' ')),
      info() {},
      debug() {},
      verbose() {},
    };
    diag.setLogger(logger);
    sentry.createConsolaReporter();
    sentry.createConsolaReporter();
    const integrations = [sentry.mongoIntegration(), sentry.eventFiltersIntegration({ ignoreErrors: ['two'] })];
    const client = sentry.init({
      integrations,
      ignoreErrors: ['one'],
      profilesSampler: () => 1,
      includeServerName: true,
    });
    sentry.profiler.startProfiler();
    sentry.profiler.startProfiler();
    expect(lines.filter((line) => /createConsola|profiles|profiler/.test(line))).toEqual([
      'faultline/sentry createConsolaReporter has no effect: Faultline does not have it. Send logs with OpenTelemetry, or capture them with captureConsoleIntegration',
      'faultline/sentry the option profilesSampler has no effect: Faultline does not have it. Use a profiler such as node --cpu-prof',
      'faultline/sentry profiler.startProfiler has no effect: Faultline does not have it. Use a profiler such as node --cpu-prof',
    ]);
    expect(client.getOptions().ignoreErrors).toEqual(['one', 'two']);
    expect(client.getOptions().serverName).toEqual(expect.any(String));
    expect(client.getIntegrationByName('Mongo')).toBeDefined();
    diag.disable();
    await client.close(0);
  });

  it('enables instrumentations, adds filters to Nest, and has a hub, as version 8 does', async () => {
    const client = sentry.init({ enabled: false });
    const enable = vi.fn();
    sentry.addOpenTelemetryInstrumentation({ enable }, { enable });
    expect(enable).toHaveBeenCalledTimes(2);
    const useGlobalFilters = vi.fn();
    const useGlobalInterceptors = vi.fn();
    const baseFilter = {};
    sentry.setupNestErrorHandler({ useGlobalFilters, useGlobalInterceptors }, baseFilter);
    expect(useGlobalFilters.mock.calls[0]).toEqual([baseFilter]);
    expect(useGlobalFilters).toHaveBeenCalledTimes(2);
    expect(sentry.getCurrentHub().getClient()).toBe(client);
    expect(sentry.getCurrentHub().getScope()).toBe(sentry.getCurrentScope());
    await client.close(0);
  });

  it('has the adapted functions', () => {
    sentry.init({ enabled: false });
    expect(sentry.getSpanStatusFromHttpCode(200)).toEqual({ code: 1 });
    expect(sentry.getSpanStatusFromHttpCode(404)).toEqual({ code: 2, message: 'not_found' });
    expect(sentry.withMonitor('slug', () => 3)).toBe(3);
    expect(sentry.getTraceMetaTags({ 'sentry-trace': '"<' })).toBe('<meta name="sentry-trace" content="&quot;&lt;"/>');
    const client = {};
    expect(sentry.instrumentOpenAiClient(client)).toBe(client);
  });
});
