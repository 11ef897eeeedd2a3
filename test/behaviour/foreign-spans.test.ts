import { context, propagation, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  captureMessage,
  type Event,
  FaultlineSpanExporter,
  startSpan,
  type TransactionEvent,
} from '../../src/index.js';
import { type Stage, tell } from '../support/story.js';

/**
 * Spans that are not as OpenTelemetry's SDK makes them: an application passes a name of a wrong type, a span processor
 * changes what it gets, or another implementation exports.
 */

const fail = (): never => {
  throw new Error('getter');
};
const getter = { get: fail, configurable: true };
const value = (of: unknown) => ({ value: of, configurable: true });
const ids = (members: object) => (span: ReadableSpan) => ({
  spanContext: value(() => ({ ...span.spanContext(), ...members })),
});
type Change = (span: ReadableSpan) => PropertyDescriptorMap;

/** What transactions do without. */
const mended: [what: string, change: Change][] = [
  ['a number as its name', () => ({ name: value(7) })],
  ['a list as its name', () => ({ name: value(['a']) })],
  ['no name', () => ({ name: value(null) })],
  ['a name that cannot be read', () => ({ name: getter })],
  ['no attributes', () => ({ attributes: value(null) })],
  ['attributes that cannot be read', () => ({ attributes: value(new Proxy({}, { ownKeys: fail, get: fail })) })],
  [
    'an attribute that cannot be read',
    () => ({ attributes: value(Object.defineProperty({}, 'a', { ...getter, enumerable: true })) }),
  ],
  [
    'an object as its method',
    () => ({ attributes: value({ 'http.method': { toString: fail }, 'http.url': 'http://a.test/' }) }),
  ],
  [
    'an object as its statement',
    () => ({ attributes: value({ 'db.system': 'mysql', 'db.statement': Object.create(null) }) }),
  ],
  ['no status', () => ({ status: value(null) })],
  ['no events', () => ({ events: value(null) })],
  ['an event that cannot be read', () => ({ events: value([Object.defineProperty({}, 'attributes', getter)]) })],
  ['a link that is none', () => ({ links: value([null, 5, {}, { context: 5 }]) })],
  ['a parent that cannot be read', () => ({ parentSpanContext: getter })],
  ['a kind that cannot be read', () => ({ kind: getter })],
  ['no instrumentation scope', () => ({ instrumentationScope: value(null) })],
  ['no resource', () => ({ resource: value(null) })],
  ['an end before its start', () => ({ endTime: value([5, 5]) })],
  ['an end beyond all dates', () => ({ endTime: value([1e300, 0]) })],
  ['an end that is no number', () => ({ endTime: value([Number.NaN, Number.NaN]) })],
];
/** What servers require. */
const lost: [what: string, change: Change][] = [
  ['an id that is a number', ids({ spanId: 7 })],
  ['an id that is none', ids({ spanId: 'x"' })],
  ['no ids', () => ({ spanContext: value(() => null) })],
  ['ids that cannot be read', () => ({ spanContext: value(fail) })],
  ['a start that is no number', () => ({ startTime: value([Number.NaN, 0]) })],
  ['a start beyond all dates', () => ({ startTime: value([1e300, 0]) })],
  ['a date as its start', () => ({ startTime: value(new Date()) })],
];

const ways: [way: string, options: ClientOptions, tellStory: (marked: string, change: Change) => void][] = [
  ['which the SDK has started', {}, tellOwn],
  ['which an exporter gets', { skipOpenTelemetrySetup: true }, export_],
];

/** A root with two children; the marked one is changed when it ends, before the SDK gets it. */
function tellOwn(marked: string): void {
  startSpan({ name: 'root', attributes: { marked: marked === 'root' } }, () => {
    startSpan({ name: 'good' }, () => undefined);
    startSpan({ name: 'bad', attributes: { marked: marked === 'bad' } }, () => undefined);
  });
}

function changing(change: Change): SpanProcessor {
  return {
    onStart: () => undefined,
    onEnd: (span) => {
      if (span.attributes['marked'] === true) Object.defineProperties(span, change(span));
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
}

function export_(marked: string, change: Change): void {
  const tracer = new BasicTracerProvider({ sampler: new AlwaysOnSampler() }).getTracer('test');
  const root = tracer.startSpan('root', {}, ROOT_CONTEXT);
  const below = trace.setSpan(ROOT_CONTEXT, root);
  const spans = [root, tracer.startSpan('good', {}, below), tracer.startSpan('bad', {}, below)] as (Span &
    ReadableSpan)[];
  for (const span of spans.toReversed()) span.end();
  for (const span of spans) if (span.name === marked) Object.defineProperties(span, change(span));
  new FaultlineSpanExporter().export(spans, () => undefined);
}

function tellChanged(
  [way, options, act]: (typeof ways)[number],
  marked: string,
  change: Change,
  told: (transactions: TransactionEvent[], stage: Stage) => void,
): Promise<void> {
  const openTelemetrySpanProcessors = way === ways[0]![0] ? [changing(change)] : [];
  return tell(
    { tracesSampleRate: 1, ...options, openTelemetrySpanProcessors },
    async ({ client }) => {
      act(marked, change);
      await client.close(10_000);
    },
    (stage) => told(stage.receiver.transactions as TransactionEvent[], stage),
  );
}

const namesOf = ({ spans }: Event) => (spans ?? []).map(({ description }) => description);

describe.each(ways)('of a span %s', (...way) => {
  it.each(mended)('with %s, what can be read is sent with the others', async (_, change) => {
    await tellChanged(way, 'bad', change, (transactions, { client }) => {
      expect(transactions.find(({ transaction }) => transaction === 'root')?.spans?.length).toBeGreaterThan(0);
      const names = transactions.flatMap((one) => [one.transaction, ...namesOf(one)]);
      expect(names).toHaveLength(3);
      expect(names).toEqual(expect.arrayContaining(['root', 'good']));
      expect(client.ledger.balance().span?.discarded).toBe(0);
    });
  });

  it.each(lost)('with %s, only that span is lost', async (_, change) => {
    await tellChanged(way, 'bad', change, ([transaction], { client, receiver }) => {
      expect([transaction?.transaction, namesOf(transaction!)]).toEqual(['root', ['good']]);
      expect(client.ledger.balance()).toMatchObject({
        span: { discarded: 1, queued: 0 },
        transaction: { discarded: 0 },
      });
      expect(receiver.discardedTotal('internal_sdk_error')).toBe(1);
    });
  });

  it.each(mended)('that is a root with %s, the transaction is sent', async (_, change) => {
    await tellChanged(way, 'root', change, ([transaction], { client }) => {
      expect(namesOf(transaction!).toSorted()).toEqual(['bad', 'good']);
      expect(client.ledger.balance().span?.discarded).toBe(0);
    });
  });

  it.each(lost)('that is a root with %s, the spans below it are sent without it', async (_, change) => {
    await tellChanged(way, 'root', change, (transactions, { client }) => {
      const names = transactions.flatMap((one) => [one.transaction, ...namesOf(one)]);
      expect(names.toSorted()).toEqual(['bad', 'good']);
      expect(client.ledger.balance()).toMatchObject({
        span: { discarded: 1, queued: 0 },
        transaction: { discarded: 0 },
      });
    });
  });
});

it.each([
  ['a number', 7, '7'],
  ['a list', ['a'], '<unknown>'],
  ['missing', undefined, '<unknown>'],
] as const)('errors in a span of an OpenTelemetry tracer whose name is %s are sent', async (_, name, expected) => {
  await tell(
    { tracesSampleRate: 1 },
    () =>
      trace.getTracer('test').startActiveSpan(name as unknown as string, (span) => {
        captureMessage('inside');
        propagation.inject(context.active(), {});
        span.end();
      }),
    ({ receiver }) => {
      expect(receiver.events.map(({ message }) => message)).toEqual(['inside']);
      expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual([expected]);
    },
  );
});

it('an error where the active span is none is sent', async () => {
  const hostile = { spanContext: fail, isRecording: fail } as unknown as Span;
  await tell(
    { tracesSampleRate: 1 },
    () => context.with(trace.setSpan(ROOT_CONTEXT, hostile), () => captureMessage('inside')),
    ({ receiver }) => expect(receiver.events.map(({ message }) => message)).toEqual(['inside']),
  );
});
