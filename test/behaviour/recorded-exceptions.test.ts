import { type Attributes, context, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { LoggerProvider } from '@opentelemetry/sdk-logs';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  captureException,
  FaultlineLogRecordProcessor,
  FaultlineSpanExporter,
  getIsolationScope,
  setTag,
  startSpan,
  withIsolationScope,
} from '../../src/index.js';
import { runScript } from '../integrations/run-script.js';
import { ALWAYS, startExistingSetup } from '../support/existing-setup.js';
import { type ReceivedErrorEvent, startReceiver } from '../support/receiver.js';
import { tell } from '../support/story.js';

const ON: ClientOptions = { captureRecordedExceptions: true };
const tracer = () => trace.getTracer('application');
const logger = () => new LoggerProvider({ processors: [new FaultlineLogRecordProcessor()] }).getLogger('shop');
const valuesOf = (events: readonly ReceivedErrorEvent[]) =>
  events.map(({ exception }) => exception.values.at(-1)!.value);

function inSpan<T>(name: string, work: (span: Span) => T, kind = SpanKind.INTERNAL): T {
  return tracer().startActiveSpan(name, { kind }, (span) => {
    try {
      return work(span);
    } finally {
      span.end();
    }
  });
}

/** Each sets OpenTelemetry up, and returns what makes finished spans arrive. */
const SETUPS: Record<string, { options: ClientOptions; start(): () => Promise<void> }> = {
  'set up by init': { options: { ...ON, tracesSampleRate: 1 }, start: () => async () => undefined },
  'of an application, with a span processor of ours': {
    options: { ...ON, tracesSampleRate: 1, skipOpenTelemetrySetup: true },
    start: () => {
      const { provider } = startExistingSetup({ sampler: ALWAYS });
      return () => provider.forceFlush();
    },
  },
  'of an application, with a span processor of ours and no tracing of ours': {
    options: { ...ON, skipOpenTelemetrySetup: true },
    start: () => {
      const { provider } = startExistingSetup({ sampler: ALWAYS });
      return () => provider.forceFlush();
    },
  },
  'of an application, with an exporter of ours': {
    options: { ...ON, skipOpenTelemetrySetup: true },
    start: () => {
      const spanProcessors = [new BatchSpanProcessor(new FaultlineSpanExporter())];
      const provider = new BasicTracerProvider({ spanProcessors });
      trace.setGlobalTracerProvider(provider);
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      return () => provider.forceFlush();
    },
  },
};
const setups = Object.entries(SETUPS);

/** Reports an error that was thrown in a span within another one. */
const WAYS: Record<string, (error: Error, inner: Span, outer: Span) => void> = {
  captured: (error) => void captureException(error),
  recorded: (error, inner) => inner.recordException(error),
  'recorded above': (error, _, outer) => outer.recordException(error),
  logged: (exception) => logger().emit({ severityNumber: 17, exception }),
  'logged by its attributes': ({ name, message, stack }) =>
    logger().emit({
      attributes: { 'exception.type': name, 'exception.message': message, 'exception.stacktrace': stack },
    }),
};

/** All orders of all selections. */
function* ordersOf<T>(from: readonly T[], taken: readonly T[] = []): Generator<readonly T[]> {
  if (taken.length > 0) yield taken;
  for (const one of from) {
    if (!taken.includes(one)) yield* ordersOf(from, [...taken, one]);
  }
}

describe.each(setups)('with OpenTelemetry %s', (_, { options, start }) => {
  it('an error is one event, however many ways it is reported, and in whatever order', async () => {
    const orders = [...ordersOf(Object.keys(WAYS))].filter((ways) => ways.length <= 3);
    const messages = orders.map((ways) => ways.join(', '));
    await tell(
      options,
      async () => {
        const arrive = start();
        for (const [i, ways] of orders.entries()) {
          const error = new Error(messages[i]);
          inSpan('outer', (outer) =>
            inSpan('middle', () =>
              inSpan('inner', (inner) => {
                for (const way of ways) WAYS[way]!(error, inner, outer);
              }),
            ),
          );
        }
        await arrive();
      },
      ({ receiver }) => expect(valuesOf(receiver.events).sort()).toEqual([...messages].sort()),
    );
  });

  it('errors that say the same are as many events as there are errors', async () => {
    await tell(
      options,
      async () => {
        const arrive = start();
        inSpan('outer', () => {
          for (let i = 0; i < 3; i++) {
            const error = new Error('same');
            inSpan('inner', (inner) => {
              inner.recordException(error);
              if (i > 0) captureException(error);
            });
          }
        });
        await arrive();
      },
      ({ receiver }) => expect(receiver.events).toHaveLength(3),
    );
  });

  it('the event has the trace of the span, the stack, and how it came about', async () => {
    let spanContext: ReturnType<Span['spanContext']>;
    await tell(
      options,
      async () => {
        const arrive = start();
        inSpan('outer', () =>
          inSpan('inner', (inner) => {
            spanContext = inner.spanContext();
            inner.recordException(new TypeError('no cart'));
          }),
        );
        await arrive();
      },
      ({ receiver }) => {
        const [event] = receiver.events;
        const { type, value, mechanism, stacktrace } = event!.exception.values[0]!;
        expect([type, value]).toEqual(['TypeError', 'no cart']);
        expect(mechanism).toEqual({ type: 'auto.otel.record_exception', handled: true });
        expect(stacktrace.frames.some(({ filename }) => filename.endsWith('recorded-exceptions.test.ts'))).toBe(true);
        expect(event!.level).toBe('error');
        expect(event!.contexts.trace).toMatchObject({
          trace_id: spanContext.traceId,
          span_id: spanContext.spanId,
          parent_span_id: expect.stringMatching(/^\w{16}$/),
        });
        expect(receiver.envelopes.find(({ items }) => items[0]!.headers.type === 'event')?.headers.trace).toMatchObject(
          {
            trace_id: spanContext.traceId,
          },
        );
      },
    );
  });

  it.each<[string, Parameters<Span['recordException']>[0], object]>([
    ['a text', 'just a text', { type: 'Error', value: 'just a text' }],
    ['an object', { name: 'Declined', message: 'no money' }, { type: 'Declined', value: 'no money' }],
    ['an object with a code', { code: 402, message: 'no money' }, { type: '402', value: 'no money' }],
  ])('%s in place of an error is one event, also when it is recorded twice', async (_, exception, expected) => {
    await tell(
      options,
      async () => {
        const arrive = start();
        inSpan('outer', (outer) => {
          inSpan('inner', (inner) => {
            inner.recordException(exception);
            inner.recordException(exception);
          });
          outer.recordException(exception);
        });
        await arrive();
      },
      ({ receiver }) => expect(receiver.events.map(({ exception }) => exception.values)).toMatchObject([[expected]]),
    );
  });

  it('an event of a span that was made by hand is one, too, with what else it says', async () => {
    const attributes: Attributes = {
      'exception.type': 'Declined',
      'exception.message': 'no money',
      'exception.escaped': true,
      'order.id': 7,
      'url.full': 'http://user:secret@host/',
    };
    await tell(
      options,
      async () => {
        const arrive = start();
        inSpan('outer', (outer) => outer.addEvent('exception', attributes));
        await arrive();
      },
      ({ receiver }) => {
        expect(receiver.events).toHaveLength(1);
        const [{ exception, extra }] = receiver.events as [ReceivedErrorEvent];
        expect(exception.values).toMatchObject([
          { type: 'Declined', value: 'no money', mechanism: { type: 'auto.otel.record_exception', handled: false } },
        ]);
        expect(extra['order.id']).toBe(7);
        expect(extra['url.full']).not.toContain('secret');
      },
    );
  });

  it('nothing is captured unless asked for, nor what says nothing, nor after the end of the span', async () => {
    const record = async (arrive: () => Promise<void>, more: (span: Span) => void) => {
      const span = tracer().startSpan('work');
      more(span);
      span.end();
      span.recordException(new Error('too late'));
      await arrive();
    };
    await tell(
      { ...options, captureRecordedExceptions: false },
      () => record(start(), (span) => span.recordException(new Error('recorded'))),
      ({ receiver }) => expect(receiver.events).toEqual([]),
    );
    await tell(
      options,
      () => record(start(), (span) => span.recordException({ name: '', message: '' })),
      ({ receiver }) => expect(receiver.events).toEqual([]),
    );
  });

  it('what is recorded passes beforeSend and sampleRate as any error does, and is counted', async () => {
    const record = async () => {
      const arrive = start();
      inSpan('outer', (outer) => outer.recordException(new Error('recorded')));
      await arrive();
    };
    for (const refusal of [{ beforeSend: () => null }, { sampleRate: 0 }]) {
      await tell({ ...options, ...refusal }, record, ({ client, receiver }) => {
        expect(receiver.events).toEqual([]);
        expect(client.ledger.balance().error).toMatchObject({ captured: 1, discarded: 1 });
      });
    }
  });
});

describe('an exception that is recorded on a span', () => {
  const options: ClientOptions = { ...ON, tracesSampleRate: 1 };

  it('comes with its causes, and with the scopes of the code that records it', async () => {
    await tell(
      options,
      () =>
        withIsolationScope(() => {
          setTag('request', '1');
          inSpan('work', (span) => {
            getIsolationScope().setUser({ id: 'ada' });
            span.recordException(new Error('outer', { cause: new Error('inner') }));
          });
        }),
      ({ receiver }) => {
        expect(receiver.events[0]!.exception.values.map(({ value }) => value)).toEqual(['inner', 'outer']);
        expect(receiver.events[0]).toMatchObject({ tags: { request: '1' }, user: { id: 'ada' } });
      },
    );
  });

  it('comes with the scopes of its span where other work records it', async () => {
    let first: Span;
    await tell(
      options,
      () => {
        withIsolationScope(() => {
          setTag('request', '1');
          first = tracer().startSpan('GET /1', { kind: SpanKind.SERVER });
        });
        withIsolationScope(() => {
          setTag('request', '2');
          inSpan('GET /2', () => first.recordException(new Error('of the first')), SpanKind.SERVER);
        });
        first.end();
      },
      ({ receiver }) => {
        expect(receiver.events[0]!.tags).toEqual({ request: '1' });
        expect(receiver.events[0]!.contexts.trace.trace_id).toBe(first.spanContext().traceId);
      },
    );
  });

  it('comes with the scopes of its span where another request of the same trace records it', async () => {
    await tell(
      options,
      () =>
        inSpan('job', () => {
          let first: Span | undefined;
          withIsolationScope(() => {
            setTag('request', '1');
            first = tracer().startSpan('query of 1');
          });
          withIsolationScope(() => {
            setTag('request', '2');
            inSpan('query of 2', () => first!.recordException(new Error('of the first')));
          });
          first!.end();
        }),
      ({ receiver }) => expect(receiver.events[0]!.tags).toEqual({ request: '1' }),
    );
  });

  it('and leaves a startSpan callback is captured once', async () => {
    await tell(
      options,
      () => {
        expect(() =>
          startSpan({ name: 'outer' }, () =>
            startSpan({ name: 'inner' }, (span) => {
              const error = new Error('once');
              span.recordException(error);
              throw error;
            }),
          ),
        ).toThrow('once');
      },
      ({ receiver }) => expect(valuesOf(receiver.events)).toEqual(['once']),
    );
  });

  it('is captured also where the trace is not sampled, and where the span does not record', async () => {
    await tell(
      { ...ON, tracesSampleRate: 0, skipOpenTelemetrySetup: true },
      () => {
        startExistingSetup({ sampler: ALWAYS });
        inSpan('recorded for the application', (span) => span.recordException(new Error('kept')));
      },
      ({ receiver }) => expect([valuesOf(receiver.events), receiver.transactions]).toEqual([['kept'], []]),
    );
    await tell(
      { ...ON, tracesSampleRate: 0 },
      () => inSpan('recorded for nobody', (span) => span.recordException(new Error('heard'))),
      ({ receiver }) => expect([valuesOf(receiver.events), receiver.transactions]).toEqual([['heard'], []]),
    );
  });

  it('stays what it was for the exporters of the application', async () => {
    const exportedWith = async (captureRecordedExceptions: boolean) => {
      const exporter = new InMemorySpanExporter();
      const error = Object.assign(new Error('recorded'), { stack: 'Error: recorded\n    at f (/app/a.js:1:2)' });
      await tell({ captureRecordedExceptions, tracesSampleRate: 1, skipOpenTelemetrySetup: true }, async () => {
        const { exported } = startExistingSetup({ sampler: ALWAYS });
        inSpan('work', (span) => {
          span.recordException(error, 1_700_000_000_000);
          span.recordException('a text', [1_700_000_000, 5]);
        });
        for (const span of (await exported()).simple) exporter.export([span], () => undefined);
      });
      const [span] = exporter.getFinishedSpans();
      return { events: span!.events, members: Object.keys(span!), status: span!.status, attributes: span!.attributes };
    };
    expect(await exportedWith(true)).toEqual(await exportedWith(false));
  });

  it('is reported by way of the exporter with nothing of the scopes that happen to be around', async () => {
    const provider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(new FaultlineSpanExporter())],
    });
    await tell(
      { ...ON, skipOpenTelemetrySetup: true },
      async () => {
        const span = provider.getTracer('application').startSpan('work', {}, ROOT_CONTEXT);
        span.recordException(new Error('recorded'), 1_700_000_000_000);
        await withIsolationScope(async () => {
          setTag('request', 'another');
          span.end();
        });
        await provider.shutdown();
      },
      ({ receiver }) => {
        expect(receiver.events[0]!.tags).toBeUndefined();
        expect(receiver.events[0]!.timestamp).toBe(1_700_000_000);
      },
    );
  });

  it('is reported by way of the exporter with nothing of another request of the same trace', async () => {
    await tell(
      { ...ON, skipOpenTelemetrySetup: true },
      async () => {
        const spanProcessors = [new BatchSpanProcessor(new FaultlineSpanExporter())];
        const provider = new BasicTracerProvider({ spanProcessors });
        trace.setGlobalTracerProvider(provider);
        context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
        await inSpan('job', () => {
          withIsolationScope(() => {
            setTag('request', '1');
            inSpan('GET /1', (span) => span.recordException(new Error('of the first')));
          });
          return withIsolationScope(() => {
            setTag('request', '2');
            return inSpan('GET /2', () => provider.forceFlush());
          });
        });
        await provider.shutdown();
      },
      ({ receiver }) => {
        expect(valuesOf(receiver.events)).toEqual(['of the first']);
        expect(receiver.events[0]!.tags).toBeUndefined();
      },
    );
  });
});

it('what express hands from handler to handler, and its instrumentation records, is one event', async () => {
  const receiver = await startReceiver();
  const { status, stderr } = await runScript(
    `import { createRequire } from 'node:module';
    import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
    import { registerInstrumentations } from '@opentelemetry/instrumentation';
    import { captureException, init } from 'faultline';
    const recorded = [];
    const onStart = (span) => {
      const { recordException } = span;
      span.recordException = function (error) { recorded.push(error.message); recordException.apply(this, arguments); };
    };
    init({
      tracesSampleRate: 1,
      captureRecordedExceptions: true,
      openTelemetrySpanProcessors: [{ onStart, onEnd() {}, async forceFlush() {}, async shutdown() {} }],
    });
    registerInstrumentations({ instrumentations: [new ExpressInstrumentation()] });
    const express = createRequire(import.meta.url)('express');
    const app = express();
    app.use((request, response, next) => next());
    app.get('/known', (request, response, next) => next(new Error('known')));
    app.get('/unknown', (request, response, next) => next(new Error('unknown')));
    app.use((error, request, response, next) => {
      if (error.message === 'known') captureException(error);
      response.status(500).end();
    });
    const server = app.listen(0, '127.0.0.1', async () => {
      for (const path of ['known', 'unknown']) await fetch('http://127.0.0.1:' + server.address().port + '/' + path);
      server.close();
      if (!['known', 'unknown'].every((one) => recorded.includes(one))) process.exitCode = 3;
    });`,
    { env: { FAULTLINE_DSN: receiver.dsn } },
  );
  await receiver.close();
  expect([status, stderr]).toEqual([0, '']);
  expect(valuesOf(receiver.events)).toEqual(['known', 'unknown']);
});

describe('an exception in a log record', () => {
  it('becomes an event with what the record says', async () => {
    await tell(
      { ...ON, tracesSampleRate: 1 },
      () =>
        withIsolationScope(() => {
          setTag('request', '1');
          inSpan('work', (span) => {
            logger().emit({
              severityNumber: 21,
              body: 'order failed',
              attributes: { 'order.id': 7, 'http.request.header.authorization': 'Bearer x' },
              exception: new TypeError('no cart'),
            });
            setTag('span', span.spanContext().spanId);
          });
        }),
      ({ receiver }) => {
        const [event] = receiver.events;
        expect(event).toMatchObject({
          message: 'order failed',
          level: 'fatal',
          logger: 'shop',
          tags: { request: '1' },
          extra: { 'order.id': 7, 'http.request.header.authorization': '[Filtered]' },
        });
        expect(event!.exception.values[0]).toMatchObject({
          type: 'TypeError',
          value: 'no cart',
          mechanism: { type: 'auto.otel.log_record', handled: true },
        });
        expect(event!.exception.values[0]!.stacktrace.frames.length).toBeGreaterThan(0);
        expect(event!.contexts.trace.span_id).toBe(receiver.transactions[0]!.contexts.trace.span_id);
      },
    );
  });

  it.each<[number | undefined, string]>([
    [undefined, 'error'],
    [0, 'error'],
    [1, 'debug'],
    [9, 'info'],
    [16, 'warning'],
    [17, 'error'],
    [24, 'fatal'],
  ])('with the severity number %s has the level %s', async (severityNumber, level) => {
    await tell(
      ON,
      () => logger().emit({ severityNumber, exception: new Error('logged') }),
      ({ receiver }) => expect(receiver.events.map((event) => event.level)).toEqual([level]),
    );
  });

  it('outside of spans is captured once, also when the error itself is', async () => {
    await tell(
      ON,
      () => {
        const [first, second] = [new Error('first'), new Error('second')];
        logger().emit({ exception: first });
        captureException(first);
        captureException(second);
        logger().emit({ exception: second });
        logger().emit({ exception: second });
      },
      ({ receiver }) => expect(valuesOf(receiver.events).sort()).toEqual(['first', 'second']),
    );
  });

  it('is another one when it is logged again much later', async () => {
    const exception = new Error('again');
    await tell(
      ON,
      () => {
        for (const seconds of [0, 1, 60, 120]) logger().emit({ exception, timestamp: [1_700_000_000 + seconds, 0] });
      },
      ({ receiver }) => expect(receiver.events).toHaveLength(3),
    );
  });

  it('is left alone without the option, and makes nobody log more', async () => {
    await tell(
      {},
      () => {
        expect(logger().enabled()).toBe(false);
        logger().emit({ exception: new Error('logged') });
        new FaultlineLogRecordProcessor().onEmit({ attributes: { 'exception.message': 'given' } });
      },
      ({ receiver }) => expect(receiver.events).toEqual([]),
    );
  });

  it('is all that is looked for in log records', async () => {
    await tell(
      ON,
      () => {
        expect(logger().enabled()).toBe(true);
        logger().emit({ severityNumber: 21, body: 'no exception', attributes: { 'error.type': 'x' } });
        new FaultlineLogRecordProcessor().onEmit(null as never);
      },
      ({ receiver }) => expect(receiver.events).toEqual([]),
    );
  });
});

describe('a span that is not sampled', () => {
  const provider = (name: string) => trace.getTracerProvider().getTracer(name);
  const eventsOf = async (options: ClientOptions, story: () => unknown): Promise<ReceivedErrorEvent[]> => {
    let events: ReceivedErrorEvent[] = [];
    await tell({ ...ON, ...options }, story, ({ receiver }) => {
      expect(receiver.transactions).toEqual([]);
      events = [...receiver.events];
    });
    return events;
  };
  const record = (error: unknown) =>
    provider('application').startActiveSpan('request', (span) => {
      setTag('from', 'request');
      span.recordException(error as Error);
      span.end();
    });

  it.each<[what: string, options: ClientOptions]>([
    ['of a trace that is not kept', { tracesSampleRate: 0 }],
    ['while tracing is off', {}],
  ])('has its exceptions captured: %s', async (_, options) => {
    const events = await eventsOf(options, () =>
      withIsolationScope(() => {
        for (let i = 0; i < 20; i++) record(new Error(`failed ${i}`));
      }),
    );
    expect(valuesOf(events).sort()).toEqual(Array.from({ length: 20 }, (_, i) => `failed ${i}`).sort());
    expect(events[0]).toMatchObject({
      tags: { from: 'request' },
      contexts: { trace: { span_id: expect.any(String) } },
    });
    expect(events[0]?.exception.values[0]?.mechanism).toEqual({ type: 'auto.otel.record_exception', handled: true });
  });

  it('beside an existing setup, too, whose exporter gets what it got before', async () => {
    let exported: unknown;
    const events = await eventsOf({ tracesSampleRate: 0, skipOpenTelemetrySetup: true }, async () => {
      const setup = startExistingSetup({ sampler: new AlwaysOffSampler() });
      record(new Error('unsampled'));
      exported = await setup.exported();
    });
    expect(valuesOf(events)).toEqual(['unsampled']);
    expect(exported).toEqual({ simple: [], batched: [] });
  });

  it.each<[string, ClientOptions, remote: boolean]>([
    ['of our provider', {}, false],
    ['of our provider, in a trace that continues in both', {}, true],
    ['of an existing setup', { skipOpenTelemetrySetup: true }, false],
  ])('gets no data of another request that records its exception: %s', async (_, options, isContinued) => {
    const events = await eventsOf({ tracesSampleRate: 0, ...options }, () => {
      if (options.skipOpenTelemetrySetup) startExistingSetup({ sampler: new AlwaysOffSampler() });
      const remote = { traceId: 'a1'.repeat(16), spanId: 'b2'.repeat(8), traceFlags: 0, isRemote: true };
      const around = isContinued ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      const request = (name: string, work: (span: Span) => void) =>
        context.with(around, () =>
          withIsolationScope(() => {
            setTag('from', name);
            inSpan(`GET /${name}`, work, SpanKind.SERVER);
          }),
        );
      let query: Span | undefined;
      request('1', () => {
        query = tracer().startSpan('query');
      });
      request('2', () => query?.recordException(new Error('of the first')));
    });
    expect([valuesOf(events), events[0]?.tags]).toEqual([['of the first'], undefined]);
  });

  it('sends an error once that is captured by hand as well', async () => {
    const events = await eventsOf({ tracesSampleRate: 0 }, () => {
      const error = new Error('once');
      record(error);
      captureException(error);
      record(error);
    });
    expect(valuesOf(events)).toEqual(['once']);
  });

  it('is left alone without the option, and after the client is closed', async () => {
    const prototype = Object.getPrototypeOf(trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 }));
    const { recordException } = prototype;
    await tell({ tracesSampleRate: 0 }, () => expect(prototype.recordException).toBe(recordException));
    await eventsOf({ tracesSampleRate: 0 }, () => expect(prototype.recordException).not.toBe(recordException));
    expect(prototype.recordException).toBe(recordException);
  });
});

it.each([
  ['sampled', 1],
  ['unsampled', 0],
])('an error that says 4xx is no event: on a span that is %s', async (_, tracesSampleRate) => {
  await tell(
    { ...ON, tracesSampleRate },
    () =>
      inSpan('request', (span) => {
        span.recordException(Object.assign(new Error('not found'), { status: 404 }));
        span.recordException(Object.assign(new Error('bad request'), { statusCode: 400 }));
        span.recordException(Object.assign(new Error('unavailable'), { status: 503 }));
      }),
    ({ receiver }) => expect(valuesOf(receiver.events)).toEqual(['unavailable']),
  );
});

it.each([
  ['@opentelemetry/instrumentation-express', SpanKind.INTERNAL, false],
  ['@fastify/otel', SpanKind.INTERNAL, false],
  ['@opentelemetry/instrumentation-http', SpanKind.SERVER, false],
  ['@opentelemetry/instrumentation-http', SpanKind.CLIENT, true],
  ['@opentelemetry/instrumentation-pg', SpanKind.CLIENT, true],
  ['application', SpanKind.INTERNAL, true],
])('what %s records on a span of kind %i is handled: %s', async (scope, kind, handled) => {
  await tell(
    { ...ON, tracesSampleRate: 1 },
    () => {
      startSpan({ name: 'around' }, () => {
        const span = trace.getTracer(scope).startSpan('layer', { kind });
        span.recordException(new Error('recorded'));
        span.end();
      });
    },
    ({ receiver }) => expect(receiver.events[0]?.exception.values[0]?.mechanism?.handled).toBe(handled),
  );
});
