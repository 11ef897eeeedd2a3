import { context, defaultTextMapGetter, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { AlwaysOffSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import {
  captureMessage,
  FaultlineSpanProcessor,
  getIsolationScope,
  openTelemetry,
  setTag,
  startSpan,
  withActiveSpan,
  withIsolationScope,
  withScope,
} from '../../src/index.js';
import { tell } from '../support/story.js';

const tracer = () => trace.getTracer('a queue');

/** As instrumentation of a queue does it: a span of kind CONSUMER, and the handler in its context. */
function consume<T>(name: string, handler: () => T, kind = SpanKind.CONSUMER): T {
  const span = tracer().startSpan(name, { kind });
  return context.with(trace.setSpan(context.active(), span), () => {
    const result = handler();
    void Promise.resolve(result).finally(() => span.end());
    return result;
  });
}

describe('a root span of kind SERVER or CONSUMER', () => {
  it.each([[1], [0], [undefined]])('isolates 1,000 interleaved units of work with a rate of %s', async (rate) => {
    const units = Array.from({ length: 1000 }, (_, i) => i);
    await tell(
      { tracesSampleRate: rate, transportOptions: { bufferSize: 5000 } },
      () =>
        Promise.all(
          units.map((i) =>
            consume(
              `unit ${i}`,
              async () => {
                setTag('unit', i);
                await new Promise((resolve) => setTimeout(resolve, (i * 13) % 7));
                setTag(`only ${i % 10}`, true);
                await new Promise((resolve) => setImmediate(resolve));
                captureMessage(`of ${i}`);
              },
              i % 2 ? SpanKind.SERVER : SpanKind.CONSUMER,
            ),
          ),
        ),
      ({ receiver }) => {
        expect(receiver.events).toHaveLength(1000);
        for (const event of receiver.events) {
          const i = Number(event.message?.replace('of ', ''));
          expect(event.tags).toEqual({ unit: `${i}`, [`only ${i % 10}`]: 'true' });
        }
        expect(receiver.transactions).toHaveLength(rate === 1 ? 1000 : 0);
        for (const { transaction, tags } of receiver.transactions) {
          expect(`unit ${tags?.['unit']}`).toBe(transaction);
        }
        expect(getIsolationScope().getScopeData().tags).toEqual({});
      },
    );
  });

  it('uses the isolation scope of its unit of work, and not one made inside', async () => {
    await tell({ tracesSampleRate: 1 }, () => {
      withIsolationScope((made) => {
        consume('first', () => {
          expect(getIsolationScope()).toBe(made);
          withIsolationScope((inside) => {
            context.with(context.active(), () => expect(getIsolationScope()).toBe(inside));
          });
        });
        consume('second', () => expect(getIsolationScope()).not.toBe(made));
      });
    });
  });

  it('isolates by startSpan too, and other kinds do not', async () => {
    await tell({ tracesSampleRate: 1 }, () => {
      const outer = getIsolationScope();
      startSpan({ name: 'a', kind: SpanKind.CONSUMER }, () => {
        const own = getIsolationScope();
        expect(own).not.toBe(outer);
        startSpan({ name: 'b', kind: SpanKind.CONSUMER }, () => expect(getIsolationScope()).toBe(own));
      });
      startSpan({ name: 'c' }, () => expect(getIsolationScope()).toBe(outer));
    });
  });
});

describe('messages of one trace, whose spans begin together and are not recorded,', () => {
  it.each([
    ['set up by init', false],
    ['with a context manager of the application', true],
  ])('are isolated: %s', async (_, skipOpenTelemetrySetup) => {
    await tell(
      { tracesSampleRate: 0, skipOpenTelemetrySetup },
      async () => {
        if (skipOpenTelemetrySetup) {
          trace.setGlobalTracerProvider(new BasicTracerProvider(openTelemetry({ sampler: new AlwaysOffSampler() })));
          context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
        }
        const parent = { traceId: 'a1'.repeat(16), spanId: 'b2'.repeat(8), traceFlags: 0, isRemote: true };
        const around = trace.setSpanContext(ROOT_CONTEXT, parent);
        const spans = Array.from({ length: 3 }, (_unused, i) =>
          tracer().startSpan(`message ${i}`, { kind: SpanKind.CONSUMER }, around),
        );
        const handle = (span: Span, i: number) =>
          context.with(trace.setSpan(around, span), async () => {
            setTag(`of ${i}`, true);
            await new Promise((resolve) => setImmediate(resolve));
            captureMessage(`of ${i}`);
          });
        await Promise.all(spans.map(handle));
      },
      ({ receiver }) => {
        expect(receiver.events).toHaveLength(3);
        for (const { message, tags } of receiver.events) expect(tags).toEqual({ [message!]: 'true' });
      },
    );
  });
});

describe('requests of one trace that is not recorded, with a context manager of the application,', () => {
  const capture = (message: string) => async () => {
    await new Promise((resolve) => setImmediate(resolve));
    captureMessage(message);
  };
  const inSpan = (run: (span: Span) => Promise<void>) => tracer().startActiveSpan('below', run);
  it.each<[string, (of: string) => Promise<void>]>([
    ['a span of a tracer', (of) => inSpan(capture(of))],
    ['a span of startSpan', (of) => startSpan({ name: 'below' }, capture(of))],
    ['a span in a span', (of) => inSpan(() => startSpan({ name: 'further below' }, () => inSpan(capture(of))))],
    ['withActiveSpan', (of) => withActiveSpan(tracer().startSpan('below'), capture(of))],
    ['withScope in a span', (of) => inSpan(() => withScope(() => inSpan(capture(of))))],
  ])('keep their data below their root span: in %s', async (_, handle) => {
    for (const propagator of [undefined, new W3CTraceContextPropagator()]) {
      await tell(
        { tracesSampleRate: 0, skipOpenTelemetrySetup: true },
        async () => {
          const parts = openTelemetry({ sampler: new AlwaysOffSampler(), propagator });
          trace.setGlobalTracerProvider(new BasicTracerProvider(parts));
          context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
          const serve = (i: number) => {
            const headers = { traceparent: `00-${'a1'.repeat(16)}-${`b${i}`.repeat(8)}-00` };
            const around = parts.textMapPropagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
            const span = tracer().startSpan('GET /', { kind: SpanKind.SERVER }, around);
            return context.with(trace.setSpan(around, span), async () => {
              setTag(`of ${i}`, true);
              await new Promise((resolve) => setImmediate(resolve));
              await handle(`of ${i}`);
            });
          };
          await serve(0);
          await Promise.all([1, 2, 3].map(serve));
        },
        ({ receiver }) => {
          expect(receiver.events).toHaveLength(4);
          for (const { message, tags } of receiver.events) expect(tags).toEqual({ [message!]: 'true' });
        },
      );
    }
  });
});

describe('with a context manager of the application, which carries no scopes, a root span of kind SERVER or CONSUMER', () => {
  const setups: Record<string, () => BasicTracerProvider> = {
    'our sampler': () => new BasicTracerProvider(openTelemetry()),
    'a sampler of the application that is off': () =>
      new BasicTracerProvider(openTelemetry({ sampler: new AlwaysOffSampler() })),
    'our span processor alone': () => new BasicTracerProvider({ spanProcessors: [new FaultlineSpanProcessor()] }),
  };
  const register = (setup: keyof typeof setups) => {
    trace.setGlobalTracerProvider(setups[setup]!());
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  };
  const options = { skipOpenTelemetrySetup: true, transportOptions: { bufferSize: 5000 } };

  it.each(Object.keys(setups).flatMap((setup) => [1, undefined].map((rate) => [setup, rate] as const)))(
    'isolates interleaved units of work by %s, with a rate of %s',
    async (setup, tracesSampleRate) => {
      await tell(
        { ...options, tracesSampleRate },
        () => {
          register(setup);
          return Promise.all(
            Array.from({ length: 200 }, (_, i) =>
              consume(`unit ${i}`, async () => {
                setTag('unit', i);
                await new Promise((resolve) => setTimeout(resolve, (i * 13) % 7));
                setTag(`only ${i % 10}`, true);
                await new Promise((resolve) => setImmediate(resolve));
                captureMessage(`of ${i}`);
              }),
            ),
          );
        },
        ({ receiver }) => {
          expect(receiver.events).toHaveLength(200);
          for (const { message, tags } of receiver.events) {
            const i = Number(message?.replace('of ', ''));
            expect(tags).toEqual({ unit: `${i}`, [`only ${i % 10}`]: 'true' });
          }
          for (const { transaction, tags } of receiver.transactions) expect(`unit ${tags?.['unit']}`).toBe(transaction);
          expect(getIsolationScope().getScopeData().tags).toEqual({});
        },
      );
    },
  );

  it('survives an active span without a span context', async () => {
    await tell({ ...options, tracesSampleRate: undefined }, () => {
      register('a sampler of the application that is off');
      consume('does not record', () => undefined);
      const broken = { spanContext: () => undefined } as unknown as Span;
      context.with(trace.setSpan(ROOT_CONTEXT, broken), () => expect(() => setTag('a', '1')).not.toThrow());
    });
  });

  it('isolates a unit of work that begins within another, and respects an isolation scope made inside', async () => {
    await tell({ ...options, tracesSampleRate: 1 }, () => {
      register('our sampler');
      const outside = getIsolationScope();
      consume('around', () => {
        const around = getIsolationScope();
        expect(around).not.toBe(outside);
        context.with(ROOT_CONTEXT, () =>
          consume('within', () => {
            expect([outside, around]).not.toContain(getIsolationScope());
            withIsolationScope((made) => expect(getIsolationScope()).toBe(made));
          }),
        );
        tracer().startActiveSpan('a root', { root: true, kind: SpanKind.CONSUMER }, (span) => {
          expect([outside, around]).not.toContain(getIsolationScope());
          span.end();
        });
        expect(getIsolationScope()).toBe(around);
      });
      expect(getIsolationScope()).toBe(outside);
    });
  });
});
