import { context, DiagLogLevel, diag, propagation, type TextMapPropagator, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator } from '@opentelemetry/core';
import { NodeSDK, type NodeSDKConfiguration, node } from '@opentelemetry/sdk-node';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  ParentBasedSampler,
  type Sampler,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOTES } from '../../src/diagnosis/checks/notes.js';
import { PROBLEMS } from '../../src/diagnosis/status.js';
import {
  type Client,
  type ClientOptions,
  captureMessage,
  FaultlineContextManager,
  FaultlinePropagator,
  FaultlineSampler,
  FaultlineSpanExporter,
  FaultlineSpanProcessor,
  getClient,
  getGlobalScope,
  init,
  openTelemetry,
} from '../../src/index.js';
import { ALWAYS, NEVER, parentBased, W3C } from '../support/existing-setup.js';
import { resetOpenTelemetry } from '../support/story.js';

const DSN = 'http://key@127.0.0.1:1/1';
const BESIDE: ClientOptions = { dsn: DSN, tracesSampleRate: 0.5, skipOpenTelemetrySetup: true };
const ALONE: ClientOptions = { dsn: DSN, tracesSampleRate: 0.5 };
const ERRORS_ONLY: ClientOptions = { dsn: DSN, skipOpenTelemetrySetup: true };

const warnings: string[] = [];
const endings: (() => unknown)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubEnv('OTEL_METRICS_EXPORTER', 'none');
  vi.stubEnv('OTEL_LOGS_EXPORTER', 'none');
});

afterEach(async () => {
  vi.useRealTimers();
  await reset();
  vi.unstubAllEnvs();
});

async function reset(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
  await getGlobalScope().getClient()?.close(1);
  resetOpenTelemetry();
  warnings.length = 0;
}

/** A client that is closed after the test, even if another one has replaced it. */
function start(options: ClientOptions): Client {
  const client = init(options);
  endings.push(() => client.close(1));
  return client;
}

/** What the application's logger hears of us. */
function listen(): void {
  const hear = (namespace: unknown, message: unknown) => {
    if (String(namespace).startsWith('faultline/')) warnings.push(`${namespace} ${message}`);
  };
  const ignore = () => undefined;
  const logger = { error: hear, warn: hear, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** Shut down when its test is over. */
class Sdk extends NodeSDK {
  override start(): void {
    super.start();
    endings.push(() => this.shutdown());
  }
}

const startSdk = (config: Partial<NodeSDKConfiguration> = {}) => new Sdk(config).start();
const existingProcessor = () => new BatchSpanProcessor(new InMemorySpanExporter());

/** A provider registered by hand, with as many of the other globals as are given. */
function register(
  provider: { getTracer: BasicTracerProvider['getTracer'] },
  globals: { contextManager?: AsyncLocalStorageContextManager; propagator?: TextMapPropagator } = {},
): void {
  trace.setGlobalTracerProvider(provider);
  if (globals.contextManager) context.setGlobalContextManager(globals.contextManager.enable());
  if (globals.propagator) propagation.setGlobalPropagator(globals.propagator);
}

/** A provider of the application's with our parts, and the other two globals of ours as well. */
function registerParts(sampler?: Sampler, spanProcessors: SpanProcessor[] = [existingProcessor()]): void {
  const { textMapPropagator, contextManager, ...parts } = openTelemetry({ sampler, spanProcessors });
  register(new BasicTracerProvider(parts), {
    contextManager: contextManager as FaultlineContextManager,
    propagator: textMapPropagator,
  });
}

class PassingSampler implements Sampler {
  constructor(readonly inner: Sampler) {}
  shouldSample(...args: Parameters<Sampler['shouldSample']>) {
    return this.inner.shouldSample(...args);
  }
  toString() {
    return 'Passing';
  }
}

class HidingProcessor implements SpanProcessor {
  readonly #inner: SpanProcessor;
  constructor(inner: SpanProcessor) {
    this.#inner = inner;
  }
  onStart(...args: Parameters<SpanProcessor['onStart']>) {
    this.#inner.onStart(...args);
  }
  onEnd(...args: Parameters<SpanProcessor['onEnd']>) {
    this.#inner.onEnd(...args);
  }
  forceFlush = async () => undefined;
  shutdown = async () => undefined;
}

class HidingPropagator implements TextMapPropagator {
  readonly #inner = new FaultlinePropagator();
  inject: TextMapPropagator['inject'] = (...args) => this.#inner.inject(...args);
  extract: TextMapPropagator['extract'] = (...args) => this.#inner.extract(...args);
  fields = () => this.#inner.fields();
}

class HidingProvider {
  readonly #inner = new BasicTracerProvider(openTelemetry());
  getTracer: BasicTracerProvider['getTracer'] = (...args) => this.#inner.getTracer(...args);
}

interface Setup {
  readonly name: string;
  readonly env?: Record<string, string>;
  readonly before?: () => void;
  readonly options?: ClientOptions;
  readonly after?: () => void;
}

const codesOf = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);

function play({ env = {}, before, options = BESIDE, after }: Setup) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  listen();
  before?.();
  const client = start(options);
  after?.();
  return client;
}

const CORRECT: readonly Setup[] = [
  { name: 'init alone', options: ALONE },
  { name: 'init alone, for errors', options: { dsn: DSN } },
  { name: 'init alone, a second time', before: () => start(ALONE), options: ALONE },
  { name: 'NodeSDK with our parts', after: () => startSdk(openTelemetry({ spanProcessors: [existingProcessor()] })) },
  {
    name: 'NodeSDK with our parts, before init',
    before: () => startSdk(openTelemetry({ spanProcessors: [existingProcessor()] })),
  },
  { name: 'NodeSDK with nothing but our parts', after: () => startSdk(openTelemetry()) },
  {
    name: 'NodeSDK with nothing but our parts, where no exporter is wanted',
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' },
    after: () => startSdk(openTelemetry()),
  },
  { name: 'BasicTracerProvider, registered by hand', after: () => registerParts() },
  {
    name: 'NodeTracerProvider.register with our parts',
    after() {
      const { contextManager, textMapPropagator, ...parts } = openTelemetry();
      new node.NodeTracerProvider(parts).register({ contextManager, propagator: textMapPropagator });
    },
  },
  {
    name: 'nothing but our span processor, where the application keeps everything',
    after: () =>
      new node.NodeTracerProvider({ spanProcessors: [new FaultlineSpanProcessor(), existingProcessor()] }).register(),
  },
  {
    name: 'nothing but our span processor, where the application keeps a part',
    after: () =>
      startSdk({ sampler: parentBased(0.1), spanProcessors: [new FaultlineSpanProcessor(), existingProcessor()] }),
  },
  {
    name: 'the exporter in a pipeline of the application',
    options: ERRORS_ONLY,
    after: () =>
      register(new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new FaultlineSpanExporter())] }), {
        contextManager: new FaultlineContextManager(),
      }),
  },
  {
    name: 'the exporter, with NodeSDK',
    options: ERRORS_ONLY,
    after: () => startSdk({ traceExporter: new FaultlineSpanExporter() }),
  },
  {
    name: 'the exporter beside the span processor',
    after: () =>
      startSdk({
        spanProcessors: [
          new FaultlineSpanProcessor(),
          new SimpleSpanProcessor(new FaultlineSpanExporter()),
          existingProcessor(),
        ],
      }),
  },
  {
    name: 'errors only, beside an OpenTelemetry that knows nothing of us',
    options: ERRORS_ONLY,
    after: () => startSdk(),
  },
  {
    name: 'errors only, with a rate of 0, beside an OpenTelemetry that knows nothing of us',
    options: { ...ERRORS_ONLY, tracesSampleRate: 0 },
    after: () => startSdk({ spanProcessors: [existingProcessor()] }),
  },
  {
    name: 'errors only, with the rate of `faultline dev`, beside an OpenTelemetry that knows nothing of us',
    before() {
      vi.stubEnv('FAULTLINE_DEV', '1');
      vi.stubEnv('FAULTLINE_TRACES_SAMPLE_RATE', '1');
    },
    options: ERRORS_ONLY,
    after: () => startSdk({ spanProcessors: [existingProcessor()] }),
  },
  {
    name: 'a context manager of the application',
    after: () => startSdk(openTelemetry({ contextManager: new AsyncLocalStorageContextManager() })),
  },
  {
    name: 'our propagator among others',
    after: () =>
      startSdk({
        ...openTelemetry(),
        textMapPropagator: new CompositePropagator({ propagators: [W3C, new FaultlinePropagator()] }),
      }),
  },
  {
    name: 'our parts in wrappers that pass everything on',
    after() {
      const { spanProcessors, ...parts } = openTelemetry();
      startSdk({
        ...parts,
        sampler: new PassingSampler(parts.sampler),
        spanProcessors: [new HidingProcessor(spanProcessors[0]!)],
      });
    },
  },
  {
    name: 'our propagator in a private field',
    after: () => startSdk({ ...openTelemetry(), textMapPropagator: new HidingPropagator() }),
  },
  {
    name: 'a provider that does not let itself be looked into',
    after: () => {
      const { contextManager, textMapPropagator } = openTelemetry();
      register(new HidingProvider(), {
        contextManager: contextManager as FaultlineContextManager,
        propagator: textMapPropagator,
      });
    },
  },
  {
    name: 'a provider behind a proxy',
    after: () => {
      const { contextManager, textMapPropagator, ...parts } = openTelemetry();
      register(new Proxy(new BasicTracerProvider(parts), {}), {
        contextManager: contextManager as FaultlineContextManager,
        propagator: textMapPropagator,
      });
    },
  },
  { name: 'a client that is turned off', options: { enabled: false, tracesSampleRate: 1 } },
  { name: 'no dsn, but a sidecar', options: { spotlight: true } },
];

describe('a correct setup has no problems, and nothing is said of it', () => {
  it.each(CORRECT)('$name', (setup) => {
    const client = play(setup);
    vi.advanceTimersByTime(10_000);
    expect(client.openTelemetryStatus().problems).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

interface Misconfiguration extends Setup {
  readonly code: string;
  /** Further problems of the same setup. */
  readonly besides?: readonly string[];
  /** Where the remedy goes: before everything, in place of what comes after `init`, behind it, or in place of all. */
  readonly mended: 'before' | 'instead' | 'behind' | 'alone';
}

let earlier: Client;

const MISCONFIGURED: readonly Misconfiguration[] = [
  { code: 'no-dsn', name: 'no dsn', options: { tracesSampleRate: 1 }, mended: 'behind' },
  { code: 'invalid-dsn', name: 'a dsn without a key', options: { dsn: 'https://example.com/1' }, mended: 'behind' },
  {
    code: 'copy-without-init',
    name: 'a copy of another major version that only captures',
    before() {
      const slot = Symbol.for('faultline.v99');
      Object.defineProperty(globalThis, slot, { value: { capturesWithoutClient: 2 }, configurable: true });
      endings.push(() => Reflect.deleteProperty(globalThis, slot));
    },
    options: ALONE,
    mended: 'behind',
  },
  {
    code: 'captured-before-init',
    name: 'a capture that init comes after',
    before: () => void captureMessage('early'),
    options: ALONE,
    mended: 'before',
  },
  {
    code: 'setup-gone',
    name: 'trace.disable after init',
    options: ALONE,
    after: () => trace.disable(),
    mended: 'behind',
  },
  {
    code: 'setup-not-skipped',
    name: 'an application that came first, with our parts',
    before: () => startSdk(openTelemetry()),
    options: ALONE,
    mended: 'behind',
  },
  {
    code: 'setup-not-skipped',
    name: 'an application that came first, without them',
    before: () => startSdk({ spanProcessors: [existingProcessor()] }),
    options: ALONE,
    besides: ['no-span-processor'],
    mended: 'behind',
  },
  {
    code: 'provider-refused',
    name: 'an application that sets OpenTelemetry up after init',
    options: ALONE,
    after: () => startSdk({ spanProcessors: [existingProcessor()] }),
    mended: 'alone',
  },
  {
    code: 'otel-sdk-disabled',
    name: 'OTEL_SDK_DISABLED',
    env: { OTEL_SDK_DISABLED: 'True' },
    after: () => startSdk(openTelemetry()),
    mended: 'before',
  },
  { code: 'no-tracer-provider', name: 'no provider', mended: 'behind' },
  {
    code: 'sdk-too-old',
    name: 'a provider with the surface of SDK 1',
    after: () => {
      const { contextManager, textMapPropagator, ...parts } = openTelemetry();
      const provider = Object.assign(new BasicTracerProvider(parts), { addSpanProcessor: () => undefined });
      register(provider, { contextManager: contextManager as FaultlineContextManager, propagator: textMapPropagator });
    },
    mended: 'instead',
  },
  {
    code: 'no-span-processor',
    name: 'spanProcessors that replace ours',
    after: () => startSdk({ ...openTelemetry(), spanProcessors: [existingProcessor()] }),
    mended: 'instead',
  },
  {
    code: 'no-span-processor',
    name: 'an application that knows nothing of us',
    after: () => startSdk({ spanProcessors: [existingProcessor()] }),
    mended: 'instead',
  },
  {
    code: 'exporter-behind-sampler',
    name: 'our sampler with our exporter',
    after: () =>
      startSdk({ ...openTelemetry(), spanProcessors: [new BatchSpanProcessor(new FaultlineSpanExporter())] }),
    mended: 'instead',
  },
  {
    code: 'two-span-processors',
    name: 'a further span processor',
    after: () => startSdk(openTelemetry({ spanProcessors: [new FaultlineSpanProcessor()] })),
    mended: 'instead',
  },
  {
    code: 'two-span-processors',
    name: 'the same span processor twice',
    after: () => {
      const parts = openTelemetry();
      startSdk({ ...parts, spanProcessors: [...parts.spanProcessors, ...parts.spanProcessors] });
    },
    mended: 'instead',
  },
  {
    code: 'two-span-processors',
    name: 'a span processor in openTelemetrySpanProcessors',
    options: { ...ALONE, openTelemetrySpanProcessors: [new FaultlineSpanProcessor()] },
    mended: 'behind',
  },
  {
    code: 'part-of-another-client',
    name: 'a sampler for a client of before',
    before() {
      earlier = start(BESIDE);
    },
    after: () => startSdk({ ...openTelemetry(), sampler: new FaultlineSampler(earlier) }),
    mended: 'instead',
  },
  {
    code: 'sampler-bypassed',
    name: 'our sampler as the root of a parent-based one',
    after: () => startSdk({ ...openTelemetry(), sampler: new ParentBasedSampler({ root: new FaultlineSampler() }) }),
    mended: 'instead',
  },
  {
    code: 'existing-sampler-off',
    name: 'our span processor behind a sampler that is off',
    after: () => startSdk({ sampler: NEVER, spanProcessors: [new FaultlineSpanProcessor()] }),
    mended: 'instead',
  },
  {
    code: 'existing-sampler-off',
    name: 'our exporter, and OTEL_TRACES_SAMPLER',
    env: { OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
    options: ERRORS_ONLY,
    after: () => startSdk({ traceExporter: new FaultlineSpanExporter() }),
    mended: 'instead',
  },
  {
    code: 'no-context-manager',
    name: 'a provider and a propagator alone',
    after: () => register(new BasicTracerProvider(openTelemetry()), { propagator: openTelemetry().textMapPropagator }),
    mended: 'behind',
  },
  { code: 'no-context-manager', name: 'errors only, and nothing registered', options: ERRORS_ONLY, mended: 'behind' },
  {
    code: 'no-propagator',
    name: 'a provider and a context manager alone',
    after: () => register(new BasicTracerProvider(openTelemetry()), { contextManager: new FaultlineContextManager() }),
    mended: 'behind',
  },
  {
    code: 'foreign-propagator',
    name: 'a textMapPropagator that replaces ours',
    after: () => startSdk({ ...openTelemetry(), textMapPropagator: W3C }),
    mended: 'behind',
  },
  {
    code: 'foreign-propagator',
    name: 'a propagator that was there before init',
    before: () => propagation.setGlobalPropagator(new W3CBaggagePropagator()),
    options: ALONE,
    mended: 'behind',
  },
  {
    code: 'exceptions-unobserved',
    name: 'exceptions of spans are wanted, and nothing of ours sees the spans',
    options: { ...ERRORS_ONLY, captureRecordedExceptions: true },
    after: () => startSdk({ spanProcessors: [existingProcessor()] }),
    mended: 'instead',
  },
  {
    code: 'exporters-replaced',
    name: 'OTEL_TRACES_EXPORTER beside our span processors',
    env: { OTEL_TRACES_EXPORTER: 'otlp' },
    after: () => startSdk(openTelemetry()),
    mended: 'instead',
  },
  {
    code: 'exporters-replaced',
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT, and a traceExporter beside our span processors',
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    after: () => startSdk({ ...openTelemetry(), traceExporter: new InMemorySpanExporter() }),
    mended: 'instead',
  },
];

/** Runs a remedy as it is pasted, with what it calls the application's own. */
function runRemedy(remedy: string, options: ClientOptions): void {
  const names = {
    ...{ init: start, openTelemetry, FaultlineContextManager, FaultlinePropagator, NodeSDK: Sdk, BatchSpanProcessor },
    ...{ context, propagation, trace, options, sampler: ALWAYS, propagator: W3C },
    ...{ spanProcessors: [existingProcessor()], exporter: new InMemorySpanExporter() },
  };
  new Function(...Object.keys(names), remedy)(...Object.values(names));
}

describe('a misconfiguration is named, and its remedy mends it', () => {
  it.each(MISCONFIGURED)('$code: $name', async (setup) => {
    const { code, besides = [], mended, options = BESIDE } = setup;
    play(setup);
    const { problems } = getClient()!.openTelemetryStatus();
    expect(codesOf(problems)).toEqual([code, ...besides]);
    for (const { message } of problems) expect(message).toMatch(/^[^\n]+\.$/);

    const { remedy } = problems[0]!;
    if (remedy.startsWith('npm ')) return;
    await reset();
    if (mended === 'before') {
      for (const [name, value] of Object.entries(setup.env ?? {})) vi.stubEnv(name, value);
      runRemedy(remedy, options);
      play({ ...setup, env: {} });
    } else if (mended === 'alone') {
      runRemedy(remedy, options);
    } else {
      play(mended === 'instead' ? { ...setup, after: undefined } : setup);
      runRemedy(remedy, options);
    }
    expect(codesOf(getClient()!.openTelemetryStatus().problems)).toEqual(besides);
  });
});

describe('the first second of a client', () => {
  it('is left to the application: then, what is missing is said in one line, and once', async () => {
    play({ name: 'a provider alone' });
    vi.advanceTimersByTime(999);
    expect(warnings).toEqual([]);
    register(new BasicTracerProvider({ spanProcessors: [new FaultlineSpanProcessor()] }));
    vi.advanceTimersByTime(1);
    expect(warnings).toEqual([
      'faultline/open-telemetry no-context-manager: No context manager is registered, so that spans do not find their ' +
        'parents, and startSpan and continueTrace fork no scope. Fix: ' +
        'context.setGlobalContextManager(new FaultlineContextManager().enable()); | ' +
        'no-propagator: No propagator is registered, so that spans do not continue the traces of requests that come in. ' +
        'Fix: propagation.setGlobalPropagator(openTelemetry().textMapPropagator);',
    ]);
    vi.advanceTimersByTime(100_000);
    process.emit('beforeExit', 0);
    await Promise.resolve();
    expect(warnings).toHaveLength(1);
  });

  it('is not waited for where init owns the setup', () => {
    play({ name: 'no dsn', options: { tracesSampleRate: 1 } });
    expect(warnings).toEqual([expect.stringMatching(/^faultline\/open-telemetry no-dsn: /)]);
    vi.advanceTimersByTime(10_000);
    expect(warnings).toHaveLength(1);
  });

  it('ends when the process is out of work', async () => {
    play({ name: 'nothing registered' });
    process.emit('beforeExit', 0);
    await Promise.resolve();
    expect(warnings).toEqual([expect.stringMatching(/^faultline\/open-telemetry no-tracer-provider: /)]);
    vi.advanceTimersByTime(10_000);
    expect(warnings).toHaveLength(1);
  });

  it('leaves nothing behind when the client is closed in it', async () => {
    const listeners = process.listenerCount('beforeExit');
    const client = play({ name: 'nothing registered' });
    await client.close(1);
    vi.advanceTimersByTime(10_000);
    expect(warnings).toEqual([]);
    expect(process.listenerCount('beforeExit')).toBe(listeners);
  });

  it('brings no second message about a dsn that init has refused', () => {
    play({ name: 'a bad dsn', options: { ...ALONE, dsn: 'nonsense' } });
    expect(warnings).toEqual([expect.stringMatching(/^faultline\/init dsn: invalid DSN: "nonsense"; nothing is sent/)]);
  });
});

describe('a note', () => {
  const NOTED: readonly (Setup & { readonly code: string })[] = [
    { code: 'client-disabled', name: 'enabled: false', options: { ...BESIDE, enabled: false } },
    { code: 'tracing-off', name: 'no rate', options: { dsn: DSN } },
    { code: 'rate-is-zero', name: 'a rate of 0', options: { ...ALONE, tracesSampleRate: 0 } },
    {
      code: 'existing-sampler-first',
      name: 'a sampler of the application',
      after: () =>
        startSdk({
          ...openTelemetry({ spanProcessors: [existingProcessor()] }),
          sampler: parentBased(0.1),
        }),
    },
    {
      code: 'existing-context-manager',
      name: 'a context manager of the application',
      after: () =>
        startSdk(
          openTelemetry({
            contextManager: new AsyncLocalStorageContextManager(),
            spanProcessors: [existingProcessor()],
          }),
        ),
    },
    {
      code: 'existing-propagator',
      name: 'a propagator of the application, and nothing of ours but the processor',
      after: () =>
        startSdk({
          contextManager: new FaultlineContextManager(),
          spanProcessors: [new FaultlineSpanProcessor(), existingProcessor()],
        }),
    },
    {
      code: 'exporter-idle',
      name: 'our exporter beside our span processor',
      after: () => registerParts(ALWAYS, [new SimpleSpanProcessor(new FaultlineSpanExporter()), existingProcessor()]),
    },
    { code: 'only-faultline-exports', name: 'no exporter of the application', after: () => startSdk(openTelemetry()) },
    {
      code: 'otel-sampler-unused',
      name: 'OTEL_TRACES_SAMPLER',
      env: { OTEL_TRACES_SAMPLER: 'always_off' },
      options: ALONE,
    },
    {
      code: 'otel-propagators-unused',
      name: 'OTEL_PROPAGATORS',
      env: { OTEL_PROPAGATORS: 'b3' },
      options: ALONE,
    },
  ];

  it.each(NOTED)('tells of $name, and nobody is warned', (setup) => {
    const client = play(setup);
    vi.advanceTimersByTime(10_000);
    const { problems, notes } = client.openTelemetryStatus();
    expect(problems).toEqual([]);
    expect(codesOf(notes)).toEqual([setup.code]);
    expect(warnings).toEqual([]);
  });
});

describe('the status', () => {
  it('names the owners of the globals, and our parts in them', () => {
    const client = play({ name: 'alone', options: ALONE });
    expect(client.openTelemetryStatus()).toMatchObject({
      trace: {
        owner: 'faultline',
        className: 'FaultlineTracerProvider',
        parts: ['FaultlineSampler', 'FaultlineSpanProcessor'],
      },
      context: { owner: 'faultline', className: 'FaultlineContextManager', parts: ['FaultlineContextManager'] },
      propagation: { owner: 'faultline', className: 'FaultlinePropagator', parts: ['FaultlinePropagator'] },
    });
  });

  it('names what the application owns', () => {
    const client = play({
      name: 'processor only',
      after: () => startSdk({ spanProcessors: [new FaultlineSpanProcessor(), existingProcessor()] }),
    });
    expect(client.openTelemetryStatus()).toMatchObject({
      trace: { owner: 'application', className: 'TracerProvider', parts: ['FaultlineSpanProcessor'] },
      context: { owner: 'application', className: 'AsyncLocalStorageContextManager', parts: [] },
      propagation: { owner: 'application', className: 'CompositePropagator', parts: [] },
    });
  });

  it('says that it does not know what is in a provider that cannot be looked into', () => {
    const client = play({ name: 'hiding', after: () => register(new HidingProvider()) });
    const { trace: provider, versions } = client.openTelemetryStatus();
    expect(provider).toEqual({ owner: 'application', className: 'HidingProvider', parts: 'unknown' });
    expect(versions.registeredSdk).toBe('unknown');
  });

  it('names the versions', () => {
    const client = play({ name: 'alone', options: ALONE });
    expect(client.openTelemetryStatus().versions).toEqual({
      faultline: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      api: expect.stringMatching(/^1\.\d+\.\d+$/),
      registeredApi: expect.stringMatching(/^1\.\d+\.\d+$/),
      otherApis: [],
      sdk: expect.stringMatching(/^2\.\d+\.\d+$/),
      registeredSdk: expect.stringMatching(/^2\.\d+\.\d+$/),
    });
  });

  it('survives a setup that throws at every touch', () => {
    const hostile = () =>
      new Proxy({} as never, {
        get: (_, key) => {
          if (key === 'getTracer' || key === 'with' || key === 'inject') return () => undefined;
          throw new Error('untouchable');
        },
        getPrototypeOf: () => {
          throw new Error('untouchable');
        },
        ownKeys: () => {
          throw new Error('untouchable');
        },
      });
    const client = play({ name: 'hostile' });
    register(hostile(), { propagator: hostile() });
    const { trace: provider, propagation: propagator } = client.openTelemetryStatus();
    expect(provider).toEqual({ owner: 'application', className: undefined, parts: 'unknown' });
    expect(propagator.owner).toBe('application');
  });

  it('has a code of its own for each finding', () => {
    const codes = codesOf([...PROBLEMS, ...NOTES]);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    const followed = [...PROBLEMS, ...NOTES].flatMap(({ followsFrom = [] }) => followsFrom);
    expect(codes).toEqual(expect.arrayContaining(followed));
  });
});
