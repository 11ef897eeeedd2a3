// `init` alone, with the SDK that the package depends on; the application brings instrumentation of its own generation.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { api } from './support/application.mjs';
import { expectOrders, runService } from './support/service.mjs';
import { faultline, tell } from './support/stage.mjs';

const { startSpan, setTag, captureException, addBreadcrumb, withIsolationScope } = faultline;

test('an error carries the scopes and the trace that it happened in', async () => {
  await tell(
    { options: { tracesSampleRate: 1, release: 'app@1' } },
    () =>
      withIsolationScope(() => {
        setTag('region', 'eu');
        addBreadcrumb({ message: 'cart opened' });
        startSpan({ name: 'checkout' }, () => captureException(new TypeError('declined')));
      }),
    ({ events: [event], transactions: [transaction] }) => {
      assert.equal(event.exception.values[0].type, 'TypeError');
      assert.equal(event.exception.values[0].value, 'declined');
      assert.ok(event.exception.values[0].stacktrace.frames.at(-1).filename.endsWith('way-1.test.mjs'));
      assert.equal(event.tags.region, 'eu');
      assert.equal(event.breadcrumbs[0].message, 'cart opened');
      assert.equal(event.release, 'app@1');
      assert.equal(event.contexts.trace.trace_id, transaction.contexts.trace.trace_id);
    },
  );
});

test('spans of both interfaces become one transaction', async () => {
  await tell(
    { options: { tracesSampleRate: 1 } },
    async () => {
      setTag('job', 'nightly');
      await startSpan({ name: 'report', op: 'task' }, async () => {
        await startSpan({ name: 'query', op: 'db.query' }, () => sleep(2));
        const link = { context: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 } };
        api.trace.getTracer('app').startActiveSpan('render', { links: [link], attributes: { pages: 3 } }, (span) => {
          span.setStatus({ code: api.SpanStatusCode.ERROR, message: 'not_found' });
          span.end();
        });
      });
    },
    ({ transactions: [transaction, ...others] }) => {
      assert.deepEqual(others, []);
      assert.equal(transaction.transaction, 'report');
      assert.equal(transaction.contexts.trace.op, 'task');
      assert.equal(transaction.tags.job, 'nightly');
      const [query, render] = transaction.spans;
      assert.equal(query.description, 'query');
      assert.equal(query.parent_span_id, transaction.contexts.trace.span_id);
      assert.ok(query.timestamp > query.start_timestamp);
      assert.equal(render.data.pages, 3);
      assert.equal(render.status, 'not_found');
      assert.equal(render.links[0].trace_id, '1'.repeat(32));
    },
  );
});

test('tasks that run at the same time do not see each other', async () => {
  const ids = Array.from({ length: 50 }, (_, id) => id);
  await tell(
    { options: { tracesSampleRate: 1 } },
    () =>
      Promise.all(
        ids.map((id) =>
          withIsolationScope(() =>
            startSpan({ name: `task ${id}` }, async () => {
              setTag('task', id);
              await sleep(id % 7);
              captureException(new Error(`of task ${id}`));
            }),
          ),
        ),
      ),
    ({ events, transactions }) => {
      assert.equal(events.length, ids.length);
      for (const { tags, exception } of events) assert.equal(exception.values[0].value, `of task ${tags.task}`);
      for (const { tags, transaction } of transactions) assert.equal(transaction, `task ${tags.task}`);
    },
  );
});

test('requests by node:http and fetch carry the trace', async () => {
  const seen = [];
  const server = http.createServer(({ headers }, response) => {
    seen.push(headers);
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  let traceId;
  await tell(
    { options: { tracesSampleRate: 1, propagateTraceparent: true, release: 'app@1' } },
    () =>
      startSpan({ name: 'caller' }, async (span) => {
        ({ traceId } = span.spanContext());
        await (await fetch(url)).text();
        const [response] = await once(http.get(url, { agent: false }), 'response');
        await once(response.resume(), 'end');
      }),
    () => undefined,
  );
  server.close();
  assert.equal(seen.length, 2);
  for (const headers of seen) {
    assert.match(headers['sentry-trace'], new RegExp(`^${traceId}-\\w{16}-1$`));
    assert.match(headers.traceparent, new RegExp(`^00-${traceId}-\\w{16}-01$`));
    assert.match(
      headers.baggage,
      new RegExp(
        `sentry-trace_id=${traceId}.*sentry-release=app%401|sentry-release=app%401.*sentry-trace_id=${traceId}`,
      ),
    );
  }
});

test('what is not sampled is counted, and travels as such', async () => {
  await tell(
    { options: { tracesSampleRate: 0 } },
    () =>
      startSpan({ name: 'dropped' }, (span) => {
        assert.equal(span.isRecording(), false);
        assert.match(faultline.getTraceData()['sentry-trace'], /-0$/);
      }),
    (receiver) => {
      assert.deepEqual(receiver.transactions, []);
      assert.equal(receiver.discardedTotal('sample_rate', 'transaction'), 1);
    },
  );
});

test('a tracer that was asked for before init makes spans afterwards', async () => {
  const tracer = api.trace.getTracer('early');
  await tell(
    { options: { tracesSampleRate: 1 } },
    () => tracer.startSpan('late').end(),
    ({ transactions: [transaction] }) => assert.equal(transaction.transaction, 'late'),
  );
});

test('init works again, after close and when everything was taken back', async () => {
  for (let round = 0; round < 3; round++) {
    await tell(
      { options: { tracesSampleRate: 1 } },
      () =>
        startSpan({ name: 'root' }, async () => {
          await sleep(1);
          startSpan({ name: 'child' }, () => setTag('round', round));
        }),
      ({ transactions: [transaction] }) => {
        assert.equal(transaction.spans.length, 1);
        assert.equal(transaction.tags.round, String(round));
      },
    );
  }
});

test('a service becomes transactions of its requests, by the instrumentation of the application', async () => {
  expectOrders(await runService({ FAULTLINE: 'alone', OUR_RATE: '1', CONCURRENT: '1' }), 2);
});
