import { context, defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTransport,
  FaultlineContextManager,
  FaultlinePropagator,
  FaultlineSampler,
  FaultlineSpanExporter,
  FaultlineSpanProcessor,
  openTelemetry,
  startSpan,
} from '../../src/index.js';
import fc from '../support/fast-check.js';
import { finishedSpan, IN_PARENT } from '../support/finished-span.js';
import { hostile, list, type Maker, maker, mostly, object, plain } from './hostile.js';
import { attributes, callback, carrier, text } from './resources.js';
import { everyCase, TIMEOUT_MILLIS } from './runs.js';
import { expectAnswer, Stage } from './stage.js';

const hex = (length: number) =>
  plain(fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length }));
const spanContext = object({
  traceId: hex(32),
  spanId: hex(16),
  traceFlags: plain(fc.nat(3)),
  isRemote: plain(fc.boolean()),
});
const time = mostly(plain(fc.tuple(fc.nat(2e9), fc.nat(999_999_999))));

/** What a processor of the application might pass on in place of a span. */
const madeUpSpan = fc
  .tuple(
    object({
      name: text,
      kind: plain(fc.nat(5)),
      attributes,
      status: object({ code: plain(fc.nat(3)), message: text }),
      startTime: time,
      endTime: time,
      events: list(object({ name: text, attributes, time })),
      links: list(object({ context: spanContext, attributes })),
      resource: object({ attributes }),
      parentSpanContext: spanContext,
    }),
    spanContext,
  )
  .map(([members, ids]) =>
    maker(
      () => {
        const span: unknown = members();
        try {
          return Object.assign(span as object, { spanContext: ids });
        } catch {
          return span;
        }
      },
      () => 'a span made up',
    ),
  );
const realSpan = fc.tuple(attributes, fc.boolean()).map(([given, isChild]) =>
  maker<unknown>(
    () => {
      const span = finishedSpan({ parent: isChild ? IN_PARENT : ROOT_CONTEXT });
      try {
        Object.assign(span.attributes, given());
      } catch {
        // Then without.
      }
      return span;
    },
    () => 'a real span',
  ),
);
const spans = list(fc.oneof(realSpan, madeUpSpan), 4);
const contextMaker = fc.constantFrom(
  maker(
    () => ROOT_CONTEXT,
    () => 'ROOT_CONTEXT',
  ),
  maker(
    () => IN_PARENT,
    () => 'a context with a remote parent',
  ),
  maker(
    () => context.active(),
    () => 'the active context',
  ),
);
/** One whose `shouldSample` throws does so into the application, as it would without us; see test/behaviour/beside-otel.test.ts. */
const existingSampler = fc.nat(2).map((decision) =>
  maker<unknown>(
    () => ({ shouldSample: () => ({ decision }), toString: thrower }),
    () => `a sampler that decides ${decision}`,
  ),
);
const existingPropagator = object({ inject: callback(), extract: callback(), fields: callback(list(text)) });
const parts = fc
  .tuple(existingSampler, object({ propagator: existingPropagator, baggage: hostile, client: hostile }))
  .map(([sampler, others]) =>
    maker<unknown>(
      () => {
        const given = others();
        try {
          return Object.assign(given as object, { sampler: sampler() });
        } catch {
          return { sampler: sampler() };
        }
      },
      () => `${sampler[fc.toStringMethod]()} and ${others[fc.toStringMethod]()}`,
    ),
  );

const getter = fc.constantFrom<Maker>(
  maker(
    () => defaultTextMapGetter,
    () => 'a getter',
  ),
  maker(
    () => ({ get: () => hostileValue(), keys: () => [] }),
    () => 'a getter that gives anything',
  ),
  maker(
    () => ({ get: thrower, keys: thrower }),
    () => 'a getter that throws',
  ),
);
const setter = fc.constantFrom<Maker>(
  maker(
    () => defaultTextMapSetter,
    () => 'a setter',
  ),
  maker(
    () => ({ set: thrower }),
    () => 'a setter that throws',
  ),
);
const hostileValue = () => Symbol('a header');
const thrower = () => {
  throw new Error('hostile');
};

describe('the OpenTelemetry parts', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open({ tracesSampleRate: 1 });
    stage.mayFail = true;
  });
  afterAll(() => stage.close());

  it('do their work beside any application', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'openTelemetryParts',
      fc.asyncProperty(
        fc.record({
          parts,
          within: contextMaker,
          carrier,
          getter,
          setter,
          name: mostly(text),
          attributes,
          spans,
          span: fc.oneof(realSpan, madeUpSpan),
          hostile,
        }),
        (drawn) =>
          stage.play(async () => {
            const given = drawn.parts() as never;
            const within = drawn.within();
            const { sampler, textMapPropagator } = openTelemetry(given);
            for (const one of [
              sampler,
              new FaultlineSampler(undefined, given),
              new FaultlineSampler(drawn.hostile() as never),
            ]) {
              one.shouldSample(within, '1'.repeat(32), drawn.name() as never, 0, drawn.attributes() as never, []);
              void one.toString();
            }
            for (const one of [textMapPropagator, new FaultlinePropagator(given), new FaultlinePropagator()]) {
              one.inject(within, drawn.carrier(), drawn.setter() as never);
              expect(one.extract(within, drawn.carrier(), drawn.getter() as never).getValue).toBeTypeOf('function');
              expect(Array.isArray(one.fields())).toBe(true);
            }
            const manager = new FaultlineContextManager();
            expect(manager.with(within, () => 'result')).toBe('result');
            manager.bind(within, drawn.hostile());
            manager.disable();
            const span = trace.wrapSpanContext(finishedSpan().spanContext());
            for (const processor of [new FaultlineSpanProcessor(), new FaultlineSpanProcessor(given)]) {
              processor.onStart(span as never, within);
              for (const one of [drawn.hostile, drawn.span]) processor.onEnd(one() as never);
              await processor.forceFlush();
            }
            const exporter = new FaultlineSpanExporter(given);
            let answers = 0;
            exporter.export(drawn.spans() as never, () => answers++);
            exporter.export(drawn.hostile() as never, drawn.hostile() as never);
            expect(answers).toBe(1);
            await exporter.forceFlush();
            await exporter.shutdown();
            startSpan({ name: 'afterwards' }, () => undefined);
          }),
      ),
    );
  });

  it('a transport is made of whatever is given', { timeout: TIMEOUT_MILLIS }, async () => {
    const options = object({ bufferSize: plain(fc.constantFrom(0, 1, 10)), recordDroppedEvent: callback() });
    const envelope = mostly(plain(fc.constant([{}, [[{ type: 'event' }, { message: 'x' }]]])));
    await everyCase(
      'transportFactory',
      fc.asyncProperty(options, mostly(callback()), envelope, hostile, async (given, makeRequest, drawn, timeout) => {
        const transport = createTransport(given() as never, makeRequest() as never);
        // Rejects where the destination cannot be reached, as it is documented.
        await transport.send(drawn() as never).then(undefined, () => undefined);
        await expectAnswer(transport.flush(timeout() as never) as Promise<boolean>);
        transport.close();
      }),
    );
  });
});
