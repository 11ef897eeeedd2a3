import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, getIsolationScope, openTelemetry, withIsolationScope } from '../../../src/index.js';
import { continueFrom } from '../../../src/tracing/propagation/incoming-trace.js';
import { tell } from '../../support/story.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const HEADERS = {
  'sentry-trace': `${TRACE_ID}-${SPAN_ID}`,
  baggage: `sentry-trace_id=${TRACE_ID}`,
  traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`,
};

/** Starts a server span as instrumentations do, below what the headers say, and runs the callback in it. */
function serve<T>(before: Context, headers: object, name: string, callback: () => T): T {
  const parent = propagation.extract(before, headers);
  return trace.getTracer('test').startActiveSpan(name, { kind: SpanKind.SERVER }, parent, (span) => {
    const result = callback();
    span.end();
    return result;
  });
}

/** A request that instrumentation of the server has met first, and then that of a framework. */
function handleRequest(inner: object = HEADERS): void {
  withIsolationScope((outer) => {
    // As for each request of a server.
    const entered = continueFrom(context.active(), { traceparent: HEADERS.traceparent });
    outer.setTag('seen', 'outside');
    context.with(entered ?? context.active(), () => {
      serve(ROOT_CONTEXT, HEADERS, 'server', () => {
        const own = getIsolationScope();
        serve(context.active(), inner, 'framework', () => {
          own.setTag('same', getIsolationScope() === own);
        });
      });
    });
  });
}

/** Registers OpenTelemetry as an application does, with the parts spread into it. */
function registerExistingSetup(exporter: InMemorySpanExporter): void {
  const { textMapPropagator, contextManager, sampler, spanProcessors } = openTelemetry({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler, spanProcessors }));
  context.setGlobalContextManager(contextManager.enable());
  propagation.setGlobalPropagator(textMapPropagator);
}

describe('a request whose headers are read twice', () => {
  it.each<[setup: string, options: ClientOptions]>([
    ['our setup', {}],
    ['a setup of the application', { skipOpenTelemetrySetup: true }],
  ])('becomes one transaction, in one isolation scope, with %s', async (_, options) => {
    const exporter = new InMemorySpanExporter();
    await tell(
      { tracesSampleRate: 1, ...options },
      () => {
        if (options.skipOpenTelemetrySetup) registerExistingSetup(exporter);
        handleRequest();
      },
      ({ receiver }) => {
        expect(receiver.transactions).toHaveLength(1);
        const [{ transaction, contexts, spans, tags }] = receiver.transactions as [(typeof receiver.transactions)[0]];
        expect(transaction).toBe('server');
        expect(contexts.trace).toMatchObject({ trace_id: TRACE_ID, parent_span_id: SPAN_ID });
        expect(spans).toEqual([
          expect.objectContaining({ description: 'framework', parent_span_id: contexts.trace.span_id }),
        ]);
        expect(tags).toEqual({ seen: 'outside', same: 'true' });
      },
    );
    // The exporters of the application see the parents that they have always seen.
    for (const span of exporter.getFinishedSpans()) expect(span.parentSpanContext?.spanId).toBe(SPAN_ID);
  });

  it('is decided about once', async () => {
    const asked: string[] = [];
    const tracesSampler = ({ name }: { name: string }) => {
      asked.push(name);
      return name === 'framework';
    };
    await tell(
      { tracesSampler },
      () => handleRequest(),
      ({ receiver }) => expect(receiver.transactions).toEqual([]),
    );
    expect(asked).toEqual(['server']);
  });

  it('is another one where its headers name another parent', async () => {
    const another = { 'sentry-trace': `${TRACE_ID}-0000000000000007-1`, baggage: HEADERS.baggage };
    await tell(
      { tracesSampleRate: 1 },
      () => handleRequest(another),
      ({ receiver }) => {
        expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual(['framework', 'server']);
      },
    );
  });
});
