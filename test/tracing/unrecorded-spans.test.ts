import {
  context as contextApi,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { suppressTracing } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, it } from 'vitest';
import { close, getActiveSpan, init, type Span, startInactiveSpan, startSpan } from '../../src/index.js';
import { resetOpenTelemetry } from '../support/story.js';

afterEach(async () => {
  await close(100);
  resetOpenTelemetry();
});

const SETTINGS = [
  ['with a rate of 0', { tracesSampleRate: 0 }],
  ['without a rate', {}],
] as const;

it.each(SETTINGS)('%s, nested spans are in one trace, each with an id of its own', (_, options) => {
  init({ dsn: 'http://key@127.0.0.1:1/1', ...options });
  const spans: Span[] = [];
  startSpan({ name: 'root' }, (root) => {
    spans.push(root, startInactiveSpan({ name: 'inactive' }));
    startSpan({ name: 'child' }, (child) => {
      expect(getActiveSpan()).toBe(child);
      spans.push(child, trace.getTracer('other').startSpan('of a tracer'));
    });
  });
  const contexts = spans.map((span) => span.spanContext());
  expect(spans.map((span) => span.isRecording())).toEqual([false, false, false, false]);
  expect(contexts.map(isSpanContextValid)).toEqual([true, true, true, true]);
  expect(new Set(contexts.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(contexts.map(({ spanId }) => spanId)).size).toBe(4);
  expect(spans.map((span) => span.spanContext())).toEqual(contexts);
});

it('a provider that was registered before init gets all spans, also without a sample rate', () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  contextApi.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  init({ dsn: 'http://key@127.0.0.1:1/1' });
  startSpan({ name: 'root' }, () =>
    startSpan({ name: 'child' }, () => {
      const span = trace.getTracer('other').startSpan('of a tracer');
      span.end();
    }),
  );
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name)).toEqual(['of a tracer', 'child', 'root']);
  expect(spans.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
    spans[1]!.spanContext().spanId,
    spans[2]!.spanContext().spanId,
    undefined,
  ]);
});

it.each(SETTINGS)('%s, a span below one that does not record has no ids where tracing is suppressed', (_, options) => {
  init({ dsn: 'http://key@127.0.0.1:1/1', ...options });
  startSpan({ name: 'root' }, () => {
    contextApi.with(suppressTracing(contextApi.active()), () => {
      startSpan({ name: 'child' }, (child) => expect(isSpanContextValid(child.spanContext())).toBe(false));
    });
  });
});

it.each(SETTINGS)(
  '%s, spans of a tracer below one that does not record are in its trace, except for new roots',
  (_, options) => {
    init({ dsn: 'http://key@127.0.0.1:1/1', ...options });
    const tracer = trace.getTracer('other');
    tracer.startActiveSpan('root', (root) => {
      const outer = root.spanContext();
      for (const kind of [SpanKind.INTERNAL, SpanKind.CLIENT, SpanKind.SERVER]) {
        const child = tracer.startSpan('child', { kind });
        expect(child.isRecording()).toBe(false);
        expect(child.spanContext()).toMatchObject({ traceId: outer.traceId, traceFlags: TraceFlags.NONE });
        expect(child.spanContext().spanId).not.toBe(outer.spanId);
      }
      expect(tracer.startSpan('new', { root: true }).spanContext().traceId).not.toBe(outer.traceId);
      expect(tracer.startSpan('elsewhere', {}, ROOT_CONTEXT).spanContext().traceId).not.toBe(outer.traceId);
    });
  },
);

it('forceTransaction asks the sampler although the parent does not record', () => {
  const asked: string[] = [];
  init({
    dsn: 'http://key@127.0.0.1:1/1',
    tracesSampler: ({ name }) => {
      asked.push(name);
      return name === 'forced';
    },
  });
  startSpan({ name: 'root' }, () => {
    startSpan({ name: 'child' }, () =>
      startSpan({ name: 'forced', forceTransaction: true }, (span) => expect(span.isRecording()).toBe(true)),
    );
  });
  expect(asked).toEqual(['root', 'forced']);
});
