import { setTimeout as sleep } from 'node:timers/promises';
import { context, diag, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { NodeSDK, node } from '@opentelemetry/sdk-node';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it } from 'vitest';
import {
  captureException,
  FaultlineContextManager,
  FaultlineSpanProcessor,
  getIsolationScope,
  getTraceData,
  init,
  openTelemetry,
  setTag,
  startSpan,
  withIsolationScope,
} from '../../src/index.js';
import { ALWAYS, NEVER, parentBased, SeededIds, Sink, W3C } from '../support/existing-setup.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry } from '../support/story.js';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  resetOpenTelemetry();
});

interface Running {
  /** Ends the setup the way an application does it before its process exits. */
  shutdown(): Promise<void>;
}

/** Each setup as an application has it, with an exporter of its own. */
const SETUPS: Record<string, (exporter: InMemorySpanExporter) => Running> = {
  NodeSDK(exporter) {
    const sdk = new NodeSDK({
      ...openTelemetry({ spanProcessors: [new BatchSpanProcessor(exporter)] }),
      metricReaders: [],
      logRecordProcessors: [],
      autoDetectResources: false,
    });
    sdk.start();
    return sdk;
  },
  'NodeSDK, with span processors named beside ours'(exporter) {
    const parts = openTelemetry({ sampler: new ParentBasedSampler({ root: ALWAYS }), propagator: W3C });
    const sdk = new NodeSDK({
      ...parts,
      spanProcessors: [new node.BatchSpanProcessor(exporter), ...parts.spanProcessors],
      metricReaders: [],
      logRecordProcessors: [],
      autoDetectResources: false,
    });
    sdk.start();
    return sdk;
  },
  BasicTracerProvider(exporter) {
    const parts = openTelemetry({ spanProcessors: [new BatchSpanProcessor(exporter)] });
    const provider = new BasicTracerProvider(parts);
    trace.setGlobalTracerProvider(provider);
    context.setGlobalContextManager(parts.contextManager.enable());
    propagation.setGlobalPropagator(parts.textMapPropagator);
    return provider;
  },
  NodeTracerProvider(exporter) {
    const { sampler, spanProcessors, contextManager, textMapPropagator } = openTelemetry({ sampler: parentBased(1) });
    const provider = new node.NodeTracerProvider({
      sampler,
      spanProcessors: [...spanProcessors, new node.SimpleSpanProcessor(exporter)],
    });
    provider.register({ contextManager, propagator: textMapPropagator });
    return provider;
  },
  TracerProvider(exporter) {
    const { contextManager, textMapPropagator, ...config } = openTelemetry({
      contextManager: new AsyncLocalStorageContextManager(),
    });
    const spanProcessors = [...config.spanProcessors, new SimpleSpanProcessor(exporter)];
    const provider = new TracerProvider({ ...config, spanProcessors });
    trace.setGlobalTracerProvider(provider);
    context.setGlobalContextManager(contextManager.enable());
    propagation.setGlobalPropagator(textMapPropagator);
    return provider;
  },
  'NodeTracerProvider, with nothing of ours but the span processor'(exporter) {
    const spanProcessors = [new FaultlineSpanProcessor(), new node.BatchSpanProcessor(exporter)];
    const provider = new node.NodeTracerProvider({ spanProcessors });
    provider.register();
    return provider;
  },
};

/** Two requests at the same time, as instrumentation and its host make them of it. */
async function serveTwo(): Promise<void> {
  const handle = (id: number) =>
    withIsolationScope(async () => {
      setTag('request', id);
      const tracer = trace.getTracer('application', '1.0.0');
      await tracer.startActiveSpan(`GET /${id}`, { kind: SpanKind.SERVER }, async (root) => {
        await sleep(5);
        await tracer.startActiveSpan('query', async (query) => {
          await sleep(5);
          captureException(new Error(`of ${id}`));
          query.end();
        });
        root.end();
      });
    });
  await Promise.all([handle(1), handle(2)]);
}

function expectTwo(receiver: Receiver, exporter: readonly { name: string }[]): void {
  expect(exporter.map(({ name }) => name).sort()).toEqual(['GET /1', 'GET /2', 'query', 'query']);
  expect(receiver.violations).toEqual([]);
  expect(receiver.events).toHaveLength(2);
  expect(receiver.transactions.map(({ transaction }) => transaction).sort()).toEqual(['GET /1', 'GET /2']);
  for (const { transaction, tags, spans, contexts } of receiver.transactions) {
    expect(`GET /${tags['request']}`).toBe(transaction);
    expect(spans.map(({ description }) => description)).toEqual(['query']);
    const error = receiver.events.find(({ tags: { request } }) => request === tags['request']);
    expect(error?.exception.values[0]?.value).toBe(`of ${tags['request']}`);
    expect(error?.contexts.trace).toMatchObject({ trace_id: contexts.trace.trace_id, span_id: spans[0]!.span_id });
  }
}

describe.each(Object.entries(SETUPS))('%s', (_, start) => {
  it.each(['before', 'after'])('serves the same when init runs %s it, and its shutdown delivers', async (order) => {
    const receiver = await startReceiver();
    endings.push(() => receiver.close());
    const exporter = new InMemorySpanExporter();
    const spans: { name: string }[] = [];
    // Shutting the exporter down forgets what it holds.
    exporter.shutdown = async () => void spans.push(...exporter.getFinishedSpans());
    const begin = () => {
      const client = init({ dsn: receiver.dsn, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      endings.push(() => client.close(1000));
    };
    if (order === 'before') begin();
    const running = start(exporter);
    if (order === 'after') begin();
    await serveTwo();
    await running.shutdown();
    expectTwo(receiver, spans);
  });
});

describe('shutdown and forceFlush of a provider', () => {
  it('end by shutdownTimeout when the destination does not answer', async () => {
    const receiver = await startReceiver({ respond: () => new Promise(() => undefined) });
    endings.push(() => receiver.close());
    const client = init({
      dsn: receiver.dsn,
      tracesSampleRate: 1,
      skipOpenTelemetrySetup: true,
      shutdownTimeout: 50,
      // So that no other limit ends the wait before the test's own.
      transportOptions: { timeoutMillis: 60_000 },
    });
    endings.push(() => client.close(1));
    const provider = new BasicTracerProvider({ spanProcessors: [new FaultlineSpanProcessor()] });
    provider.getTracer('application').startSpan('a').end();
    await provider.shutdown();
    expect(client.ledger.balance().transaction).toMatchObject({ captured: 1, delivered: 0, queued: 1 });
  });

  it('send nothing before init, and after it no span that ended before', async () => {
    const provider = new BasicTracerProvider({ spanProcessors: [new FaultlineSpanProcessor()] });
    provider.getTracer('application').startSpan('before init').end();
    await provider.forceFlush();
    const sink = new Sink();
    const client = init(sink.options({ tracesSampleRate: 1 }));
    endings.push(() => client.close(1000));
    await provider.forceFlush();
    expect(sink.transactions).toEqual([]);
    provider.getTracer('application').startSpan('after init').end();
    await provider.shutdown();
    expect(sink.transactions.map(({ transaction }) => transaction)).toEqual(['after init']);
  });
});

describe('spans that began before init', () => {
  const inTrace = (name: string, work: () => void) =>
    trace.getTracer('application').startActiveSpan(name, (span) => {
      work();
      span.end();
    });

  it.each([
    { sampler: ALWAYS, expected: ['after'] },
    { sampler: NEVER, expected: [] },
  ])('with $sampler: what begins below them afterwards is decided there', async ({ sampler, expected }) => {
    const parts = openTelemetry({ sampler });
    trace.setGlobalTracerProvider(new BasicTracerProvider(parts));
    context.setGlobalContextManager(parts.contextManager.enable());
    const sink = new Sink();
    let rootId: string | undefined;
    inTrace('before', () => {
      rootId = trace.getActiveSpan()!.spanContext().spanId;
      const client = init(sink.options({ tracesSampleRate: 1 }));
      endings.push(() => client.close(1000));
      inTrace('after', () => inTrace('below', () => undefined));
      endings.push(() => client.close(1000));
    });
    for (const end of endings.splice(0)) await end();
    expect(sink.transactions.map(({ transaction }) => transaction)).toEqual(expected);
    for (const { contexts, spans } of sink.transactions) {
      expect(contexts!.trace!.parent_span_id).toBe(rootId);
      expect(spans!.map(({ description }) => description)).toEqual(['below']);
    }
  });
});

describe('a setup with only the FaultlineSpanProcessor', () => {
  const ROOTS = 4000;

  it('decides when a local root starts, and only about those that the application’s sampler records', async () => {
    const sink = new Sink();
    let asked = 0;
    const tracesSampler = () => {
      asked++;
      return 0.5;
    };
    const client = init(sink.options({ tracesSampler }));
    endings.push(() => client.close(1000));
    const exporter = new InMemorySpanExporter();
    new node.NodeTracerProvider({
      sampler: parentBased(0.5),
      idGenerator: new SeededIds(7),
      spanProcessors: [new SimpleSpanProcessor(exporter), new FaultlineSpanProcessor()],
    }).register();
    const flags = { recorded: new Set<string>(), ours: new Set<string>() };
    for (let i = 0; i < ROOTS; i++) {
      startSpan({ name: 'root' }, (root) => {
        const { traceId } = root.spanContext();
        if (root.isRecording()) flags.recorded.add(traceId);
        startSpan({ name: 'child' }, () => {
          if (getTraceData()['sentry-trace']?.endsWith('-1')) flags.ours.add(traceId);
        });
      });
    }
    await client.flush(5000);
    const idsOf = (spans: readonly { spanContext(): { traceId: string } }[]) =>
      new Set(spans.map((span) => span.spanContext().traceId));
    expect(idsOf(exporter.getFinishedSpans())).toEqual(flags.recorded);
    expect(new Set(sink.transactions.map(({ contexts }) => contexts!.trace!.trace_id))).toEqual(flags.ours);
    expect([...flags.ours].every((id) => flags.recorded.has(id))).toBe(true);
    expect(sink.transactions.every(({ spans }) => spans!.length === 1)).toBe(true);
    expect(asked).toBe(flags.recorded.size);
    const recorded = flags.recorded.size;
    expect(Math.abs(recorded - ROOTS / 2)).toBeLessThan(3.29 * Math.sqrt(ROOTS / 4));
    expect(Math.abs(flags.ours.size - recorded / 2)).toBeLessThan(3.29 * Math.sqrt(recorded / 4));
    expect(client.ledger.balance().transaction).toMatchObject({ captured: recorded, delivered: flags.ours.size });
  });

  it.each([
    ['01', 1],
    ['01', 0],
    ['00', 1],
  ])(
    'decides about a trace with the flag of a traceparent, %s, by its own rate of %d',
    async (flag, tracesSampleRate) => {
      const sink = new Sink();
      const client = init(sink.options({ tracesSampleRate }));
      endings.push(() => client.close(1000));
      const provider = new node.NodeTracerProvider({ sampler: ALWAYS, spanProcessors: [new FaultlineSpanProcessor()] });
      provider.register();
      const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${flag}` };
      trace.getTracer('application').startSpan('a', {}, propagation.extract(ROOT_CONTEXT, headers)).end();
      await client.flush(5000);
      expect(sink.transactions).toHaveLength(tracesSampleRate);
    },
  );
});

describe('a NodeSDK whose detectors still look for attributes of its resource', () => {
  it('logs no error, and transactions have the attributes found so far', async () => {
    const said: unknown[] = [];
    const log = (...args: unknown[]) => void said.push(args);
    diag.setLogger({ error: log, warn: log, info() {}, debug() {}, verbose() {} });
    const sink = new Sink();
    const client = init(sink.options({ tracesSampleRate: 1 }));
    endings.push(() => client.close(1000));
    const slow = { detect: () => ({ attributes: { 'host.id': new Promise<string>(() => undefined), known: 'yes' } }) };
    const sdk = new NodeSDK({
      ...openTelemetry(),
      serviceName: 'shop',
      resourceDetectors: [slow],
      metricReaders: [],
      logRecordProcessors: [],
    });
    sdk.start();
    startSpan({ name: 'early' }, () => undefined);
    await client.flush(5000);
    expect(said).toEqual([]);
    const { resource } = sink.transactions[0]!.contexts!['otel']!;
    expect(resource).toMatchObject({ 'service.name': 'shop', 'telemetry.sdk.name': 'opentelemetry', known: 'yes' });
    expect(resource).not.toHaveProperty(['host.id']);
  });
});

describe('a context manager of the application', () => {
  it('stays registered when init runs alone, and keeps tasks apart', async () => {
    const contextManager = new AsyncLocalStorageContextManager().enable();
    context.setGlobalContextManager(contextManager);
    const said: unknown[] = [];
    const log = (...args: unknown[]) => void said.push(args);
    diag.setLogger({ error: log, warn: log, info() {}, debug() {}, verbose() {} });
    const client = init(new Sink().options({ tracesSampleRate: 1, skipOpenTelemetrySetup: false }));
    endings.push(() => client.close(1000));
    expect(said).toEqual([]);
    withIsolationScope((isolation) =>
      context.with(ROOT_CONTEXT, () => {
        expect(context.active()).toBe(ROOT_CONTEXT);
        expect(getIsolationScope()).toBe(isolation);
      }),
    );
  });

  it('is used unchanged; without one, openTelemetry() supplies a FaultlineContextManager', () => {
    const contextManager = new AsyncLocalStorageContextManager();
    expect(openTelemetry({ contextManager }).contextManager).toBe(contextManager);
    expect(openTelemetry().contextManager).toBeInstanceOf(FaultlineContextManager);
  });

  it('keeps requests apart, even if instrumentation starts each with an empty context', async () => {
    const parts = openTelemetry({ contextManager: new AsyncLocalStorageContextManager() });
    trace.setGlobalTracerProvider(new BasicTracerProvider(parts));
    context.setGlobalContextManager(parts.contextManager.enable());
    propagation.setGlobalPropagator(parts.textMapPropagator);
    const outer = getIsolationScope();
    const handle = (headers: Record<string, string>) =>
      withIsolationScope((isolation) =>
        context.with(propagation.extract(ROOT_CONTEXT, headers), () => {
          const span = trace.getTracer('application').startSpan('a', { kind: SpanKind.SERVER });
          context.with(trace.setSpan(context.active(), span), () => expect(getIsolationScope()).toBe(isolation));
        }),
      );
    handle({});
    handle({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
    handle({ 'sentry-trace': `${'a'.repeat(32)}-${'b'.repeat(16)}-1` });
    expect(getIsolationScope()).toBe(outer);
  });
});

it('sends transactions from a setup that came first and has the parts, also without skipOpenTelemetrySetup', async () => {
  const exporter = new InMemorySpanExporter();
  const running = SETUPS['NodeSDK']!(exporter);
  const sink = new Sink();
  const client = init({ ...sink.options({ tracesSampleRate: 1 }), skipOpenTelemetrySetup: false });
  endings.push(() => client.close(1000));
  trace.getTracer('application').startActiveSpan('job', (span) => span.end());
  expect(client.openTelemetryStatus().problems.map(({ code }) => code)).toEqual(['setup-not-skipped']);
  await running.shutdown();
  expect(sink.transactions.map(({ transaction }) => transaction)).toEqual(['job']);
});
