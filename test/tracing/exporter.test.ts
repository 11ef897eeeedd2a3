import { context, propagation, type Span, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getGlobalScope, getIsolationScope } from '../../src/context/current-scopes.js';
import { withScopes } from '../../src/context/scoped-context.js';
import type { Options } from '../../src/model/options.js';
import { Scope } from '../../src/model/scope/scope.js';
import { FaultlineSpanExporter } from '../../src/tracing/exporter.js';
import { FaultlineSpanProcessor } from '../../src/tracing/span-processor.js';
import {
  below,
  createExportRig,
  createRig,
  createTracer,
  namesIn,
  remote,
  SUCCESS,
  span,
  start,
} from './export-rig.js';

const GRACE_MILLIS = 2500;
const HOLD_MILLIS = 10_500;
const WAIT_MILLIS = 300_500;

const UPSTREAM = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
};

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  for (const scope of [getGlobalScope(), getIsolationScope()]) scope.clear();
  getGlobalScope().setClient(undefined);
  context.disable();
  propagation.disable();
  trace.disable();
});

describe('a root and the spans below it', () => {
  it('become one transaction, two seconds after the root came, from whichever batches they came in', () => {
    const { send, sent } = createExportRig();
    const root = start('root');
    const child = start('child', root);
    send(span('grandchild', child));
    root.end();
    send(root);
    vi.advanceTimersByTime(1500);
    expect(sent).toEqual([]);
    child.end();
    send(child);
    vi.advanceTimersByTime(1000);
    vi.runAllTicks();
    expect(sent.map(namesIn)).toEqual([['root', ['child', 'grandchild']]]);
    expect(sent[0]!.spans!.find(({ description }) => description === 'grandchild')).toMatchObject({
      parent_span_id: child.spanContext().spanId,
    });
    expect(sent[0]!.contexts!.trace!.data).not.toHaveProperty('svc.parent_span_already_sent');
  });

  it('begin at a remote parent', () => {
    const { send, sent } = createExportRig();
    const root = span('GET /', UPSTREAM);
    send(span('child', root), root);
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.map(namesIn)).toEqual([['GET /', ['child']]]);
    expect(sent[0]!.contexts!.trace).toMatchObject({ trace_id: UPSTREAM.traceId, parent_span_id: UPSTREAM.spanId });
  });

  it('stay apart from those of another root in the same trace', () => {
    const { send, sent } = createExportRig();
    const first = span('first', UPSTREAM);
    const second = span('second', UPSTREAM);
    const inner = span('inner', remote(second.spanContext()));
    send(span('of inner', inner), span('of second', second), first, span('of first', first), second, inner);
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.map(namesIn)).toEqual([
      ['first', ['of first']],
      ['second', ['of second']],
      ['inner', ['of inner']],
    ]);
  });

  it('are sent apart when a span comes after its root has left', () => {
    const { send, sent } = createExportRig();
    const root = span('root');
    const child = span('child', root);
    send(root, child);
    vi.advanceTimersByTime(GRACE_MILLIS);
    const late = span('late', child);
    send(span('below late', late));
    expect(sent).toHaveLength(1);
    send(late);
    expect(sent.slice(1).map(namesIn)).toEqual([
      ['late', []],
      ['below late', []],
    ]);
    expect(sent[1]!.contexts!.trace).toMatchObject({
      trace_id: root.spanContext().traceId,
      parent_span_id: child.spanContext().spanId,
      data: { 'svc.parent_span_already_sent': true },
    });
    expect(sent[1]!.sdkProcessingMetadata!.dynamicSamplingContext).toMatchObject({ transaction: 'root' });
  });

  it('are whole in several transactions when there are 2,500', () => {
    const { send, sent } = createExportRig();
    const root = span('root');
    const children = Array.from({ length: 2500 }, (_, i) => span(`child ${i}`, root));
    send(...children.slice(0, 900), root);
    send(...children.slice(900));
    vi.advanceTimersByTime(GRACE_MILLIS);
    const names = sent.map(namesIn).flatMap(([name, others]) => [name, ...others]);
    expect(new Set(names).size).toBe(2501);
    expect(names).toHaveLength(2501);
    expect(Math.max(...sent.map(({ spans }) => spans!.length))).toBeLessThanOrEqual(1000);
  });

  it('are sent once, however often they come', () => {
    const { send, sent, client } = createExportRig();
    const root = start('root');
    const child = span('child', root);
    send(child, child);
    root.end();
    send(root, child, root);
    vi.advanceTimersByTime(GRACE_MILLIS);
    send(child, root);
    vi.advanceTimersByTime(WAIT_MILLIS);
    expect(sent.map(namesIn)).toEqual([['root', ['child']]]);
    expect(client.ledger.balance()).toMatchObject({ span: { captured: 2 }, transaction: { captured: 1 } });
  });
});

describe('a span whose parent does not come', () => {
  it('belongs to the only root of its trace, which waits ten seconds more for it', () => {
    const { send, sent } = createExportRig();
    const root = start('root');
    const missing = start('missing', root);
    const orphan = span('orphan', missing);
    root.end();
    send(span('below orphan', orphan), orphan, root);
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(HOLD_MILLIS);
    expect(sent.map(namesIn)).toEqual([['root', ['below orphan', 'orphan']]]);
  });

  it('holds its root no longer once the parent has come', async () => {
    const { send, sent } = createExportRig();
    const root = start('root');
    const slow = start('slow', root);
    const child = span('child', slow);
    root.end();
    send(child, root);
    vi.advanceTimersByTime(GRACE_MILLIS);
    slow.end();
    send(slow);
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent.map(namesIn)).toEqual([['root', ['child', 'slow']]]);
  });

  it('is not taken for a part of a request that merely shares its trace', () => {
    const { send, sent } = createExportRig();
    const [first, second] = [start('first', UPSTREAM), start('second', UPSTREAM)];
    const child = span('of second', second);
    first.end();
    send(child, first);
    vi.advanceTimersByTime(GRACE_MILLIS);
    second.end();
    send(second);
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.map(namesIn)).toEqual([
      ['first', []],
      ['second', ['of second']],
    ]);
  });

  it('becomes a transaction after five minutes, with what is below it, where there are several roots or none', () => {
    const { send, sent } = createExportRig();
    const ofNone = span('of none', start('missing'));
    const [first, second] = [span('first', UPSTREAM), span('second', UPSTREAM)];
    const ofSeveral = span('of several', start('missing', first));
    send(first, second, ofSeveral, span('below', ofNone), ofNone);
    vi.advanceTimersByTime(GRACE_MILLIS + HOLD_MILLIS);
    expect(sent.map(namesIn)).toEqual([
      ['first', []],
      ['second', []],
    ]);
    vi.advanceTimersByTime(WAIT_MILLIS);
    expect(sent.slice(2).map(namesIn)).toEqual([
      ['of several', []],
      ['of none', ['below']],
    ]);
  });

  it('is taken along by a root that comes at the last moment', () => {
    const { send, sent } = createExportRig();
    const root = start('root');
    send(span('orphan', start('missing', root)));
    vi.advanceTimersByTime(299_000);
    expect(sent).toEqual([]);
    root.end();
    send(root);
    vi.advanceTimersByTime(GRACE_MILLIS + HOLD_MILLIS);
    expect(sent.map(namesIn)).toEqual([['root', ['orphan']]]);
  });

  it('leaves with the spans below it when the client closes', async () => {
    const { send, sent, client } = createExportRig();
    const missing = start('missing', start('root'));
    const parent = start('parent', missing);
    parent.end();
    send(span('a', parent), span('b', parent), parent);
    await client.close();
    expect(sent.map(namesIn)).toEqual([['parent', ['a', 'b']]]);
    expect(client.ledger.balance().span).toMatchObject({ captured: 3, delivered: 3 });
  });

  it('leaves when the client closes', async () => {
    const { send, sent, client } = createExportRig();
    const missing = start('missing');
    send(span('a', missing), span('b', missing));
    await client.close();
    expect(sent.map(namesIn)).toEqual([
      ['a', []],
      ['b', []],
    ]);
    send(span('after'));
    expect(client.ledger.balance().span).toEqual({
      captured: 3,
      delivered: 2,
      discarded: 1,
      queued: 0,
      stored: 0,
      recovered: 0,
    });
  });

  it('leaves also when it names itself, or what is below it, as its parent', () => {
    const { send, sent } = createExportRig();
    const { traceId } = UPSTREAM;
    const madeUp = (name: string, spanId: string, parentSpanId: string) =>
      Object.assign(Object.create(span(name)), {
        spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
        parentSpanContext: { traceId, spanId: parentSpanId, traceFlags: 1 },
      }) as ReadableSpan;
    send(
      madeUp('own parent', '0000000000000001', '0000000000000001'),
      madeUp('above', '0000000000000002', '0000000000000003'),
      madeUp('below', '0000000000000003', '0000000000000002'),
    );
    vi.advanceTimersByTime(WAIT_MILLIS);
    const names = sent.map(namesIn).flatMap(([name, others]) => [name, ...others]);
    expect(names.sort()).toEqual(['above', 'below', 'own parent']);
  });
});

describe('spans of OTel’s SDK 1.x, which have the id of their parent only', () => {
  it('become one transaction for each request, in any order, described by their instrumentation', () => {
    const { send, sent } = createExportRig();
    const request = span('GET /', UPSTREAM, { kind: SpanKind.SERVER });
    const query = span('SELECT', request, { kind: SpanKind.CLIENT });
    const of1x = [span('below', query), query, request].map((one) => ofSdk1(one, '@opentelemetry/instrumentation-pg'));
    send(...of1x);
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.map(namesIn)).toEqual([['GET /', ['SELECT', 'below']]]);
    expect(sent[0]!.contexts!.trace).toMatchObject({
      parent_span_id: UPSTREAM.spanId,
      origin: 'auto.db.otel.postgres',
    });
    expect(sent[0]!.spans!.find(({ description }) => description === 'SELECT')).toMatchObject({
      op: 'db',
      parent_span_id: request.spanContext().spanId,
    });
  });

  it('wait for their parent, unless they handle a request or a message', () => {
    const { send, sent } = createExportRig({ tracesSampleRate: 1 });
    send(ofSdk1(span('job', UPSTREAM)), ofSdk1(span('message', UPSTREAM, { kind: SpanKind.CONSUMER })));
    send(ofSdk1(span('other job', { ...UPSTREAM, traceId: 'c'.repeat(32) })));
    vi.advanceTimersByTime(GRACE_MILLIS + HOLD_MILLIS);
    expect(sent.map(namesIn)).toEqual([['message', ['job']]]);
    vi.advanceTimersByTime(WAIT_MILLIS);
    expect(sent.slice(1).map(namesIn)).toEqual([['other job', []]]);
  });

  it('report an exception once that was recorded on a span and on its parent', () => {
    const { send, sent } = createExportRig({ captureRecordedExceptions: true });
    const record = (name: string, parent?: Span) => {
      const recording = start(name, parent);
      recording.recordException({ name: 'Error', message: 'no stock' });
      recording.end();
      return recording;
    };
    const root = record('root');
    send(ofSdk1(record('child', root)), ofSdk1(root));
    expect(sent).toMatchObject([{ contexts: { trace: { parent_span_id: root.spanContext().spanId } } }]);
  });
});

/** The same span as SDK 1.x would have made it. */
function ofSdk1(made: ReadableSpan, instrumentation = 'shop'): ReadableSpan {
  const { parentSpanContext, instrumentationScope: _, ...rest } = made;
  return {
    ...rest,
    ended: made.ended,
    spanContext: () => made.spanContext(),
    parentSpanId: parentSpanContext?.spanId,
    instrumentationLibrary: { name: instrumentation },
  } as unknown as ReadableSpan;
}

describe('the number of spans in hand', () => {
  it('is bounded at 50,000: the first to come leave before their time, and none is lost', async () => {
    const { send, sent, client, exporter } = createExportRig();
    const root = span('root');
    send(root, span('below root', root));
    const example = span('orphan', start('missing'));
    const { traceId } = example.spanContext();
    const orphans = Array.from({ length: 50_010 }, (_, i): ReadableSpan => {
      const spanId = (2 ** 40 + i).toString(16).padStart(16, '0');
      return Object.assign(Object.create(example), { spanContext: () => ({ traceId, spanId, traceFlags: 1 }) });
    });
    send(...orphans.slice(0, 49_998));
    await nextTick();
    expect(sent).toEqual([]);
    send(...orphans.slice(49_998));
    await nextTick();
    expect(sent.map(namesIn)).toEqual([['root', ['below root']], ...Array(10).fill(['orphan', []])]);
    await exporter.shutdown();
    expect(client.ledger.balance().span).toMatchObject({ captured: 50_012, queued: 0 });
  });
});

describe('export', () => {
  it('says success at once, before anything is sent', () => {
    const { send, sent } = createExportRig();
    expect(send(span('a'))).toEqual(SUCCESS);
    expect(send()).toEqual(SUCCESS);
    expect(sent).toEqual([]);
  });

  it('says failure once it was shut down, and takes nothing', async () => {
    const { send, client, exporter } = createExportRig();
    await exporter.shutdown();
    expect(send(span('a'))).toMatchObject({ code: ExportResultCode.FAILED, error: expect.any(Error) });
    expect(client.ledger.balance()).toEqual({});
  });

  it('says success without a client, as a failure would end the application', () => {
    const callback = vi.fn();
    vi.stubEnv('FAULTLINE_QUIET', '1');
    new FaultlineSpanExporter().export([span('a')], callback);
    vi.unstubAllEnvs();
    expect(callback).toHaveBeenCalledExactlyOnceWith({ code: ExportResultCode.SUCCESS });
  });

  it('uses the client that is current at the time', () => {
    const { client, sent } = createRig();
    const exporter = new FaultlineSpanExporter();
    getGlobalScope().setClient(client);
    exporter.export([span('a')], () => undefined);
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.map(namesIn)).toEqual([['a', []]]);
  });

  it('counts what a client that is not enabled gets', () => {
    const { send, client } = createExportRig({ enabled: false });
    expect(send(span('a'), span('b'))).toEqual(SUCCESS);
    expect(client.ledger.balance()).toEqual({
      span: { captured: 2, delivered: 0, discarded: 2, queued: 0, stored: 0, recovered: 0 },
    });
  });

  it.each([
    ['undefined', undefined],
    ['a number', 7],
  ])('says failure when the batch is %s', (_, batch) => {
    const callback = vi.fn();
    const { exporter } = createExportRig();
    exporter.export(batch as unknown as ReadableSpan[], callback);
    expect(callback).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: ExportResultCode.FAILED }));
  });

  it('survives a callback that throws, and one that is missing', () => {
    const { exporter, sent } = createExportRig();
    const callback = vi.fn(() => {
      throw new Error('no');
    });
    exporter.export([span('a')], callback);
    exporter.export([span('b')], undefined as unknown as typeof callback);
    expect(callback).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.map(namesIn)).toEqual([
      ['a', []],
      ['b', []],
    ]);
  });

  it.each([
    ['null', () => null],
    ['a string', () => 'span'],
    ['an empty object', () => ({})],
    ['a span without an id', () => ({ ...span('a'), spanContext: () => ({}) })],
    ['a revoked proxy', revokedProxy],
    ['a proxy that throws', () => new Proxy(span('a'), { get: fail })],
  ])('counts %s as failed, and takes the others of the batch', (_, create) => {
    const { send, sent, client } = createExportRig();
    expect(send(span('before'), create() as unknown as ReadableSpan, span('after'))).toEqual(SUCCESS);
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.map(namesIn)).toEqual([
      ['before', []],
      ['after', []],
    ]);
    expect(client.ledger.takeUnreported()).toEqual([{ reason: 'internal_sdk_error', category: 'span', quantity: 1 }]);
  });

  it.each([
    ['without links', () => without('links')],
    ['without a resource', () => without('resource')],
    ['whose attributes cannot be read', () => Object.defineProperty(span('incomplete'), 'attributes', { get: fail })],
    ['with a number as its status', () => Object.defineProperty(span('incomplete'), 'status', { value: 7 })],
  ])('sends what can be read of a span %s', (_, create) => {
    const { send, sent, client } = createExportRig();
    send(create() as ReadableSpan);
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.map(namesIn)).toEqual([['incomplete', []]]);
    expect(client.ledger.takeUnreported()).toEqual([]);
  });

  it('counts a span that can be read only once', () => {
    const { send, sent, client } = createExportRig();
    const root = span('liar');
    let isReadable = true;
    const liar = new Proxy(root, {
      get: (target, key): unknown => (isReadable || key === 'spanContext' ? Reflect.get(target, key) : fail()),
    });
    send(liar);
    isReadable = false;
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent).toEqual([]);
    expect(client.ledger.balance()).toMatchObject({ span: { discarded: 1, queued: 0 }, transaction: { discarded: 1 } });
  });
});

describe('forceFlush', () => {
  it('sends what is complete and leaves what waits for its root', async () => {
    const { send, sent, exporter } = createExportRig();
    const root = start('root');
    const other = span('other');
    send(span('child', root), span('of other', other), other);
    await exporter.forceFlush();
    expect(sent.map(namesIn)).toEqual([['other', ['of other']]]);
    root.end();
    send(root);
    await exporter.forceFlush();
    expect(sent.slice(1).map(namesIn)).toEqual([['root', ['child']]]);
  });

  it('resolves before anything was exported, and after shutdown', async () => {
    const { exporter } = createExportRig();
    await expect(exporter.forceFlush()).resolves.toBeUndefined();
    await exporter.shutdown();
    await expect(exporter.forceFlush()).resolves.toBeUndefined();
    await expect(new FaultlineSpanExporter().forceFlush()).resolves.toBeUndefined();
  });

  it('resolves after ten seconds when the application’s hook hangs, and shutdown after shutdownTimeout', async () => {
    const beforeSendTransaction = () => new Promise<never>(() => undefined);
    const { send, exporter } = createExportRig({ beforeSendTransaction, shutdownTimeout: 3000 });
    send(span('a'));
    const settled: string[] = [];
    void exporter.forceFlush().then(() => settled.push('flushed'));
    await vi.advanceTimersByTimeAsync(9000);
    expect(settled).toEqual([]);
    await vi.advanceTimersByTimeAsync(1001);
    expect(settled).toEqual(['flushed']);
    void exporter.shutdown().then(() => settled.push('shut down'));
    await vi.advanceTimersByTimeAsync(3000);
    expect(settled).toEqual(['flushed', 'shut down']);
  });

  it('is not needed when the client is flushed', async () => {
    const { send, sent, client } = createExportRig();
    const root = span('root');
    send(span('child', root), root);
    expect(await client.flush(1000)).toBe(true);
    expect(sent.map(namesIn)).toEqual([['root', ['child']]]);
  });
});

describe('shutdown', () => {
  it('sends everything, once, and leaves the client open', async () => {
    const { send, sent, client, exporter } = createExportRig();
    const flush = vi.spyOn(client, 'flush');
    const missing = start('missing');
    send(span('root'), span('orphan', missing));
    const first = exporter.shutdown();
    expect(exporter.shutdown()).toBe(first);
    await first;
    expect(sent.map(namesIn)).toEqual([
      ['root', []],
      ['orphan', []],
    ]);
    expect(flush).toHaveBeenCalledOnce();
    client.captureEvent({ type: 'transaction', transaction: 'still open', start_timestamp: 1, timestamp: 2 });
    expect(sent).toHaveLength(3);
  });
});

describe('the decision about a root', () => {
  const PROBE = { kind: SpanKind.SERVER, attributes: { 'http.method': 'OPTIONS' } };
  const LOST_TRACE = [
    { reason: 'sample_rate', category: 'transaction', quantity: 1 },
    { reason: 'sample_rate', category: 'span', quantity: 3 },
  ];

  /** Exports a trace of three spans: a root, a child that comes before it, and one that comes long after it. */
  function sendTrace({ send }: ReturnType<typeof createExportRig>, ...root: Parameters<typeof span>): void {
    const top = span(...root);
    send(span('child', top), top);
    vi.advanceTimersByTime(GRACE_MILLIS);
    send(span('late', top));
  }

  it('was the application’s alone without tracesSampleRate and tracesSampler: all that comes is sent', () => {
    const rig = createExportRig();
    sendTrace(rig, 'root');
    expect(rig.sent.map(namesIn)).toEqual([
      ['root', ['child']],
      ['late', []],
    ]);
    expect(rig.sent[0]!.contexts!.trace!.data).not.toHaveProperty('svc.sample_rate');
    expect(rig.sent[0]!.sdkProcessingMetadata!.dynamicSamplingContext).toMatchObject({ sampled: 'true' });
  });

  it('follows tracesSampleRate, by the random number of the trace', () => {
    const { send, sent, client } = createExportRig({ tracesSampleRate: 0.25 });
    for (let i = 0; i < 4000; i++) {
      const root = span('root');
      send(span('child', root), root);
      if (i % 500 === 0) vi.advanceTimersByTime(GRACE_MILLIS);
    }
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.length / 4000).toBeGreaterThan(0.22);
    expect(sent.length / 4000).toBeLessThan(0.28);
    expect(sent.every(({ spans }) => spans!.length === 1)).toBe(true);
    expect(sent[0]!.contexts!.trace!.data).toMatchObject({ 'svc.sample_rate': 0.25 });
    const lost = 4000 - sent.length;
    expect(client.ledger.balance()).toMatchObject({
      transaction: { captured: 4000, delivered: sent.length, discarded: lost },
      span: { captured: 8000, delivered: 2 * sent.length, discarded: 2 * lost },
    });
  });

  it.each<[string, Options, Parameters<typeof span>]>([
    ['the rate is 0', { tracesSampleRate: 0 }, ['root']],
    ['the sampler says no', { tracesSampler: () => false }, ['root']],
    ['the sampler throws', { tracesSampler: fail }, ['root']],
    ['it is a probe', { tracesSampleRate: 1 }, ['root', undefined, PROBE]],
  ])('counts every span of the trace when %s', (_, options, root) => {
    const rig = createExportRig(options);
    sendTrace(rig, ...root);
    expect(rig.sent).toEqual([]);
    expect(rig.client.ledger.takeUnreported()).toEqual(LOST_TRACE);
  });

  it('counts an outgoing request without a parent, and what is below it', () => {
    const rig = createExportRig({ tracesSampleRate: 1 });
    const request = { kind: SpanKind.CLIENT, attributes: { 'http.request.method': 'GET' } };
    sendTrace(rig, 'GET', undefined, request);
    expect(rig.client.ledger.takeUnreported()).toEqual([{ reason: 'no_parent_span', category: 'span', quantity: 3 }]);
    const late = span('GET', start('missing'), request);
    rig.send(late);
    vi.advanceTimersByTime(WAIT_MILLIS);
    expect(rig.sent).toHaveLength(1);
  });

  it('asks the sampler once for each local root, with all that was set on the span', () => {
    const tracesSampler = vi.fn<() => number>(() => 1);
    const { send } = createExportRig({ tracesSampler });
    const root = start('root', UPSTREAM, { attributes: { early: 1 } });
    root.setAttribute('late', 2).end();
    send(span('child', root), root, root);
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(tracesSampler).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ name: 'root', parentSampled: undefined, attributes: { early: 1, late: 2 } }),
    );
  });

  it('is overruled by a beforeSampling handler that says true', () => {
    const { send, sent, client } = createExportRig({ tracesSampleRate: 0 });
    client.on('beforeSampling', ({ spanName }, verdict) => {
      verdict.decision = spanName === 'important';
    });
    send(span('important'), span('other'));
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent.map(namesIn)).toEqual([['important', []]]);
  });

  it.each([
    [0, 1, 1],
    [1, 0, 0],
  ])(
    'does not ride on OTel’s flag (%d), which is the application’s: a rate of %d sends %d',
    (traceFlags, rate, count) => {
      const { send, sent } = createExportRig({ tracesSampleRate: rate });
      send(span('root', { ...UPSTREAM, traceFlags }));
      vi.advanceTimersByTime(GRACE_MILLIS);
      expect(sent).toHaveLength(count);
    },
  );
});

describe('beside a span processor of ours', () => {
  it.each([
    ['for the client in use', false],
    ['for one client', true],
  ])('the exporter leaves to it what it has seen, both %s', async (_, isPinned) => {
    const { client, sent } = createRig({ tracesSampleRate: 0.5 });
    getGlobalScope().setClient(client);
    const exporter = new FaultlineSpanExporter(isPinned ? { client } : {});
    const ended: ReadableSpan[] = [];
    const tracer = createTracer(new FaultlineSpanProcessor(), recorder(ended));
    for (let i = 0; i < 200; i++) {
      const root = tracer.startSpan('root');
      tracer.startSpan('child', {}, trace.setSpan(context.active(), root)).end();
      root.end();
    }
    exporter.export(ended, () => undefined);
    await exporter.shutdown();
    await client.flush();
    expect(sent.length).toBeGreaterThan(50);
    expect(sent.length).toBeLessThan(150);
    expect(client.ledger.balance().transaction).toEqual({
      captured: 200,
      delivered: sent.length,
      discarded: 200 - sent.length,
      queued: 0,
      stored: 0,
      recovered: 0,
    });
  });

  it('the exporter of another client sends them for its own', async () => {
    const processed = createRig({ tracesSampleRate: 1 });
    const exported = createExportRig();
    const ended: ReadableSpan[] = [];
    createTracer(new FaultlineSpanProcessor({ client: processed.client }), recorder(ended))
      .startSpan('a')
      .end();
    exported.send(...ended);
    await Promise.all([processed.client.flush(), exported.client.flush()]);
    expect([...processed.sent, ...exported.sent].map(namesIn)).toEqual([
      ['a', []],
      ['a', []],
    ]);
  });

  it('two exporters of one client send a span once', async () => {
    const { client, send, sent } = createExportRig();
    const a = span('a');
    send(a);
    new FaultlineSpanExporter({ client }).export([a], () => undefined);
    await client.flush();
    expect(sent.map(namesIn)).toEqual([['a', []]]);
  });
});

describe('the scopes of a transaction', () => {
  it('are the global one alone', () => {
    const { send, sent } = createExportRig();
    getGlobalScope().setTag('global', 1);
    getIsolationScope().setTag('of whoever exports', 1);
    send(span('a'));
    vi.advanceTimersByTime(GRACE_MILLIS);
    expect(sent[0]!.tags).toEqual({ global: 1 });
  });

  it('are those of a request that a processor of ours has seen, where no rate is set', () => {
    const { send, sent } = createExportRig();
    const ended: ReadableSpan[] = [];
    const tracer = createTracer(new FaultlineSpanProcessor(), recorder(ended));
    getGlobalScope().setClient(createRig().client);
    const request = new Scope().setTag('request', 1);
    const scoped = withScopes(below(), new Scope(), request);
    const root = tracer.startSpan('GET /', { kind: SpanKind.SERVER }, scoped);
    const late = tracer.startSpan('late', {}, trace.setSpan(scoped, root));
    root.end();
    send(...ended);
    vi.advanceTimersByTime(GRACE_MILLIS);
    late.end();
    send(...ended);
    expect(sent.map(({ transaction, tags }) => [transaction, tags])).toEqual([
      ['GET /', { request: 1 }],
      ['late', { request: 1 }],
    ]);
  });
});

it('a resource with a cycle costs no transaction, also when user code gets it', async () => {
  const { send, sent, client } = createExportRig();
  client.addEventProcessor((event) => event);
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const resource = resourceFromAttributes({ cycle: cycle as never });
  const one = new BasicTracerProvider({ resource }).getTracer('test').startSpan('a');
  one.end();
  send(one as Span & ReadableSpan);
  await client.flush();
  expect(sent.map(namesIn)).toEqual([['a', []]]);
});

describe('a client that is closed', () => {
  it('leaves no listener on the process', async () => {
    const listeners = process.listeners('beforeExit');
    const { send, client } = createExportRig();
    send(span('a'));
    expect(process.listenerCount('beforeExit')).toBe(listeners.length + 2);
    await client.close();
    expect(process.listeners('beforeExit')).toEqual(listeners);
  });
});

/** Until what is ready has left. */
const nextTick = () => vi.advanceTimersByTimeAsync(1);

function recorder(ended: ReadableSpan[]) {
  return {
    onStart: () => undefined,
    onEnd: (one: ReadableSpan) => void ended.push(one),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
}

function without(key: keyof ReadableSpan): ReadableSpan {
  return Object.assign(Object.create(span('incomplete')), { [key]: undefined });
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function fail(): never {
  throw new Error('no');
}
