import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPTIONS, resolveOptions, variableOf } from '../src/options.js';
import fc from './support/fast-check.js';

const messages: string[] = [];

beforeEach(() => {
  messages.length = 0;
  const record = (...args: unknown[]) => messages.push(args.map(String).join(' '));
  const nothing = () => undefined;
  diag.setLogger(
    { error: record, warn: record, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.ALL, suppressOverrideMessage: true },
  );
});

afterEach(() => diag.disable());

describe('options', () => {
  it('have the defaults of the specification', () => {
    expect(resolveOptions({}, {})).toMatchObject({
      dsn: undefined,
      environment: 'production',
      sampleRate: 1,
      tracesSampleRate: undefined,
      maxBreadcrumbs: 100,
      maxValueLength: 250,
      normalizeDepth: 3,
      normalizeMaxBreadth: 1000,
      ignoreErrors: [],
      ignoreTransactions: [],
      allowUrls: [],
      denyUrls: [],
      tracePropagationTargets: undefined,
      propagateTraceparent: false,
      debug: false,
      enabled: true,
      sendDefaultPii: false,
      shutdownTimeout: 2000,
      clientReportIntervalMillis: 60_000,
      sessionIntervalMillis: 60_000,
    });
    expect(messages).toEqual([]);
  });

  it.each([
    ['environment', 'eu/production', 'eu/production', 'contains a slash'],
    ['release', 'shop@1\n', 'shop@1\n', 'contains a control character'],
    ['release', 'x'.repeat(201), 'x'.repeat(200), 'is longer than 200 characters'],
    ['dist', 'x'.repeat(65), 'x'.repeat(64), 'is longer than 64 characters'],
  ])('%s: %j, which servers may drop, is logged once', (name, value, used, problem) => {
    expect(resolveOptions({ [name]: value }, {})).toMatchObject({ [name]: used });
    expect(messages).toEqual([expect.stringContaining(`${name}: `)]);
    expect(messages[0]).toContain(problem);
  });

  it.each(['constructor', 'toString', '__proto__'])('no inherited member of objects is a flag: %s', (value) => {
    expect(resolveOptions({ sendDefaultPii: value }, {}).sendDefaultPii).toBe(false);
    expect(messages).toEqual([expect.stringContaining('sendDefaultPii: must be true or false')]);
  });

  it.each([
    ['environment', 7, 'production'],
    ['environment', '', 'production'],
    ['release', {}, undefined],
    ['sampleRate', 2, 1],
    ['sampleRate', Number.NaN, 1],
    ['tracesSampleRate', 'often', 0],
    ['tracesSampleRate', -1, 0],
    ['tracesSampler', 0.5, undefined],
    ['beforeSend', 'drop', undefined],
    ['maxBreadcrumbs', '100', 100],
    ['ignoreErrors', 7, []],
    ['ignoreErrors', [1], []],
    ['ignoreErrors', [undefined, 'aborted', /^Abort/], ['aborted', /^Abort/]],
    ['denyUrls', [null, 'vendor/'], ['vendor/']],
    ['ignoreSpans', ['', 'dns.lookup', { op: 'fs' }], ['dns.lookup', { op: 'fs' }]],
    ['tracePropagationTargets', [undefined], []],
    ['tracePropagationTargets', {}, []],
    ['ignoreErrors', [''], []],
    ['allowUrls', [''], [/(?!)/]],
    ['allowUrls', [undefined, 7], [/(?!)/]],
    ['allowUrls', {}, [/(?!)/]],
    ['allowUrls', [7, 'app/'], ['app/']],
    ['debug', 'perhaps', false],
    ['integrations', {}, undefined],
    ['shutdownTimeout', -5, 2000],
    ['stackTraceLimit', -1, 50],
    ['clientReportIntervalMillis', 0, 60_000],
    ['clientReportIntervalMillis', Number.POSITIVE_INFINITY, 60_000],
    ['sessionIntervalMillis', '', 60_000],
    ['sessionIntervalMillis', 2 ** 31, 60_000],
    ['transportOptions', 3, {}],
    ['scrubbing', 'all', undefined],
  ])('report a bad %s (%j) once, by its name, and use %j instead', (name, value, replacement) => {
    const settings = resolveOptions({ [name]: value }, {}) as Record<string, unknown>;
    expect(settings[name]).toEqual(replacement);
    expect(messages).toEqual([expect.stringContaining(`${name}: must be`)]);
  });

  it.each([
    ['environment', 7, '"production" is used instead'],
    ['ignoreErrors', 7, 'the default is used instead'],
    ['ignoreErrors', [7, 'all'], 'other elements are ignored'],
    ['beforeSend', 'drop', 'it is ignored'],
  ])('say what becomes of a bad %s (%j)', (name, value, consequence) => {
    resolveOptions({ [name]: value }, {});
    expect(messages).toEqual([expect.stringMatching(new RegExp(`; ${consequence}$`))]);
  });

  it.each([
    ['ignoreErrors', 'aborted', ['aborted']],
    ['tracePropagationTargets', /example/, [/example/]],
    ['ignoreSpans', { op: 'fs' }, [{ op: 'fs' }]],
    ['tracesSampleRate', true, 1],
    ['tracesSampleRate', false, 0],
    ['sampleRate', false, 0],
  ])('%s: %j is read as %j', (name, value, used) => {
    expect(resolveOptions({ [name]: value }, {})).toMatchObject({ [name]: used });
    expect(messages).toEqual([]);
  });

  it.each([
    [{ fields: 'a' }, {}, 'scrubbing.fields: must be'],
    [{ patterns: [1, /a/] }, { patterns: [/a/] }, 'scrubbing.patterns: must be'],
    [{ allow: ['', 'a'] }, { allow: ['a'] }, 'scrubbing.allow: must be'],
    [{ headres: ['a'] }, {}, 'scrubbing.headres: there is no such option'],
  ])('report what is wrong in scrubbing: %j', (scrubbing, used, message) => {
    expect(resolveOptions({ scrubbing }, {}).scrubbing).toEqual(used);
    expect(messages).toEqual([expect.stringContaining(message)]);
  });

  it('report a name that is no option', () => {
    resolveOptions({ tracesSamplerate: 1 }, {});
    expect(messages).toEqual([expect.stringContaining('tracesSamplerate')]);
  });

  it('treat null as absent', () => {
    expect(resolveOptions({ tracesSampleRate: null, environment: null }, {})).toMatchObject({
      tracesSampleRate: undefined,
      environment: 'production',
    });
    expect(messages).toEqual([]);
  });

  it('come from the environment where the caller gives none', () => {
    const env = {
      FAULTLINE_DSN: 'http://key@127.0.0.1/1',
      FAULTLINE_RELEASE: 'shop@1',
      FAULTLINE_ENVIRONMENT: 'staging',
      FAULTLINE_TRACES_SAMPLE_RATE: '0.25',
      FAULTLINE_DEBUG: 'on',
      FAULTLINE_STACK_TRACE_LIMIT: '30',
      FAULTLINE_CLIENT_REPORT_INTERVAL_MILLIS: '5000',
      FAULTLINE_SESSION_INTERVAL_MILLIS: '86400000',
    };
    expect(resolveOptions({ environment: 'test' }, env)).toMatchObject({
      dsn: 'http://key@127.0.0.1/1',
      release: 'shop@1',
      environment: 'test',
      tracesSampleRate: 0.25,
      debug: true,
      stackTraceLimit: 30,
      clientReportIntervalMillis: 5000,
      sessionIntervalMillis: 86_400_000,
    });
  });

  it.each(Object.entries(OPTIONS).filter(([, row]) => row.hasVariable))(
    '%s comes from its variable, too',
    (name, row) => {
      const variable = variableOf(name);
      const isFlag = row.expected === 'true or false';
      const isNumber = row.expected.includes('number') && !row.expected.includes('string');
      const value = isFlag ? 'true' : isNumber ? '0.5' : name === 'trustIncomingSampling' ? 'own' : 'http://key@a/1';
      const expected = isFlag ? true : isNumber ? 0.5 : name === 'environment' ? expect.any(String) : value;
      expect(resolveOptions({}, { [variable]: value })).toMatchObject({ [name]: expected });
      expect(resolveOptions({}, { [variable]: '' })).toEqual(resolveOptions({}, {}));
    },
  );

  it('have a variable unless they are lists, functions or objects', () => {
    const others = Object.entries(OPTIONS).filter(([, row]) => !row.hasVariable);
    for (const [, row] of others) expect(row.expected).toMatch(/array|function|object/);
  });

  it('report a variable that is no number', () => {
    expect(resolveOptions({}, { FAULTLINE_MAX_BREADCRUMBS: 'many' })).toMatchObject({ maxBreadcrumbs: 100 });
    expect(messages).toEqual([expect.stringContaining('FAULTLINE_MAX_BREADCRUMBS: must be a number of at least 0')]);
  });

  it('are frozen once resolved', () => {
    expect(Object.isFrozen(resolveOptions({}, {}))).toBe(true);
  });

  it('never throw, whatever is given', () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true });
    const names = fc.constantFrom(...Object.keys(OPTIONS));
    fc.assert(fc.property(fc.dictionary(names, anything), (options) => void resolveOptions(options, {})));
    fc.assert(fc.property(anything, (options) => void resolveOptions(options, {})));
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(() => resolveOptions(proxy, {})).not.toThrow();
    expect(() => resolveOptions({ dsn: proxy, transportOptions: proxy }, {})).not.toThrow();
  });
});
