import type http from 'node:http';
import { createRequire } from 'node:module';
import { context, type Span, trace } from '@opentelemetry/api';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  captureMessage,
  continueTrace,
  getActiveSpan,
  getCurrentScope,
  getTraceData,
  init,
  Scope,
  startInactiveSpan,
  startNewTrace,
  startSpan,
  suppressTracing,
  type TraceDataOptions,
  withScope,
} from '../../src/index.js';
import { serve } from '../integrations/http/servers.js';
import { ALWAYS, NEVER, Sink, startExistingSetup } from '../support/existing-setup.js';
import { resetOpenTelemetry, tell } from '../support/story.js';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  resetOpenTelemetry();
});

const INCOMING = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceIdOf = (span: Span) => span.spanContext().traceId;

/** A server that answers with the `sentry-trace` header that it got. */
async function serveEcho() {
  const server = await serve((incoming, response) => response.end(String(incoming.headers['sentry-trace'])));
  endings.push(() => server.close());
  return async () => (await (await fetch(server.url)).text()).split('-')[0];
}

describe('startNewTrace', () => {
  it.each([1, 0, undefined])('puts spans, errors and headers into one new trace with a rate of %s', async (rate) => {
    const ids: Record<string, unknown> = {};
    const outside: string[] = [];
    const traceIdOfRequest = await serveEcho();
    await tell(
      { tracesSampleRate: rate },
      () =>
        startSpan({ name: 'outside' }, async (span) => {
          outside.push(traceIdOf(span), getCurrentScope().getPropagationContext().traceId);
          await startNewTrace(async () => {
            captureMessage('beside spans');
            ids['scope'] = getCurrentScope().getPropagationContext().traceId;
            ids['request'] = await traceIdOfRequest();
            await startSpan({ name: 'first' }, async (first) => {
              if (rate !== undefined) ids['first root'] = traceIdOf(first);
              ids['request in a span'] = await traceIdOfRequest();
              captureMessage('in a span');
            });
            if (rate === undefined) return;
            ids['inactive root'] = traceIdOf(startInactiveSpan({ name: 'second' }));
            ids['root of a tracer'] = traceIdOf(trace.getTracer('shop').startSpan('third'));
          });
        }),
      ({ receiver }) => {
        for (const { message, contexts } of receiver.events) ids[String(message)] = contexts.trace.trace_id;
      },
    );
    expect(Object.keys(ids)).toEqual(expect.arrayContaining(['scope', 'request', 'beside spans', 'in a span']));
    expect(new Set(Object.values(ids)).size).toBe(1);
    expect(outside).not.toContain(ids['scope']);
  });

  it('begins another trace each time, whose roots have no parent', async () => {
    await tell(
      { tracesSampleRate: 1 },
      () => {
        for (const name of ['a', 'b']) startNewTrace(() => startSpan({ name }, () => undefined));
        startSpan({ name: 'c' }, () => undefined);
      },
      ({ receiver }) => {
        const traces = receiver.transactions.map(({ contexts }) => contexts.trace);
        expect(new Set(traces.map(({ trace_id }) => trace_id)).size).toBe(3);
        for (const one of traces) expect(one).not.toHaveProperty('parent_span_id');
      },
    );
  });
});

describe('a scope that was current in a span', () => {
  async function spansBelow(play: (scope: Scope, span: Span) => unknown) {
    let expected = '';
    await tell(
      { tracesSampleRate: 1 },
      () =>
        startSpan({ name: 'root' }, async (root) => {
          expected = root.spanContext().spanId;
          const scope = getCurrentScope();
          await startSpan({ name: 'other' }, () => play(scope, root));
        }),
      ({ receiver }) => {
        const child = receiver.transactions[0]!.spans.find(({ description }) => description === 'child');
        expect(child?.parent_span_id).toBe(expected);
      },
    );
  }

  it('makes that span the parent through startSpan({ scope })', () =>
    spansBelow((scope) => startSpan({ name: 'child', scope }, () => expect(getCurrentScope()).toBe(scope))));

  it('makes that span the active one again through withScope', () =>
    spansBelow((scope, root) =>
      withScope(scope, () => {
        expect(getActiveSpan()).toBe(root);
        startSpan({ name: 'child' }, () => undefined);
      }),
    ));

  it('does so also for forks of the scope, and outside of any span', async () => {
    let saved: [Scope, Span] | undefined;
    await tell({ tracesSampleRate: 1 }, () => {
      startSpan({ name: 'root' }, (span) => withScope((scope) => (saved = [scope, span])));
      withScope(saved![0], () => expect(getActiveSpan()).toBe(saved![1]));
      expect(getActiveSpan()).toBeUndefined();
    });
  });

  it('does so also after an inactive span was started in the scope', async () => {
    await tell({ tracesSampleRate: 1 }, () =>
      startSpan({ name: 'root' }, (root) => {
        const scope = withScope((fork) => {
          startInactiveSpan({ name: 'inactive' }).end();
          return fork;
        });
        startSpan({ name: 'other' }, () => withScope(scope, () => expect(getActiveSpan()).toBe(root)));
      }),
    );
  });

  it('does not change the active span if it is the current scope or was not forked', async () => {
    await tell({ tracesSampleRate: 1 }, () =>
      startSpan({ name: 'root' }, (root) => {
        withScope(getCurrentScope(), () => expect(getActiveSpan()).toBe(root));
        withScope(getCurrentScope().clone(), () => expect(getActiveSpan()).toBe(root));
      }),
    );
  });
});

describe('a parent made by hand without isRemote', () => {
  const parentSpan = trace.wrapSpanContext({ ...INCOMING, traceFlags: 1 });

  it.each<[string, (work: (span: Span) => void) => void]>([
    ['as parentSpan', (work) => startSpan({ name: 'process', parentSpan }, work)],
    [
      'in the context, for a tracer',
      (work) =>
        trace.getTracer('queue').startActiveSpan('process', {}, trace.setSpan(context.active(), parentSpan), (span) => {
          work(span);
          span.end();
        }),
    ],
  ])('begins a transaction in its trace, %s', async (_, start) => {
    await tell(
      { tracesSampleRate: 0 },
      () =>
        start((span) => {
          expect(span.isRecording()).toBe(true);
          captureMessage('m');
        }),
      ({ receiver }) => {
        expect(receiver.transactions).toHaveLength(1);
        const { trace_id, span_id, parent_span_id } = receiver.transactions[0]!.contexts.trace;
        expect([trace_id, parent_span_id]).toEqual([INCOMING.traceId, INCOMING.spanId]);
        expect(receiver.events[0]!.contexts.trace).toMatchObject({ trace_id, span_id });
      },
    );
  });

  it('that is not sampled begins none', async () => {
    const unsampled = trace.wrapSpanContext({ ...INCOMING, traceFlags: 0 });
    await tell(
      { tracesSampleRate: 1 },
      () => startSpan({ name: 'process', parentSpan: unsampled }, (span) => expect(span.isRecording()).toBe(false)),
      ({ receiver }) => expect(receiver.transactions).toEqual([]),
    );
  });
});

describe('beside an existing setup without HTTP instrumentation', () => {
  it.each([
    ['keeps everything', ALWAYS],
    ['keeps nothing', NEVER],
  ])('startSpan in a request continues the incoming trace, with a sampler that %s', async (_, sampler) => {
    const sink = new Sink();
    const client = init(sink.options({ tracesSampleRate: 0 }));
    endings.push(() => client.close(1000));
    startExistingSetup({ sampler });
    const seen: string[] = [];
    const server = await serve((_request, response) => {
      startSpan({ name: 'work' }, (span) => seen.push(traceIdOf(span)));
      seen.push(traceIdOf(trace.getTracer('application').startSpan('its own')));
      response.end();
    });
    endings.push(() => server.close());
    await fetch(server.url, { headers: { 'sentry-trace': `${INCOMING.traceId}-${INCOMING.spanId}-1` } });
    await client.flush(5000);
    expect(seen[0]).toBe(INCOMING.traceId);
    // Spans of the application's own tracers are what they were.
    expect(seen[1]).not.toBe(INCOMING.traceId);
    expect(
      sink.transactions.map(({ transaction, contexts }) => [transaction, contexts?.trace?.parent_span_id]),
    ).toEqual([['work', INCOMING.spanId]]);
  });
});

describe('the dynamic sampling context of a continued trace', () => {
  const sentryTrace = `${INCOMING.traceId}-${INCOMING.spanId}-1`;
  const membersOf = (baggage: string | undefined) =>
    Object.fromEntries((baggage ?? '').split(',').map((member) => member.split('=')));

  it.each([
    ['with a trace id', `sentry-trace_id=${INCOMING.traceId},sentry-public_key=k`],
    ['without a trace id', 'sentry-environment=production,sentry-public_key=k'],
  ])('gets a random number and is otherwise unchanged, inside and outside of spans, %s', async (_, baggage) => {
    for (const tracesSampleRate of [1, undefined]) {
      await tell({ tracesSampleRate }, () =>
        continueTrace({ sentryTrace, baggage }, () => {
          const outside = membersOf(getTraceData().baggage);
          const inside = startSpan({ name: 'a' }, () => membersOf(getTraceData().baggage));
          expect(outside).toEqual({ ...membersOf(baggage), 'sentry-sample_rand': expect.stringMatching(/^0\.\d+$/) });
          expect(inside).toEqual(outside);
        }),
      );
    }
  });

  it('is read from bytes, too, as brokers hand headers over', async () => {
    await tell({ tracesSampleRate: 1 }, () =>
      continueTrace({ 'sentry-trace': Buffer.from(sentryTrace), baggage: Buffer.from('sentry-release=5') }, () => {
        expect(startSpan({ name: 'a' }, (span) => span.spanContext().traceId)).toBe(sentryTrace.slice(0, 32));
        expect(getTraceData().baggage).toContain('sentry-release=5');
      }),
    );
  });

  it('stays empty if the incoming trace had none', async () => {
    await tell({ tracesSampleRate: 1 }, () =>
      continueTrace({ sentryTrace }, () => {
        expect(getTraceData()).not.toHaveProperty('baggage');
        startSpan({ name: 'a' }, () => expect(getTraceData()).not.toHaveProperty('baggage'));
      }),
    );
  });
});

it('during a request of Express, baggage names the route as soon as it is known', async () => {
  const require = createRequire(import.meta.url);
  const instrumentations = [new HttpInstrumentation(), new ExpressInstrumentation()];
  for (const one of instrumentations) endings.push(() => one.disable());
  require('node:http');
  const express = require('express');
  const client = init({ dsn: 'http://key@127.0.0.1:1/1', tracesSampleRate: 1 });
  endings.push(() => client.close(1));
  for (const one of instrumentations) one.setTracerProvider(trace.getTracerProvider());
  const nameOf = () => /sentry-transaction=([^,]+)/.exec(getTraceData().baggage ?? '')?.[1];
  const app = express();
  let early: unknown = 'none';
  app.use((_request: unknown, _response: unknown, next: () => void) => {
    early = nameOf();
    next();
  });
  app.get('/users/:id', (_request: unknown, response: http.ServerResponse) => void response.end(nameOf()));
  const server = await serve(app);
  endings.push(() => server.close());
  // A client without a trace of its own.
  const response = await suppressTracing(() => fetch(`${server.url}/users/7`));
  expect(await response.text()).toBe(encodeURIComponent('GET /users/:id'));
  expect(early).toBeUndefined();
});

describe('getTraceData', () => {
  it('returns the trace of a span, of a scope that was current in a span, or of a scope made by hand', async () => {
    await tell({ tracesSampleRate: 1 }, () => {
      const idsOf = (span: Span) => `${span.spanContext().traceId}-${span.spanContext().spanId}-1`;
      const other = startInactiveSpan({ name: 'other' });
      const byHand = new Scope().setPropagationContext(INCOMING);
      startSpan({ name: 'a' }, (span) => {
        const scope = getCurrentScope();
        startSpan({ name: 'b' }, (active) => {
          expect(getTraceData()['sentry-trace']).toBe(idsOf(active));
          expect(getTraceData({})['sentry-trace']).toBe(idsOf(active));
          expect(getTraceData({ span: other })['sentry-trace']).toBe(idsOf(other));
          expect(getTraceData({ scope })['sentry-trace']).toBe(idsOf(span));
          expect(getTraceData({ scope: byHand })['sentry-trace']).toBe(`${INCOMING.traceId}-${INCOMING.spanId}`);
          expect(getTraceData({ span: other, scope })['sentry-trace']).toBe(idsOf(other));
        });
      });
      other.end();
    });
  });

  it('ignores values that are no span and no scope', async () => {
    await tell({}, () => {
      const options = { span: {}, scope: 'scope' } as unknown as TraceDataOptions;
      expect(getTraceData(options)).toEqual(getTraceData());
      expect(getTraceData(null as never)).toEqual(getTraceData());
    });
  });
});
