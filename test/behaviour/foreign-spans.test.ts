import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  type IdGenerator,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  captureMessage,
  type Event,
  FaultlineSpanExporter,
  getTraceData,
  startSpan,
  type TransactionEvent,
} from '../../src/index.js';
import { startExistingSetup } from '../support/existing-setup.js';
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
  ['attributes whose toJSON returns nothing', () => ({ attributes: value({ toJSON: () => undefined }) })],
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
  ['a parent, as in SDK 1.x, whose id cannot be read', () => ({ parentSpanId: getter })],
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
  ['a start that is no number', () => ({ startTime: value([Number.NaN, 0]) })],
  ['a start beyond all dates', () => ({ startTime: value([1e300, 0]) })],
  ['a date as its start', () => ({ startTime: value(new Date()) })],
  ['a start and an end beyond all dates', () => ({ startTime: value([1e300, 0]), endTime: value([1e300, 0]) })],
];
/** What servers require. */
const lost: [what: string, change: Change][] = [
  ['an id that is a number', ids({ spanId: 7 })],
  ['an id that is none', ids({ spanId: 'x"' })],
  ['no ids', () => ({ spanContext: value(() => null) })],
  ['ids that cannot be read', () => ({ spanContext: value(fail) })],
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
      const spans = transactions.flatMap((one) => one.spans ?? []);
      expect(spans.map(({ data }) => data)).toEqual(spans.map(() => expect.any(Object)));
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

describe('of spans that an exporter gets without events, links and resource', () => {
  const ROOT_ID = '1'.repeat(16);
  const exportInto = (spans: object[]) => new FaultlineSpanExporter().export(spans as ReadableSpan[], () => undefined);
  const create = (spanId: string, parentSpanId?: string, attributes: object = {}) => {
    const ids = { traceId: 'a'.repeat(32), traceFlags: 1 };
    return {
      name: spanId === ROOT_ID ? 'root' : 'child',
      kind: SpanKind.INTERNAL,
      spanContext: () => ({ ...ids, spanId }),
      parentSpanContext: parentSpanId && { ...ids, spanId: parentSpanId },
      startTime: [1700000000, 0],
      endTime: [1700000001, 0],
      status: { code: 0 },
      attributes,
    };
  };

  it('300 of 8 kB leave in several transactions, and nothing of them is cut', async () => {
    const large = 'children '.repeat(900);
    const ids = Array.from({ length: 300 }, (_, index) => `2${index}`.padEnd(16, 'f'));
    await tell(
      { skipOpenTelemetrySetup: true },
      async ({ client }) => {
        exportInto([...ids.map((id) => create(id, ROOT_ID, { large })), create(ROOT_ID)]);
        await client.close(10_000);
      },
      ({ receiver }) => {
        const transactions = receiver.transactions as TransactionEvent[];
        expect(transactions.length).toBeGreaterThan(1);
        const sent = transactions.flatMap(({ contexts, spans = [] }) => [contexts!.trace!, ...spans]);
        expect(sent).toHaveLength(301);
        expect(sent.filter(({ data }) => data?.['large'] === large)).toHaveLength(300);
      },
    );
  });

  it('a root and those below it are one transaction when the client closes', async () => {
    await tell(
      { skipOpenTelemetrySetup: true },
      async ({ client }) => {
        exportInto([create(ROOT_ID), create('2'.repeat(16), ROOT_ID), create('3'.repeat(16), '2'.repeat(16))]);
        await client.close(10_000);
      },
      ({ receiver }) => expect(receiver.transactions).toMatchObject([{ transaction: 'root', spans: [{}, {}] }]),
    );
  });

  it('one that is changed afterwards is sent as it was', async () => {
    await tell(
      { skipOpenTelemetrySetup: true },
      () => {
        const span = create(ROOT_ID, undefined, { of: 'the first' });
        exportInto([span]);
        Object.assign(span, { name: 'another', attributes: { of: 'another' }, endTime: [1700000099, 0] });
      },
      ({ receiver }) =>
        expect(receiver.transactions).toMatchObject([
          { transaction: 'root', timestamp: 1700000001, contexts: { trace: { data: { of: 'the first' } } } },
        ]),
    );
  });
});

it.each([
  ['a number', 7, '7'],
  ['a list', ['a'], 'a'],
  ['an object', {}, '<unknown>'],
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

/** OpenTelemetry accepts such ids. */
function createUpperCaseIds(): IdGenerator {
  let count = 0;
  const next = (length: number) => `ABCDEF${++count}`.padStart(length, 'A');
  return { generateTraceId: () => next(32), generateSpanId: () => next(16) };
}

/** The ids of a transaction's spans by name, and of their parents. */
function idsByName({ transaction = '', contexts, spans = [] }: Event) {
  const { trace_id, span_id, parent_span_id, links } = contexts!.trace!;
  const all = [{ description: transaction, trace_id, span_id, parent_span_id, links }, ...spans];
  return new Map(all.map((span) => [span.description, span]));
}

describe('ids in upper case are sent in lower case', () => {
  const lowerCase = /^[\da-f]+$/;

  it('by span processor, with errors, links and headers of the same trace', async () => {
    let headers: ReturnType<typeof getTraceData> = {};
    const options = { skipOpenTelemetrySetup: true, propagateTraceparent: true, captureRecordedExceptions: true };
    await tell(
      { tracesSampleRate: 1, ...options },
      () => {
        startExistingSetup({ idGenerator: createUpperCaseIds() });
        const tracer = trace.getTracer('test');
        tracer.startActiveSpan('root', (root) => {
          const links = [{ context: root.spanContext() }];
          tracer.startActiveSpan('child', { links, attributes: { plain: 1 } }, (child) => {
            captureMessage('inside');
            child.recordException(new Error('recorded'));
            headers = getTraceData();
            tracer.startSpan('grandchild').end();
            child.end();
          });
          root.end();
        });
      },
      ({ receiver }) => {
        const [transaction] = receiver.transactions as TransactionEvent[];
        const spans = idsByName(transaction!);
        const [root, child, grandchild] = ['root', 'child', 'grandchild'].map((name) => spans.get(name)!);
        expect(root).toMatchObject({
          trace_id: expect.stringMatching(lowerCase),
          span_id: expect.stringMatching(lowerCase),
        });
        const { trace_id, span_id } = root!;
        expect(child).toMatchObject({ trace_id, parent_span_id: span_id, links: [{ trace_id, span_id }] });
        expect(grandchild).toMatchObject({ trace_id, parent_span_id: child!.span_id });
        expect(receiver.events.map((event) => event.contexts?.trace)).toEqual([
          expect.objectContaining({ trace_id, span_id: child!.span_id, parent_span_id: span_id }),
          expect.objectContaining({ trace_id, span_id: child!.span_id, parent_span_id: span_id }),
        ]);
        expect(headers['sentry-trace']).toBe(`${trace_id}-${child!.span_id}-1`);
        expect(headers['traceparent']).toBe(`00-${trace_id}-${child!.span_id}-01`);
        expect(headers['baggage']).toContain(`sentry-trace_id=${trace_id}`);
      },
    );
  });

  it('by exporter, whether or not a span of the trace has to be mended', async () => {
    await tell(
      { skipOpenTelemetrySetup: true },
      async ({ client }) => {
        const provider = new BasicTracerProvider({ idGenerator: createUpperCaseIds() });
        const tracer = provider.getTracer('test');
        const root = tracer.startSpan('root', {}, ROOT_CONTEXT);
        const below = trace.setSpan(ROOT_CONTEXT, root);
        const child = tracer.startSpan('child', {}, below);
        const spans = [tracer.startSpan('grandchild', {}, trace.setSpan(below, child)), child, root] as (Span &
          ReadableSpan)[];
        for (const span of spans) span.end();
        Object.defineProperties(child, { status: value(null) });
        new FaultlineSpanExporter().export(spans, () => undefined);
        await client.close(10_000);
      },
      ({ receiver }) => {
        const transactions = receiver.transactions as TransactionEvent[];
        expect(transactions).toHaveLength(1);
        const spans = idsByName(transactions[0]!);
        const { trace_id, span_id } = spans.get('root')!;
        expect([trace_id, span_id]).toEqual([expect.stringMatching(lowerCase), expect.stringMatching(lowerCase)]);
        expect(spans.get('child')).toMatchObject({ trace_id, parent_span_id: span_id });
        expect(spans.get('grandchild')).toMatchObject({ trace_id, parent_span_id: spans.get('child')!.span_id });
      },
    );
  });
});

/** What a span without other attributes is called, and its kind of work. */
const attributesOfOtherTypes: [attributes: object, description: string, op: string | undefined][] = [
  [{ 'http.method': ['GET'], 'http.url': ['http://a.test/b?c=d'] }, 'GET http://a.test/b', 'http.client'],
  [{ 'http.method': 'GET', 'http.url': { a: 1 } }, 'bad', 'http.client'],
  [
    {
      'http.method': 'GET',
      'url.scheme': ['https'],
      'server.address': 'a.test',
      'server.port': [8080],
      'url.path': '/b',
    },
    'GET https://a.test:8080/b',
    'http.client',
  ],
  [{ 'db.system': ['mysql'], 'db.statement': ['SELECT 1'] }, 'SELECT 1', 'db'],
  [{ 'db.system': 'mysql', 'db.statement': ['SELECT 1', 'SELECT 2'] }, 'SELECT 1,SELECT 2', 'db'],
  [{ 'rpc.service': ['Users'] }, 'bad', 'rpc'],
  [{ 'messaging.system': ['kafka'] }, 'bad', 'message'],
  [{ 'faas.trigger': ['timer'] }, 'bad', 'timer'],
  [{ 'faas.trigger': { a: 1 } }, 'bad', undefined],
];

it.each(attributesOfOtherTypes)(
  'a span with the attributes %j is described by what is text in them',
  async (of, ...expected) => {
    const change: Change = () => ({ attributes: value(of), kind: value(SpanKind.CLIENT) });
    await tellChanged(ways[0]!, 'bad', change, ([transaction]) => {
      const span = transaction!.spans!.find(({ description }) => description !== 'good');
      expect([span?.description, span?.op]).toEqual(expected);
    });
  },
);
