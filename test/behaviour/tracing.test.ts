import { setImmediate as nextTurn } from 'node:timers/promises';
import { context, type Link, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import {
  captureException,
  continueTrace,
  type Event,
  getActiveSpan,
  getCurrentScope,
  getDynamicSamplingContextFromSpan,
  getIsolationScope,
  getRootSpan,
  getTraceData,
  type SpanJSON,
  spanToJSON,
  startInactiveSpan,
  startNewTrace,
  startSpan,
  startSpanManual,
  suppressTracing,
  updateSpanName,
  withActiveSpan,
  withIsolationScope,
} from '../../src/index.js';
import { readProperty } from '../../src/internal/values/read.js';
import { tell } from '../support/story.js';

const all = { tracesSampleRate: 1 };

function spanNamed(event: Event, name: string): SpanJSON {
  const found = event.spans?.find(({ description }) => description === name);
  if (!found) throw new Error(`no span ${name}`);
  return found;
}

describe('a root span and its descendants', () => {
  it('are sent as one transaction, with their nesting', async () => {
    await tell(
      all,
      () =>
        startSpan({ name: 'root', op: 'task' }, async () => {
          await startSpan({ name: 'child', op: 'db.query', attributes: { rows: 3 } }, async () => {
            startSpan({ name: 'grandchild' }, () => undefined);
          });
          trace.getTracer('mine').startSpan('by OTel').end();
        }),
      ({ receiver }) => {
        expect(receiver.transactions).toHaveLength(1);
        const [transaction] = receiver.transactions;
        const root = transaction.contexts.trace;
        expect(transaction).toMatchObject({ transaction: 'root', transaction_info: { source: 'custom' } });
        expect(root).toMatchObject({ op: 'task', origin: 'manual', status: 'ok', data: { 'svc.sample_rate': 1 } });
        expect(root.parent_span_id).toBeUndefined();
        expect(transaction.spans.map((span: SpanJSON) => span.description).sort()).toEqual([
          'by OTel',
          'child',
          'grandchild',
        ]);
        const child = spanNamed(transaction, 'child');
        expect(child).toMatchObject({ op: 'db.query', parent_span_id: root.span_id, data: { rows: 3 } });
        expect(spanNamed(transaction, 'grandchild').parent_span_id).toBe(child.span_id);
        expect(spanNamed(transaction, 'by OTel').parent_span_id).toBe(root.span_id);
        expect(transaction.spans.every((span: SpanJSON) => span.trace_id === root.trace_id)).toBe(true);
      },
    );
  });

  it('stay together when a child ends after its root in the same tick', async () => {
    await tell(
      all,
      () => {
        startSpanManual({ name: 'root' }, (root) => {
          const child = startInactiveSpan({ name: 'late in the tick' });
          root.end();
          child.end();
        });
      },
      ({ receiver }) => {
        expect(receiver.transactions).toHaveLength(1);
        expect(receiver.transactions[0].spans).toHaveLength(1);
      },
    );
  });

  it('are sent apart when a child ends after its root has left', async () => {
    await tell(
      all,
      async ({ client }) => {
        const child = startSpan({ name: 'root' }, () => startInactiveSpan({ name: 'late' }));
        await client.flush();
        child.end();
      },
      ({ receiver }) => {
        const [root, late] = receiver.transactions;
        expect(late.transaction).toBe('late');
        expect(late.contexts.trace).toMatchObject({
          trace_id: root.contexts.trace.trace_id,
          parent_span_id: root.contexts.trace.span_id,
          data: { 'svc.parent_span_already_sent': true },
        });
      },
    );
  });

  it('are complete with 900 children, and whole in several transactions with 2,500', async () => {
    await tell(
      all,
      () => {
        for (const count of [900, 2500]) {
          startSpan({ name: `with ${count}` }, () => {
            for (let i = 0; i < count; i++) startSpan({ name: `child ${i}` }, () => undefined);
          });
        }
      },
      ({ receiver }) => {
        const first = receiver.transactions.find((one: Event) => one.transaction === 'with 900');
        const others = receiver.transactions.filter((one: Event) => one !== first);
        expect(first?.spans).toHaveLength(900);
        const names = others.flatMap((one: Event) => [one.transaction, ...one.spans!.map((span) => span.description)]);
        expect(new Set(names).size).toBe(2501);
        expect(names).toHaveLength(2501);
        expect(new Set(others.map((one: Event) => one.contexts?.trace?.trace_id)).size).toBe(1);
      },
    );
  });

  it('are sent without the root when it never ends', async () => {
    await tell(
      all,
      async ({ client }) => {
        startSpanManual({ name: 'endless' }, () => {
          startSpan({ name: 'done' }, () => undefined);
        });
        await client.close(2000);
      },
      ({ receiver }) => {
        expect(receiver.transactions.map((one: Event) => one.transaction)).toEqual(['done']);
      },
    );
  });
});

describe('startSpan', () => {
  it('returns what its callback returns, also by a promise', async () => {
    await tell(all, async () => {
      expect(startSpan({ name: 'sync' }, () => 1)).toBe(1);
      expect(await startSpan({ name: 'async' }, async () => 2)).toBe(2);
    });
  });

  it('rethrows what its callback throws, fails the span and captures the exception once', async () => {
    const error = Object.freeze(new Error('no'));
    await tell(
      all,
      () => {
        const run = () => startSpan({ name: 'outer' }, () => startSpan({ name: 'inner' }, () => Promise.reject(error)));
        return run().then(
          () => expect.unreachable(),
          (caught) => {
            expect(caught).toBe(error);
            captureException(caught);
          },
        );
      },
      ({ receiver }) => {
        const [transaction] = receiver.transactions;
        expect(receiver.events).toHaveLength(1);
        const [event] = receiver.events;
        expect(event.exception.values[0]).toMatchObject({ value: 'no', mechanism: { handled: false } });
        expect(transaction.contexts.trace.status).toBe('internal_error');
        expect(event.contexts.trace).toMatchObject({
          trace_id: transaction.contexts.trace.trace_id,
          span_id: spanNamed(transaction, 'inner').span_id,
        });
      },
    );
  });

  it.each(['timeout', undefined])(
    'captures a thrown %s once as it passes several spans, and separately thrown ones separately',
    async (thrown) => {
      await tell(
        all,
        async () => {
          const fail = () => startSpan({ name: 'inner' }, () => Promise.reject(thrown));
          await startSpan({ name: 'outer' }, () => fail().finally(() => nextTurn())).catch(captureException);
          await startSpan({ name: 'around' }, () => Promise.allSettled([fail(), fail()]));
          await Promise.allSettled([fail(), fail()]);
          await nextTurn();
          captureException(thrown);
          captureException(thrown);
        },
        ({ receiver }) => expect(receiver.events).toHaveLength(7),
      );
    },
  );

  it('captures nothing with captureSpanErrors: false', async () => {
    await tell(
      { ...all, captureSpanErrors: false },
      () => {
        expect(() =>
          startSpan({ name: 'a' }, () => {
            throw new Error('no');
          }),
        ).toThrow('no');
      },
      ({ receiver }) => expect(receiver.events).toEqual([]),
    );
  });

  it('lets an error follow OK on its spans, while spans of OTel tracers keep OTel’s rule', async () => {
    await tell(
      all,
      () => {
        startSpan({ name: 'ours' }, (span) => {
          span.setStatus({ code: 1 });
          span.setStatus({ code: 2, message: 'not_found' });
        });
        const theirs = trace.getTracer('mine').startSpan('theirs');
        theirs.setStatus({ code: SpanStatusCode.OK });
        theirs.setStatus({ code: SpanStatusCode.ERROR });
        theirs.end();
      },
      ({ receiver }) => {
        const statuses = receiver.transactions.map((one: Event) => [one.transaction, one.contexts?.trace?.status]);
        expect(Object.fromEntries(statuses)).toEqual({ ours: 'not_found', theirs: 'ok' });
      },
    );
  });

  it.each([
    ['a Date', new Date(1_700_000_000_500), new Date(1_700_000_001_500)],
    ['seconds', 1_700_000_000.5, 1_700_000_001.5],
    ['milliseconds', 1_700_000_000_500, 1_700_000_001_500],
    ['[seconds, nanoseconds]', [1_700_000_000, 500_000_000], [1_700_000_001, 500_000_000]],
  ] as const)('takes times as %s', async (_, start, end) => {
    await tell(
      all,
      () => startInactiveSpan({ name: 'timed', startTime: start as Date }).end(end as Date),
      ({ receiver }) =>
        expect(receiver.transactions[0]).toMatchObject({
          start_timestamp: 1_700_000_000.5,
          timestamp: 1_700_000_001.5,
        }),
    );
  });

  it('accepts 0 as a time', async () => {
    await tell(
      all,
      () => startSpan({ name: 'root' }, () => startInactiveSpan({ name: 'child', startTime: 0 }).end(0)),
      ({ receiver }) =>
        expect(spanNamed(receiver.transactions[0], 'child')).toMatchObject({ start_timestamp: 0, timestamp: 0 }),
    );
  });

  it('accepts links, and omits invalid ones', async () => {
    const linked = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
    const links = [[{ context: linked, attributes: { kind: 'cause' } }], [null, { context: linked }], 'none'];
    await tell(
      all,
      () => {
        for (const one of links) startSpan({ name: 'work', links: one as Link[] }, () => undefined);
      },
      ({ receiver }) => {
        const link = { trace_id: linked.traceId, span_id: linked.spanId, sampled: true };
        expect(receiver.transactions.map((one: Event) => one.contexts?.trace?.links)).toEqual([
          [{ ...link, attributes: { kind: 'cause' } }],
          [link],
          undefined,
        ]);
      },
    );
  });

  it('uses parentSpan, or no parent, in place of the active span', async () => {
    await tell(
      all,
      () =>
        startSpan({ name: 'a' }, (a) => {
          const inactive = startInactiveSpan({ name: 'b' });
          expect(getActiveSpan()).toBe(a);
          startSpan({ name: 'c', parentSpan: inactive }, () => undefined);
          startSpan({ name: 'alone', parentSpan: null }, () => undefined);
          inactive.end();
        }),
      ({ receiver }) => {
        const [alone, a] = receiver.transactions;
        expect(alone.contexts.trace.trace_id).not.toBe(a.contexts.trace.trace_id);
        expect(spanNamed(a, 'c').parent_span_id).toBe(spanNamed(a, 'b').span_id);
      },
    );
  });

  it('records nothing with onlyIfParent and no parent, but runs the callback', async () => {
    await tell(
      all,
      () => expect(startSpan({ name: 'a', onlyIfParent: true }, (span) => span.isRecording())).toBe(false),
      ({ receiver }) => {
        expect(receiver.transactions).toEqual([]);
        expect(receiver.discards()).toEqual([{ reason: 'no_parent_span', category: 'span', quantity: 1 }]);
      },
    );
  });

  it('counts no span as lost for its missing parent while tracing is off', async () => {
    await tell(
      {},
      () => startSpan({ name: 'a', onlyIfParent: true }, () => undefined),
      ({ receiver }) => expect(receiver.envelopes).toEqual([]),
    );
  });

  it('makes a transaction of its own with forceTransaction, in the same trace', async () => {
    await tell(
      all,
      () => startSpan({ name: 'a' }, () => startSpan({ name: 'b', forceTransaction: true }, () => undefined)),
      ({ receiver }) => {
        const [b, a] = receiver.transactions;
        expect(b).toMatchObject({ transaction: 'b' });
        expect(b.contexts.trace).toMatchObject({
          trace_id: a.contexts.trace.trace_id,
          parent_span_id: a.contexts.trace.span_id,
        });
      },
    );
  });

  it('keeps a name given by updateSpanName', async () => {
    await tell(
      all,
      () => {
        const span = trace.getTracer('http').startSpan('GET', {
          kind: SpanKind.SERVER,
          attributes: { 'http.method': 'GET', 'http.route': '/a' },
        });
        updateSpanName(span, 'my name');
        span.updateName('their name');
        expect(spanToJSON(span).description).toBe('my name');
        span.end();
      },
      ({ receiver }) => {
        expect(receiver.transactions[0]).toMatchObject({
          transaction: 'my name',
          transaction_info: { source: 'custom' },
        });
        expect(JSON.stringify(receiver.transactions[0])).not.toContain('custom_span_name');
      },
    );
  });
});

describe('the scopes of a transaction', () => {
  it('are those of its start, with what was set on the isolation scope while it ran', async () => {
    await tell(
      all,
      () =>
        withIsolationScope((isolation) => {
          isolation.setTag('before', '1');
          startSpan({ name: 'a' }, () => {
            getCurrentScope().setTag('in callback', '1');
            getIsolationScope().setTag('during', '1');
          });
        }),
      ({ receiver }) => expect(receiver.transactions[0].tags).toEqual({ before: '1', 'in callback': '1', during: '1' }),
    );
  });

  it('do not leak between concurrent tasks', async () => {
    const tasks = Array.from({ length: 200 }, (_, i) => i);
    await tell(
      all,
      () =>
        Promise.all(
          tasks.map((i) =>
            withIsolationScope(async (isolation) => {
              isolation.setTag('task', i).setUser({ id: String(i) });
              await startSpan({ name: `task ${i}` }, async () => {
                await new Promise((resolve) => setTimeout(resolve, (i * 7) % 11));
                captureException(new Error(`of ${i}`));
                await new Promise((resolve) => setImmediate(resolve));
              });
            }),
          ),
        ),
      ({ receiver }) => {
        expect(receiver.events).toHaveLength(200);
        expect(receiver.transactions).toHaveLength(200);
        const rootOf = new Map(receiver.transactions.map((one: Event) => [one.transaction, one.contexts?.trace]));
        for (const event of receiver.events) {
          const i = Number(event.exception?.values?.[0]?.value?.replace('of ', ''));
          expect(event.tags).toEqual({ task: String(i) });
          expect(event.user).toEqual({ id: String(i) });
          expect(event.contexts?.trace?.span_id).toBe(rootOf.get(`task ${i}`)?.span_id);
        }
      },
    );
  });
});

describe('sampling', () => {
  it('keeps the fraction tracesSampleRate of whole traces, and counts the others', async () => {
    const roots = 4000;
    await tell(
      { tracesSampleRate: 0.25 },
      async ({ client }) => {
        for (let i = 0; i < roots; i++) {
          startSpan({ name: 'root' }, (root) => {
            startSpan({ name: 'child' }, (child) => expect(child.isRecording()).toBe(root.isRecording()));
          });
          if (i % 100 === 99) await client.flush();
        }
      },
      ({ receiver }) => {
        const kept = receiver.transactions.length;
        expect(kept / roots).toBeGreaterThan(0.22);
        expect(kept / roots).toBeLessThan(0.28);
        expect(receiver.transactions.every((one: Event) => one.spans?.length === 1)).toBe(true);
        expect(receiver.discards()).toContainEqual({
          reason: 'sample_rate',
          category: 'transaction',
          quantity: roots - kept,
        });
      },
    );
  });

  it('asks the sampler once per local root, with what is known at the start', async () => {
    const asked: unknown[] = [];
    await tell(
      {
        tracesSampler: ({ name, attributes, parentSampled, transactionContext }) => {
          asked.push({ name, attributes, parentSampled, transactionContext });
          return name === 'kept';
        },
      },
      () => {
        startSpan({ name: 'kept', op: 'task', attributes: { a: 1 } }, () =>
          startSpan({ name: 'child' }, () => undefined),
        );
        startSpan({ name: 'dropped' }, (span) => expect(span.isRecording()).toBe(false));
      },
      ({ receiver }) => {
        expect(receiver.transactions.map((one: Event) => one.transaction)).toEqual(['kept']);
        expect(asked).toEqual([
          {
            name: 'kept',
            attributes: { a: 1, 'svc.op': 'task' },
            parentSampled: undefined,
            transactionContext: { name: 'kept', op: 'task', parentSampled: undefined },
          },
          expect.objectContaining({ name: 'dropped' }),
        ]);
      },
    );
  });

  it.each([['throws'], [2], [Number.NaN], ['often'], [undefined]])(
    'drops the trace when the sampler answers %s',
    async (answer) => {
      await tell(
        {
          tracesSampler: () => {
            if (answer === 'throws') throw new Error('no');
            return answer as number;
          },
        },
        () => startSpan({ name: 'a' }, (span) => expect(span.isRecording()).toBe(false)),
        ({ receiver }) => expect(receiver.transactions).toEqual([]),
      );
    },
  );

  it('is overruled by a beforeSampling handler that says true, and by no other value', async () => {
    await tell(
      { tracesSampleRate: 0 },
      ({ client }) => {
        const seen: boolean[] = [];
        const off = client.on('beforeSampling', ({ spanName }, verdict) => {
          seen.push(verdict.decision);
          verdict.decision = spanName === 'important';
        });
        startSpan({ name: 'important' }, () => startSpan({ name: 'child' }, () => undefined));
        startSpan({ name: 'other' }, () => undefined);
        off();
        startSpan({ name: 'important' }, () => undefined);
        expect(seen).toEqual([false, false]);
      },
      ({ receiver }) => expect(receiver.transactions.map((one: Event) => one.transaction)).toEqual(['important']),
    );
  });

  it('is off without a rate and a sampler: nothing records, and the trace still goes on', async () => {
    await tell(
      {},
      () =>
        startSpan({ name: 'a' }, (span) => {
          expect(span.isRecording()).toBe(false);
          expect(getTraceData()['sentry-trace']).toMatch(/^[0-9a-f]{32}-[0-9a-f]{16}$/);
          captureException(new Error('inside'));
          captureException(new Error('again'));
        }),
      ({ receiver }) => {
        const [first, second] = receiver.events;
        expect(receiver.transactions).toEqual([]);
        expect(first.contexts.trace.trace_id).toBe(second.contexts.trace.trace_id);
        expect(receiver.discards()).toEqual([]);
      },
    );
  });
});

describe('an incoming trace', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const parentId = 'b7ad6b7169203331';
  const baggage = `other=1,sentry-trace_id=${traceId},sentry-public_key=abc,sentry-sample_rate=0.5,sentry-sample_rand=0.3,sentry-sampled=true,sentry-environment=upstream`;

  it('is continued: same id, same parent, same decision, same dynamic sampling context', async () => {
    await tell(
      { tracesSampleRate: 0 },
      () =>
        continueTrace({ sentryTrace: `${traceId}-${parentId}-1`, baggage }, () =>
          startSpan({ name: 'a' }, (span) => {
            expect(getDynamicSamplingContextFromSpan(span)).toEqual({
              trace_id: traceId,
              public_key: 'abc',
              sample_rate: '0.5',
              sample_rand: '0.3',
              sampled: 'true',
              environment: 'upstream',
            });
            expect(getTraceData()['sentry-trace']).toBe(`${traceId}-${span.spanContext().spanId}-1`);
          }),
        ),
      ({ receiver }) => {
        expect(receiver.transactions[0].contexts.trace).toMatchObject({ trace_id: traceId, parent_span_id: parentId });
        expect(receiver.envelopes[0]?.headers.trace).toMatchObject({ environment: 'upstream' });
      },
    );
  });

  it.each(['1', '2', '-0.1', 'NaN', 'abc', '', '%20'])(
    'with the random number "%s", which is none, is passed on with one that agrees with the decision',
    async (invalid) => {
      const spoilt = baggage.replace('sample_rand=0.3', `sample_rand=${invalid}`);
      const expectAgreeing = (rand: unknown) => {
        expect(rand).toMatch(/^0\.\d+$/);
        expect(Number(rand)).toBeLessThan(0.5);
      };
      await tell(
        { tracesSampleRate: 0 },
        () =>
          continueTrace({ sentryTrace: `${traceId}-${parentId}-1`, baggage: spoilt }, () => {
            const outside = /sample_rand=([^,]*)/.exec(getTraceData()['baggage']!)?.[1];
            expectAgreeing(outside);
            startSpan({ name: 'a' }, (span) =>
              expect(getDynamicSamplingContextFromSpan(span)?.sample_rand).toBe(outside),
            );
          }),
        ({ receiver }) => expectAgreeing(readProperty(receiver.envelopes[0]?.headers.trace, 'sample_rand')),
      );
    },
  );

  it.each([
    ['-0', 1, false],
    ['-1', 0, true],
    ['', 1, true],
    ['', 0, false],
  ])('with flag "%s" under rate %d records: %s', async (flag, tracesSampleRate, recording) => {
    await tell({ tracesSampleRate }, () =>
      continueTrace({ sentryTrace: `${traceId}-${parentId}${flag}` }, () =>
        startSpan({ name: 'a' }, (span) => {
          expect(span.isRecording()).toBe(recording);
          expect(span.spanContext().traceId).toBe(traceId);
        }),
      ),
    );
  });

  it('is read from what getTraceData has returned, too', async () => {
    await tell(all, () => {
      const [message, spanId] = startSpan({ name: 'publish' }, (span) => [getTraceData(), span.spanContext().spanId]);
      continueTrace(message, () => {
        startSpan({ name: 'process' }, (span) => {
          expect(spanToJSON(span)).toMatchObject({ parent_span_id: spanId });
          expect(getTraceData().baggage).toBe(message.baggage);
        });
      });
      const other = { 'sentry-trace': message['sentry-trace'], sentryTrace: `${traceId}-${parentId}-1` };
      continueTrace(other, () => startSpan({ name: 'a' }, (span) => expect(span.spanContext().traceId).toBe(traceId)));
    });
  });

  it('is the trace of errors outside of spans', async () => {
    await tell(
      {},
      () => continueTrace({ sentryTrace: `${traceId}-${parentId}-1` }, () => captureException(new Error('a'))),
      ({ receiver }) =>
        expect(receiver.events[0].contexts.trace).toMatchObject({ trace_id: traceId, parent_span_id: parentId }),
    );
  });

  it('gets consistent decisions from two services with the same random number and different rates', async () => {
    const decide = async (tracesSampleRate: number, headers: { sentryTrace?: string; baggage?: string }) => {
      const result: { recording?: boolean; headers?: typeof headers } = {};
      await tell({ tracesSampler: () => tracesSampleRate }, () =>
        continueTrace(headers, () =>
          startSpan({ name: 'a' }, (span) => {
            const data = getTraceData();
            result.recording = span.isRecording();
            result.headers = { sentryTrace: data['sentry-trace'], baggage: data.baggage };
          }),
        ),
      );
      return result;
    };
    const up = await decide(0.5, { sentryTrace: `${traceId}-${parentId}`, baggage });
    expect(up.recording).toBe(true);
    expect((await decide(0.31, up.headers!)).recording).toBe(true);
    expect((await decide(0.29, up.headers!)).recording).toBe(false);
  });
});

describe('around spans', () => {
  it('startNewTrace begins another trace', async () => {
    await tell(all, () =>
      startSpan({ name: 'a' }, (a) =>
        startNewTrace(() =>
          startSpan({ name: 'b' }, (b) => expect(b.spanContext().traceId).not.toBe(a.spanContext().traceId)),
        ),
      ),
    );
  });

  it('withActiveSpan makes a span active, or none', async () => {
    await tell(all, () => {
      const span = startInactiveSpan({ name: 'a' });
      withActiveSpan(span, () => {
        expect(getActiveSpan()).toBe(span);
        withActiveSpan(null, () => expect(getActiveSpan()).toBeUndefined());
      });
      span.end();
    });
  });

  it('withActiveSpan with what is no span leaves the active one, and its callback has a scope of its own', async () => {
    await tell(all, () =>
      startSpan({ name: 'a' }, (span) => {
        const outer = getCurrentScope();
        const isCalled = withActiveSpan({} as never, (scope) => {
          expect([getActiveSpan(), getCurrentScope()]).toEqual([span, scope]);
          scope.setTag('inner', 1);
          return true;
        });
        expect([isCalled, getCurrentScope()]).toEqual([true, outer]);
        expect(outer.getScopeData().tags).toEqual({});
      }),
    );
  });

  it('suppressTracing records nothing and sends no headers', async () => {
    await tell(
      all,
      () =>
        suppressTracing(() => {
          startSpan({ name: 'a' }, (span) => expect(span.isRecording()).toBe(false));
          expect(getTraceData()).toEqual({});
        }),
      ({ receiver }) => expect(receiver.transactions).toEqual([]),
    );
  });

  it('spanToJSON has no timestamp before the end, and getRootSpan finds the root', async () => {
    await tell(all, () =>
      startSpan({ name: 'root' }, (root) => {
        expect(spanToJSON(root).timestamp).toBeUndefined();
        const child = startInactiveSpan({ name: 'child' });
        expect(getRootSpan(child)).toBe(root);
        child.end();
        expect(spanToJSON(child)).toMatchObject({ description: 'child', timestamp: expect.any(Number) });
      }),
    );
  });

  it('context.with forks the current scope', async () => {
    await tell(all, () => {
      context.with(context.active(), () => getCurrentScope().setTag('inside', '1'));
      expect(getCurrentScope().getScopeData().tags).toEqual({});
    });
  });
});
