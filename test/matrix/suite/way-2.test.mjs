// Beside an OpenTelemetry setup of the application: `init` with `skipOpenTelemetrySetup`, and parts spread into it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { api, batched, Exporter, parentBased, SETUPS, simple } from './support/application.mjs';
import { comparable, expectOrders, runService } from './support/service.mjs';
import { faultline, tell } from './support/stage.mjs';

const { captureException, captureMessage, getCurrentScope, openTelemetry, setTag, startSpan, withIsolationScope } =
  faultline;

/** What is done in each request, by the interface of OpenTelemetry. */
const work = (id) =>
  withIsolationScope(() =>
    api.trace.getTracer('app').startActiveSpan(`request ${id}`, { kind: api.SpanKind.SERVER }, (root) => {
      setTag('request', id);
      startSpan({ name: 'step' }, () => captureException(new Error(`of ${id}`)));
      root.end();
    }),
  );

const namesOf = ({ spans }) => spans.map(({ name }) => name).sort();

for (const [name, start] of Object.entries(SETUPS)) {
  describe(name, () => {
    for (const isInitLast of [false, true]) {
      test(`serves both when init comes ${isInitLast ? 'last' : 'first'}, and its shutdown delivers`, async () => {
        const [one, many] = [new Exporter(), new Exporter()];
        const parts = () => openTelemetry({ sampler: parentBased(1), spanProcessors: [simple(one), batched(many)] });
        await tell(
          {
            options: { tracesSampleRate: 1, skipOpenTelemetrySetup: true },
            setUp: () => start(parts()),
            isInitLast,
          },
          () => [1, 2, 3].forEach(work),
          ({ transactions, events }) => {
            assert.deepEqual(transactions.map(({ transaction }) => transaction).sort(), [
              'request 1',
              'request 2',
              'request 3',
            ]);
            for (const { transaction, tags, spans, contexts } of transactions) {
              assert.equal(transaction, `request ${tags.request}`);
              assert.deepEqual(
                spans.map(({ description }) => description),
                ['step'],
              );
              const error = events.find((event) => event.tags.request === tags.request);
              assert.equal(error.exception.values[0].value, `of ${tags.request}`);
              assert.equal(error.contexts.trace.trace_id, contexts.trace.trace_id);
            }
            assert.deepEqual(namesOf(one), ['request 1', 'request 2', 'request 3', 'step', 'step', 'step']);
            assert.deepEqual(namesOf(many), namesOf(one));
          },
        );
      });
    }

    for (const [theirs, ours] of [
      [1, 0],
      [0, 1],
      [0, 0],
    ]) {
      test(`keeps decisions apart: theirs ${theirs}, ours ${ours}`, async () => {
        const exporter = new Exporter();
        const headers = {};
        await tell(
          {
            options: { tracesSampleRate: ours, skipOpenTelemetrySetup: true },
            setUp: () => start(openTelemetry({ sampler: parentBased(theirs), spanProcessors: [simple(exporter)] })),
          },
          () =>
            startSpan({ name: 'root' }, (span) => {
              assert.equal(span.isRecording(), theirs + ours > 0);
              api.propagation.inject(api.context.active(), headers);
            }),
          ({ transactions }) => {
            assert.equal(exporter.spans.length, theirs);
            assert.equal(transactions.length, ours);
          },
        );
        assert.match(headers.traceparent, new RegExp(`-0${theirs}$`));
        assert.match(headers['sentry-trace'], new RegExp(`-${ours}$`));
        assert.match(headers.baggage, new RegExp(`sentry-sampled=${ours === 1}`));
      });
    }

    test('asks a given propagator', async () => {
      const propagator = {
        inject: (_context, carrier, setter) => setter.set(carrier, 'x-trace', 'theirs'),
        extract: (context, carrier, getter) => {
          const traceId = getter.get(carrier, 'x-trace');
          if (!traceId) return context;
          return api.trace.setSpanContext(context, { traceId, spanId: 'b'.repeat(16), traceFlags: 1, isRemote: true });
        },
        fields: () => ['x-trace'],
      };
      const sent = {};
      await tell(
        {
          options: { tracesSampleRate: 1, skipOpenTelemetrySetup: true },
          setUp: () => start(openTelemetry({ propagator })),
        },
        () => {
          const extracted = api.propagation.extract(api.ROOT_CONTEXT, { 'x-trace': 'a'.repeat(32) });
          const span = api.trace.getTracer('app').startSpan('continued', {}, extracted);
          api.propagation.inject(api.trace.setSpan(extracted, span), sent);
          span.end();
        },
        ({ transactions: [transaction] }) => {
          assert.equal(transaction.contexts.trace.trace_id, 'a'.repeat(32));
          assert.equal(transaction.contexts.trace.parent_span_id, 'b'.repeat(16));
        },
      );
      assert.equal(sent['x-trace'], 'theirs');
      assert.match(sent['sentry-trace'], /^a{32}-\w{16}-1$/);
    });

    for (const FAULTLINE of ['parts', 'processor']) {
      test(`keeps requests to its service apart, with our ${FAULTLINE}`, async () => {
        // Nothing instruments fetch: its request has no header of the application's propagator.
        expectOrders(await runService({ FAULTLINE, SETUP: name, OUR_RATE: '1', CONCURRENT: '1' }), 1);
      });
    }
  });
}

describe('what the application exports', () => {
  const [SETUP] = Object.keys(SETUPS);

  for (const THEIR_RATE of ['1', '0.5']) {
    test(`is the same beside us, span for span, when it keeps ${THEIR_RATE} of its traces`, async () => {
      const alone = await runService({ FAULTLINE: 'none', SETUP, THEIR_RATE });
      const names = new Set(alone.exported.map(({ name }) => name));
      for (const expected of ['GET', 'query', 'parse']) assert.ok(names.has(expected), expected);
      for (const env of [
        { FAULTLINE: 'parts', OUR_RATE: '1' },
        { FAULTLINE: 'parts', OUR_RATE: '0.5', IS_INIT_LAST: '1' },
        { FAULTLINE: 'parts', OUR_RATE: '' },
        { FAULTLINE: 'processor', OUR_RATE: '1' },
      ]) {
        const beside = await runService({ ...env, SETUP, THEIR_RATE });
        assert.deepEqual(comparable(beside.exported), comparable(alone.exported), JSON.stringify(env));
        assert.equal(beside.transactions.length > 0, env.OUR_RATE !== '');
        assert.equal(beside.events.length, 10);
      }
    });
  }
});

test('a context that was attached carries its span, and has a scope of its own', { skip: !api.context.attach }, () =>
  tell(
    {
      options: { tracesSampleRate: 1, skipOpenTelemetrySetup: true },
      setUp: () => SETUPS.NodeSDK(openTelemetry()),
    },
    () => {
      const span = api.trace.getTracer('app').startSpan('attached');
      const token = api.context.attach(api.trace.setSpan(api.context.active(), span));
      getCurrentScope().setTag('attached', 'yes');
      startSpan({ name: 'below' }, () => undefined);
      token.dispose();
      span.end();
      captureMessage('detached');
    },
    ({ transactions: [transaction], events: [event] }) => {
      assert.equal(transaction.transaction, 'attached');
      assert.equal(transaction.spans[0].description, 'below');
      assert.equal(event.tags?.attached, undefined);
    },
  ),
);
