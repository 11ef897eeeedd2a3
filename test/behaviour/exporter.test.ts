import { context, type Span, SpanKind, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import {
  captureException,
  FaultlineContextManager,
  FaultlineSpanExporter,
  FaultlineSpanProcessor,
  getTraceData,
} from '../../src/index.js';
import { runScript } from '../integrations/run-script.js';
import { startReceiver } from '../support/receiver.js';
import { tell } from '../support/story.js';

const REQUESTS = 120;
const SPANS_PER_REQUEST = 5;

const own = { skipOpenTelemetrySetup: true };

/** Registers a pipeline as an application has it. */
function register(spanProcessors: SpanProcessor[], sampler?: Sampler): BasicTracerProvider {
  const provider = new BasicTracerProvider({ spanProcessors, sampler });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new FaultlineContextManager().enable());
  return provider;
}

async function inSpan<T>(name: string, work: (span: Span) => Promise<T>, kind = SpanKind.INTERNAL): Promise<T> {
  return trace.getTracer('application').startActiveSpan(name, { kind }, (span) => work(span).finally(() => span.end()));
}

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis));

/** One request: five spans, of which one ends after the root. */
async function handle(i: number): Promise<void> {
  let afterwards: Promise<void> | undefined;
  await inSpan(
    `request ${i}`,
    async () => {
      await Promise.all([
        inSpan('query', () => sleep(i % 5)),
        inSpan('call', () => inSpan('parse', () => sleep(i % 3))),
      ]);
      afterwards = inSpan('afterwards', async () => void (await sleep(5)));
      if (i % 10 === 0) captureException(new Error(`of ${i}`));
    },
    SpanKind.SERVER,
  );
  await afterwards;
}

const handleAll = () => Promise.all(Array.from({ length: REQUESTS }, (_, i) => handle(i)));

/** Hands spans over in an order and in batches of its own, and some of them twice. */
class Shuffler implements SpanProcessor {
  readonly #exporter = new FaultlineSpanExporter();
  readonly #spans: ReadableSpan[] = [];

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    this.#spans.splice((this.#spans.length * 7919) % (this.#spans.length + 1), 0, span);
  }

  async forceFlush(): Promise<void> {
    const spans = this.#spans.splice(0);
    for (let i = 0; i < spans.length; i += 7) {
      this.#exporter.export(spans.slice(Math.max(0, i - 2), i + 7), () => undefined);
    }
    await this.#exporter.forceFlush();
  }

  async shutdown(): Promise<void> {
    await this.forceFlush();
    await this.#exporter.shutdown();
  }
}

const PIPELINES: [string, () => SpanProcessor][] = [
  ['a BatchSpanProcessor', () => new BatchSpanProcessor(new FaultlineSpanExporter())],
  [
    'a BatchSpanProcessor with batches smaller than a trace',
    () => new BatchSpanProcessor(new FaultlineSpanExporter(), { maxExportBatchSize: 3, scheduledDelayMillis: 1 }),
  ],
  ['a SimpleSpanProcessor', () => new SimpleSpanProcessor(new FaultlineSpanExporter())],
  ['a processor with an order of its own', () => new Shuffler()],
];

describe('the exporter', () => {
  it.each(PIPELINES)('makes each request one whole transaction under %s', async (_, createProcessor) => {
    await tell(
      own,
      async () => {
        const provider = register([createProcessor()]);
        await handleAll();
        await provider.shutdown();
      },
      ({ client, receiver }) => {
        expect(receiver.transactions.map(({ transaction }) => transaction).sort()).toEqual(
          Array.from({ length: REQUESTS }, (_, i) => `request ${i}`).sort(),
        );
        for (const { spans, contexts } of receiver.transactions) {
          expect(spans.map(({ description }) => description).sort()).toEqual(['afterwards', 'call', 'parse', 'query']);
          expect(new Set(spans.map(({ trace_id }) => trace_id))).toEqual(new Set([contexts.trace.trace_id]));
        }
        expect(receiver.events).toHaveLength(REQUESTS / 10);
        const roots = new Map(receiver.transactions.map((one) => [one.transaction, one.contexts.trace]));
        for (const { exception, contexts } of receiver.events) {
          const root = roots.get(exception!.values![0]!.value!.replace('of', 'request'));
          expect(contexts.trace).toMatchObject({ trace_id: root!.trace_id, span_id: root!.span_id });
        }
        expect(client.ledger.balance().span?.captured).toBe(REQUESTS * SPANS_PER_REQUEST);
      },
    );
  });

  it.each([
    ['leaves the decision to services that it calls while its own is open', undefined, undefined],
    ['tells them that the sampler of the application has dropped a trace', new AlwaysOffSampler(), '0'],
  ])('%s', async (_, sampler, flag) => {
    await tell({ ...own, tracesSampleRate: 1 }, async () => {
      register([new SimpleSpanProcessor(new FaultlineSpanExporter())], sampler);
      const headers = await inSpan('request', async () => getTraceData(), SpanKind.SERVER);
      expect(headers['sentry-trace']?.split('-')[2]).toBe(flag);
      expect(headers.baggage).toMatch(/sentry-sample_rand=0\.\d+/);
      expect(/sentry-sampled=(\w+)/.exec(headers.baggage!)?.[1]).toBe(flag && 'false');
    });
  });

  it('sends what the sampler of the application keeps, and counts what tracesSampleRate drops of it', async () => {
    await tell(
      { ...own, tracesSampleRate: 0.5 },
      async () => {
        const exporter = new FaultlineSpanExporter();
        const provider = register([new BatchSpanProcessor(exporter)], new TraceIdRatioBasedSampler(0.5));
        for (let i = 0; i < 400; i++) await inSpan('root', () => inSpan('child', async () => undefined));
        await provider.shutdown();
      },
      ({ client, receiver }) => {
        const { captured, delivered } = client.ledger.balance().transaction!;
        expect(captured / 400).toBeGreaterThan(0.35);
        expect(captured / 400).toBeLessThan(0.65);
        expect(delivered / captured).toBeGreaterThan(0.3);
        expect(delivered / captured).toBeLessThan(0.7);
        expect(receiver.transactions.every(({ spans }) => spans.length === 1)).toBe(true);
        expect(receiver.discardedTotal('sample_rate', 'span')).toBe(2 * (captured - delivered));
      },
    );
  });

  it('sends nothing twice beside our processor, and changes nothing for other exporters', async () => {
    const others = new InMemorySpanExporter();
    await tell(
      { ...own, tracesSampleRate: 1 },
      async () => {
        const ours = [new FaultlineSpanProcessor(), new BatchSpanProcessor(new FaultlineSpanExporter())];
        const provider = register([...ours, new SimpleSpanProcessor(others)]);
        await handleAll();
        await provider.forceFlush();
        expect(others.getFinishedSpans()).toHaveLength(REQUESTS * SPANS_PER_REQUEST);
        await provider.shutdown();
      },
      ({ client }) => expect(client.ledger.balance().span?.captured).toBe(REQUESTS * SPANS_PER_REQUEST),
    );
  });

  it('resolves forceFlush and shutdown, and counts the loss, when the destination fails', async () => {
    await tell(own, async ({ client, receiver }) => {
      receiver.respondWith({ statusCode: 400 });
      const exporter = new FaultlineSpanExporter();
      const provider = register([new SimpleSpanProcessor(exporter)]);
      await handle(1);
      await expect(provider.forceFlush()).resolves.toBeUndefined();
      expect(client.ledger.balance().span).toMatchObject({ captured: 5, discarded: 5 });
      receiver.respondWith();
      await expect(provider.shutdown()).resolves.toBeUndefined();
    });
  });

  it('sends what a processor hands over while the client closes', async () => {
    await tell(
      own,
      async ({ client }) => {
        const provider = register([new BatchSpanProcessor(new FaultlineSpanExporter())]);
        client.on('close', () => void provider.forceFlush());
        await inSpan('before', async () => undefined);
        await provider.forceFlush();
        await inSpan('last', async () => undefined);
        await client.close(10_000);
      },
      ({ receiver }) =>
        expect(receiver.transactions.map(({ transaction }) => transaction).sort()).toEqual(['before', 'last']),
    );
  });

  it('serves one client after the other', async () => {
    const provider = register([new SimpleSpanProcessor(new FaultlineSpanExporter())]);
    for (const name of ['first', 'second']) {
      await tell(
        own,
        () => void provider.getTracer('application').startSpan(name).end(),
        ({ receiver }) => expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual([name]),
      );
    }
    await provider.shutdown();
  });
});

describe('a script that ends', () => {
  it('sends everything without a flush or a shutdown', async () => {
    const receiver = await startReceiver();
    const { status, stderr } = await runScript(
      `
      import { trace, ROOT_CONTEXT } from '@opentelemetry/api';
      import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
      import { FaultlineSpanExporter, init } from 'faultline';
      init({ dsn: process.env.DSN, skipOpenTelemetrySetup: true });
      const spanProcessors = [new SimpleSpanProcessor(new FaultlineSpanExporter())];
      const tracer = new BasicTracerProvider({ spanProcessors }).getTracer('application');
      const root = tracer.startSpan('root');
      tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, root)).end();
      root.end();
      const endless = tracer.startSpan('endless');
      tracer.startSpan('orphan', {}, trace.setSpan(ROOT_CONTEXT, endless)).end();
      `,
      { env: { DSN: receiver.dsn } },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(receiver.transactions.map(({ transaction, spans }) => [transaction, spans.length])).toEqual([
      ['root', 1],
      ['orphan', 0],
    ]);
    await receiver.close();
  });
});
