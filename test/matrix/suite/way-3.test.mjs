// Faultline as one more exporter in a pipeline of the application, behind processors of its generation.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { api, batched, Exporter, isSdk3, parentBased, SETUPS, simple } from './support/application.mjs';
import { comparable, runService } from './support/service.mjs';
import { faultline, tell } from './support/stage.mjs';

const { captureException, FaultlineContextManager, FaultlineSpanExporter, getGlobalScope } = faultline;

const PROCESSORS = { SimpleSpanProcessor: simple, BatchSpanProcessor: batched };
const PROPAGATION = { textMapPropagator: { inject() {}, extract: (context) => context, fields: () => [] } };

/** @returns a pipeline that exports to Faultline and to an exporter of its own */
const pipeline = (processor, { exporter = new Exporter(), rate = 1 } = {}) =>
  SETUPS.NodeSDK({
    ...PROPAGATION,
    contextManager: new FaultlineContextManager(),
    sampler: parentBased(rate),
    spanProcessors: [processor(new FaultlineSpanExporter()), simple(exporter)],
  });

const inSpan = (name, work = () => undefined, options = {}) =>
  api.trace.getTracer('app').startActiveSpan(name, options, (span) => {
    const result = work(span);
    span.end();
    return result;
  });

for (const [name, processor] of Object.entries(PROCESSORS)) {
  describe(name, () => {
    test('hands over finished spans, which become whole transactions', async () => {
      const exporter = new Exporter();
      await tell(
        { options: { skipOpenTelemetrySetup: true }, setUp: () => pipeline(processor, { exporter }) },
        () => {
          getGlobalScope().setTag('service', 'shop');
          for (const id of [1, 2]) {
            inSpan(`request ${id}`, () => inSpan('query', () => captureException(new Error(`of ${id}`))), {
              kind: api.SpanKind.SERVER,
            });
          }
        },
        ({ transactions, events }) => {
          assert.deepEqual(transactions.map(({ transaction }) => transaction).sort(), ['request 1', 'request 2']);
          for (const { spans, tags, contexts, transaction } of transactions) {
            assert.deepEqual(
              spans.map(({ description }) => description),
              ['query'],
            );
            assert.equal(tags.service, 'shop');
            const error = events.find((event) => `request ${event.exception.values[0].value.slice(3)}` === transaction);
            assert.equal(error.contexts.trace.trace_id, contexts.trace.trace_id);
            assert.equal(error.contexts.trace.span_id, spans[0].span_id);
          }
          assert.deepEqual(exporter.spans.map((span) => span.name).sort(), [
            'query',
            'query',
            'request 1',
            'request 2',
          ]);
        },
      );
    });

    test('a span that outlives its root is in its transaction', async () => {
      await tell(
        { options: { skipOpenTelemetrySetup: true }, setUp: () => pipeline(processor) },
        async () => {
          let late;
          inSpan('root', () => {
            late = api.trace.getTracer('app').startSpan('late');
            inSpan('prompt');
          });
          await sleep(20);
          late.end();
        },
        ({ transactions: [transaction, ...others] }) => {
          assert.deepEqual(others, []);
          assert.deepEqual(transaction.spans.map(({ description }) => description).sort(), ['late', 'prompt']);
        },
      );
    });

    test('what the sampler of the pipeline drops does not arrive', async () => {
      await tell(
        { options: { skipOpenTelemetrySetup: true }, setUp: () => pipeline(processor, { rate: 0 }) },
        () => inSpan('dropped', () => captureException(new Error('kept'))),
        ({ transactions, events }) => {
          assert.equal(transactions.length, 0);
          assert.equal(events.length, 1);
        },
      );
    });

    test('a rate of ours decides once more', async () => {
      await tell(
        { options: { skipOpenTelemetrySetup: true, tracesSampleRate: 0 }, setUp: () => pipeline(processor) },
        () => inSpan('root', () => inSpan('child')),
        (receiver) => {
          assert.equal(receiver.transactions.length, 0);
          assert.equal(receiver.discardedTotal('sample_rate', 'transaction'), 1);
        },
      );
    });

    test('together with our processor nothing is sent twice', async () => {
      await tell(
        {
          options: { skipOpenTelemetrySetup: true, tracesSampleRate: 1 },
          setUp: () =>
            SETUPS.NodeSDK({
              ...PROPAGATION,
              contextManager: new FaultlineContextManager(),
              spanProcessors: [new faultline.FaultlineSpanProcessor(), processor(new FaultlineSpanExporter())],
            }),
        },
        () => inSpan('root', () => inSpan('child')),
        ({ transactions }) => {
          assert.deepEqual(
            transactions.map(({ transaction }) => transaction),
            ['root'],
          );
          assert.equal(transactions[0].spans.length, 1);
        },
      );
    });

    test('times, kinds, links, status and attributes are those of the spans', async () => {
      const start = Date.now() - 5000;
      const structured = { nested: { list: [1, { deep: null }] }, bytes: new Uint8Array([1, 2]), mixed: ['a', 1] };
      await tell(
        { options: { skipOpenTelemetrySetup: true, normalizeDepth: 10 }, setUp: () => pipeline(processor) },
        () => {
          const tracer = api.trace.getTracer('app');
          const link = { context: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 } };
          const attributes = { text: 't', number: 1.5, flag: true, list: ['a', 'b'], ...(isSdk3 ? structured : {}) };
          const span = tracer.startSpan('root', { startTime: start, attributes, links: [link] });
          span.setStatus({ code: api.SpanStatusCode.ERROR, message: 'not_found' });
          span.end(start + 1500);
        },
        ({ transactions: [{ contexts, start_timestamp, timestamp }] }) => {
          const { data, status, links } = contexts.trace;
          assert.equal(start_timestamp, start / 1000);
          assert.equal(timestamp, (start + 1500) / 1000);
          assert.equal(status, 'not_found');
          assert.equal(links[0].span_id, '2'.repeat(16));
          assert.deepEqual([data.text, data.number, data.flag, data.list], ['t', 1.5, true, ['a', 'b']]);
          if (!isSdk3) return;
          assert.deepEqual(data.nested, structured.nested);
          assert.deepEqual(data.mixed, structured.mixed);
          assert.ok(data.bytes);
        },
      );
    });
  });
}

test('what the application exports is the same beside us, span for span', async () => {
  const [SETUP] = Object.keys(SETUPS);
  const alone = await runService({ FAULTLINE: 'none', SETUP, THEIR_RATE: '0.5' });
  const beside = await runService({ FAULTLINE: 'exporter', SETUP, THEIR_RATE: '0.5' });
  assert.deepEqual(comparable(beside.exported), comparable(alone.exported));
  const sampled = new Set(alone.exported.map(({ context }) => context.traceId));
  assert.deepEqual(new Set(beside.transactions.map(({ contexts }) => contexts.trace.trace_id)), sampled);
});
