import assert from 'node:assert/strict';
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type Sampler,
  SamplingDecision,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Client,
  captureMessage,
  continueTrace,
  FaultlinePropagator,
  init,
  openTelemetry,
  type SamplingContext,
  startSpan,
  withIsolationScope,
} from '../../src/index.js';
import type { InnerClient } from '../../src/model/inner-client.js';
import { ALWAYS, NEVER, parentBased, SeededIds, Sink, startExistingSetup, W3C } from '../support/existing-setup.js';
import { resetOpenTelemetry } from '../support/story.js';

type Headers = Record<string, string>;

/** What became of one request: the two decisions as they went downstream, and whether anything was recorded. */
interface Served {
  readonly traceId: string;
  readonly headers: Headers;
  readonly theirs: boolean;
  /** `undefined` where it was left to services downstream. */
  readonly ours: boolean | undefined;
  readonly isRecording: boolean;
}

/** A request as instrumentation sees it: extracted headers, a server span, and a call to another service within. */
function serve(headers: Headers = {}, duringCall: () => void = () => undefined): Served {
  const tracer = trace.getTracer('application');
  const extracted = propagation.extract(ROOT_CONTEXT, headers);
  const root = tracer.startSpan('GET /', { kind: SpanKind.SERVER }, extracted);
  return context.with(trace.setSpan(extracted, root), () => {
    const call = tracer.startSpan('call');
    const sent: Headers = {};
    context.with(trace.setSpan(context.active(), call), () => {
      propagation.inject(context.active(), sent);
      duringCall();
    });
    const isRecording = root.isRecording();
    assert.equal(call.isRecording(), isRecording);
    call.end();
    root.end();
    return { ...decisionsIn(sent), traceId: root.spanContext().traceId, headers: sent, isRecording };
  });
}

function decisionsIn(headers: Headers): { theirs: boolean; ours: boolean | undefined } {
  const [, ownTrace, ownSpan, flag] = /^(\w{32})-(\w{16})(?:-([01]))?$/.exec(headers['sentry-trace'] ?? '') ?? [];
  const prefix = `00-${ownTrace}-${ownSpan}-`;
  const { traceparent } = headers;
  // Asked a hundred thousand times, for which `expect` takes too long.
  assert.ok(traceparent === `${prefix}00` || traceparent === `${prefix}01`, traceparent);
  return { theirs: traceparent.endsWith('-01'), ours: flag === undefined ? undefined : flag === '1' };
}

const traceIdsOf = (spans: readonly { spanContext(): { traceId: string } }[]) =>
  spans.map((span) => span.spanContext().traceId);

const sorted = (texts: readonly string[]) => [...texts].sort();

let client: Client | undefined;

afterEach(async () => {
  await client?.close(5000);
  resetOpenTelemetry();
});

const REQUESTS_AT_ONCE = 250;

/** Serves requests in a service of its own: what is returned is what its two destinations got of them. */
async function runService(
  rates: { theirs: number; ours: number },
  seed: number,
  incoming: readonly (Headers | undefined)[],
): Promise<{ served: Served[]; client: Client }> {
  const sink = new Sink();
  client = init(sink.options({ tracesSampleRate: rates.ours }));
  const existing = startExistingSetup({ sampler: parentBased(rates.theirs), idGenerator: new SeededIds(seed) });
  const served: Served[] = [];
  // A few hundred at a time: thousands that wait to be sent keep the garbage collector busy.
  for (let start = 0; start < incoming.length; start += REQUESTS_AT_ONCE) {
    const some = incoming.slice(start, start + REQUESTS_AT_ONCE);
    served.push(...some.map((headers) => withIsolationScope(() => serve(headers))));
    expect(await client.flush(10_000)).toBe(true);
  }

  const { simple, batched } = await existing.exported();
  const theirs = served.filter((one) => one.theirs).map((one) => one.traceId);
  expect(sorted(traceIdsOf(simple))).toEqual(sorted([...theirs, ...theirs]));
  expect(batched).toHaveLength(simple.length);
  const ours = served.filter((one) => one.ours).map((one) => one.traceId);
  expect(sorted(sink.transactions.map(({ contexts }) => contexts!.trace!.trace_id!))).toEqual(sorted(ours));
  expect(sink.transactions.every(({ spans }) => spans!.length === 1)).toBe(true);
  expect(served.every((one) => one.isRecording === (one.theirs || one.ours))).toBe(true);

  const ended = client;
  await client.close(5000);
  resetOpenTelemetry();
  return { served, client: ended };
}

/** Whether a count is within the bounds that a binomial distribution keeps to in 99.9 % of all runs. */
function expectBinomial(count: number, trials: number, rate: number): void {
  const bound = 3.29 * Math.sqrt(trials * rate * (1 - rate));
  expect(Math.abs(count - trials * rate)).toBeLessThanOrEqual(bound);
}

/** Pearson's test on the table of both decisions: 10.83 is exceeded by one of 1,000 independent pairs. */
function expectIndependent(served: readonly Served[]): void {
  const count = (theirs: boolean, ours: boolean) =>
    served.filter((one) => one.theirs === theirs && one.ours === ours).length;
  const [both, theirs, ours, none] = [count(true, true), count(true, false), count(false, true), count(false, false)];
  const margins = (both + theirs) * (ours + none) * (both + ours) * (theirs + none);
  if (margins === 0) return;
  expect((served.length * (both * none - theirs * ours) ** 2) / margins).toBeLessThan(10.83);
}

const RATES = [0, 0.1, 0.5, 1];
const ROOTS = 5000;

describe.each(RATES)('beside a sampler of the application that keeps %d', (theirs) => {
  it.each(RATES)('a rate of %d keeps what it would keep alone, here and downstream', async (ours) => {
    const seed = 1 + theirs * 1000 + ours * 10;
    const front = await runService({ theirs, ours }, seed, Array(ROOTS).fill(undefined));
    const kept = front.served.filter((one) => one.ours).length;
    expectBinomial(front.served.filter((one) => one.theirs).length, ROOTS, theirs);
    expectBinomial(kept, ROOTS, ours);
    expectIndependent(front.served);
    expect(front.client.ledger.balance().transaction).toEqual({
      captured: ROOTS,
      delivered: kept,
      discarded: ROOTS - kept,
      queued: 0,
      stored: 0,
      recovered: 0,
    });

    // Rates of its own must not matter to a service that continues these traces.
    const incoming = front.served.slice(0, 1000);
    const rates = { theirs: 1 - theirs, ours: 1 - ours };
    const back = await runService(
      rates,
      seed + 1,
      incoming.map((one) => one.headers),
    );
    const decided = ({ traceId, theirs, ours }: Served) => ({ traceId, theirs, ours });
    expect(back.served.map(decided)).toEqual(incoming.map(decided));
  });
});

describe('a trace that neither sampler keeps', () => {
  it('is a non-recording span: only the count of discarded transactions knows of it', async () => {
    const sink = new Sink();
    client = init(sink.options({ tracesSampleRate: 0 }));
    const existing = startExistingSetup({ sampler: NEVER });
    const nonRecording = trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 });
    let root: Span | undefined;
    startSpan({ name: 'root' }, (span) => {
      root = span;
      startSpan({ name: 'child' }, (child) => {
        expect(child.isRecording()).toBe(false);
        expect(child.constructor).toBe(nonRecording.constructor);
        expect(Reflect.ownKeys(child)).toEqual(Reflect.ownKeys(nonRecording));
      });
    });
    expect(root!.constructor).toBe(nonRecording.constructor);
    expect(Reflect.ownKeys(root!)).toEqual(Reflect.ownKeys(nonRecording));
    const discarded = { captured: 1, delivered: 0, discarded: 1, queued: 0, stored: 0, recovered: 0 };
    expect(client.ledger.balance()).toEqual({ transaction: discarded, span: discarded });
    expect((client as InnerClient).ledger.takeUnreported()).toEqual([
      { reason: 'sample_rate', category: 'transaction', quantity: 1 },
      { reason: 'sample_rate', category: 'span', quantity: 1 },
    ]);
    expect((await existing.exported()).simple).toEqual([]);
  });
});

/** Samples by the name of the span, whatever became of its parent. */
function byName(decisions: Record<string, SamplingDecision>, asked: string[] = []): Sampler {
  return {
    shouldSample(_context, _traceId, name) {
      asked.push(name);
      return { decision: decisions[name] ?? SamplingDecision.NOT_RECORD };
    },
    toString: () => 'byName',
  };
}

describe('a sampler of the application that does not ask the parent', () => {
  const decisions = { child: SamplingDecision.RECORD_AND_SAMPLED };
  const family = () =>
    startSpan({ name: 'root' }, () => startSpan({ name: 'child' }, () => startSpan({ name: 'grandchild' }, () => 0)));

  it.each([
    [0, []],
    [1, ['root']],
  ])('and a rate of %d: Faultline decides once for the trace, at its root', async (tracesSampleRate, transactions) => {
    const sink = new Sink();
    const questions: string[] = [];
    const asked: string[] = [];
    const tracesSampler = ({ name }: { name: string }) => questions.push(name) && tracesSampleRate;
    client = init(sink.options({ tracesSampler }));
    const existing = startExistingSetup({ sampler: byName(decisions, asked) });
    family();
    await client.flush(5000);
    expect((await existing.exported()).simple.map(({ name }) => name)).toEqual(['child']);
    expect(asked).toEqual(['root', 'child', 'grandchild']);
    expect(questions).toEqual(['root']);
    expect(sink.transactions.map(({ transaction }) => transaction)).toEqual(transactions);
    expect(client.ledger.balance().transaction).toMatchObject({ captured: 1, discarded: 1 - tracesSampleRate });
  });

  it('sends the root’s decision downstream, also from spans that only the application records', async () => {
    client = init(new Sink().options({ tracesSampler: () => 0.0001 }));
    startExistingSetup({ sampler: byName(decisions), idGenerator: new SeededIds(1) });
    const headers: Headers[] = [];
    startSpan({ name: 'root' }, () => {
      headers.push({});
      propagation.inject(context.active(), headers[0]!);
      startSpan({ name: 'child' }, () => {
        headers.push({});
        propagation.inject(context.active(), headers[1]!);
      });
    });
    expect(decisionsIn(headers[0]!)).toEqual({ theirs: false, ours: false });
    expect(decisionsIn(headers[1]!)).toEqual({ theirs: true, ours: false });
    const samplingIn = ({ baggage }: Headers) => baggage!.match(/sentry-sample\w*=[^,]+/g);
    expect(samplingIn(headers[0]!)).toEqual([
      'sentry-sample_rate=0.0001',
      expect.stringMatching(/^sentry-sample_rand=0\.\d+$/),
      'sentry-sampled=false',
    ]);
    expect(samplingIn(headers[1]!)).toEqual(samplingIn(headers[0]!));
  });
});

describe('the result of the application’s sampler', () => {
  it('keeps its attributes and trace state, even if Faultline records the span against its decision', async () => {
    const sink = new Sink();
    client = init(sink.options({ tracesSampleRate: 1 }));
    const traceState = W3C.extract(
      ROOT_CONTEXT,
      { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`, tracestate: 'vendor=1' },
      { get: (carrier, key) => carrier[key], keys: Object.keys },
    );
    const state = trace.getSpanContext(traceState)!.traceState!;
    const sampler: Sampler = {
      shouldSample: (_context, _traceId, name) => ({
        decision: name === 'kept' ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
        attributes: { 'sampler.rule': name },
        traceState: state,
      }),
      toString: () => 'stateful',
    };
    const existing = startExistingSetup({ sampler });
    for (const name of ['kept', 'dropped']) {
      startSpan({ name }, (span) => expect(span.spanContext().traceState).toBe(state));
    }
    const { simple } = await existing.exported();
    expect(simple.map(({ name, attributes }) => [name, attributes])).toEqual([['kept', { 'sampler.rule': 'kept' }]]);
    expect(sink.transactions.map(({ contexts }) => contexts!.trace!.data!['sampler.rule'])).toEqual([
      'kept',
      'dropped',
    ]);
  });

  it('is computed once for each span, with the arguments of OpenTelemetry', () => {
    client = init(new Sink().options({ tracesSampleRate: 1 }));
    const asked: unknown[][] = [];
    const sampler: Sampler = {
      shouldSample: (...args) => {
        asked.push(args);
        return { decision: SamplingDecision.NOT_RECORD };
      },
      toString: () => 'recorder',
    };
    startExistingSetup({ sampler });
    const linked = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
    const links = [{ context: linked, attributes: { l: 1 } }];
    const span = trace
      .getTracer('application')
      .startSpan('a', { kind: SpanKind.PRODUCER, attributes: { a: 1 }, links });
    const { traceId } = span.spanContext();
    expect(asked).toEqual([[context.active(), traceId, 'a', SpanKind.PRODUCER, { a: 1 }, links]]);
  });

  it('is an exception for the application if it throws, as without Faultline', () => {
    client = init(new Sink().options({ tracesSampleRate: 1 }));
    const sampler: Sampler = {
      shouldSample() {
        throw new Error('theirs');
      },
      toString: () => 'broken',
    };
    startExistingSetup({ sampler });
    expect(() => trace.getTracer('application').startSpan('a')).toThrow('theirs');
    expect(client.ledger.balance()).toEqual({});
  });
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = (flag: 0 | 1) => `00-${traceId}-${spanId}-0${flag}`;
const sentryTrace = (flag: 0 | 1, id = traceId) => `${id}-${spanId}-${flag}`;

describe('an incoming trace', () => {
  it.each([
    { flag: 0, rate: 1 },
    { flag: 0, rate: 0 },
    { flag: 1, rate: 1 },
    { flag: 1, rate: 0 },
  ] as const)('with nothing but traceparent flagged $flag is decided by our own rate of $rate', async (row) => {
    const sink = new Sink();
    const parentSampled: unknown[] = [];
    client = init(
      sink.options({ tracesSampler: (asked: SamplingContext) => parentSampled.push(asked.parentSampled) && row.rate }),
    );
    startExistingSetup();
    const served = serve({ traceparent: traceparent(row.flag) });
    await client.flush(5000);
    expect(served).toMatchObject({ traceId, theirs: row.flag === 1, ours: row.rate === 1 });
    expect(parentSampled).toEqual([undefined]);
    expect(sink.transactions).toHaveLength(row.rate);
    expect(served.headers['baggage']).toContain(`sentry-sample_rate=${row.rate},sentry-sample_rand=0.`);
    expect(served.headers['baggage']).toContain(`sentry-sampled=${row.rate === 1}`);
  });

  it.each([
    { theirs: 0, ours: 1 },
    { theirs: 1, ours: 0 },
  ] as const)('with two decisions, $theirs for them and $ours for us, goes on with both', async ({ theirs, ours }) => {
    const sink = new Sink();
    client = init(sink.options({ tracesSampleRate: 1 - ours }));
    startExistingSetup({ sampler: parentBased(1 - theirs) });
    const baggage = `mine=1,sentry-trace_id=${traceId},sentry-sample_rate=0.5,sentry-sample_rand=0.25,sentry-environment=up`;
    const served = serve({ traceparent: traceparent(theirs), 'sentry-trace': sentryTrace(ours), baggage });
    await client.flush(5000);
    expect(served).toMatchObject({ traceId, theirs: theirs === 1, ours: ours === 1 });
    expect(served.headers['baggage']).toBe(baggage);
    expect(sink.transactions).toHaveLength(ours);
  });

  it('with only sentry-trace is a new trace for OpenTelemetry: the application’s propagator sets the parent', () => {
    client = init(new Sink().options({ tracesSampleRate: 1 }));
    startExistingSetup();
    const served = serve({ 'sentry-trace': sentryTrace(0) });
    expect(served.traceId).not.toBe(traceId);
    expect(served).toMatchObject({ theirs: true, ours: true });
  });

  it('is sent downstream as undecided while there is no span', () => {
    client = init(new Sink().options({ tracesSampleRate: 1 }));
    startExistingSetup();
    const sent: Headers = {};
    const extracted = propagation.extract(ROOT_CONTEXT, { traceparent: traceparent(1) });
    propagation.inject(extracted, sent);
    expect(sent['sentry-trace']).toMatch(new RegExp(`^${traceId}-\\w{16}$`));
    expect(sent['traceparent']).toBe(traceparent(1));
  });
});

describe('continueTrace beside a sampler of the application', () => {
  it.each([
    { flag: 0, theirs: ALWAYS },
    { flag: 1, theirs: NEVER },
    { flag: 0, theirs: parentBased(1) },
    { flag: 1, theirs: parentBased(0) },
  ] as const)('continues our decision of $flag, and $theirs decides for itself', async ({ flag, theirs }) => {
    const sink = new Sink();
    client = init(sink.options({ tracesSampleRate: 1 - flag }));
    const existing = startExistingSetup({ sampler: theirs });
    continueTrace({ sentryTrace: sentryTrace(flag) }, () => startSpan({ name: 'continued' }, () => undefined));
    await client.flush(5000);
    expect(sink.transactions.map(({ contexts }) => contexts!.trace)).toMatchObject(
      flag ? [{ trace_id: traceId, parent_span_id: spanId }] : [],
    );
    const { simple } = await existing.exported();
    expect(traceIdsOf(simple)).toEqual(flag ? [] : [traceId]);
  });
});

describe('forceTransaction', () => {
  it.each([
    { sentry: 1, rate: 0, isBeside: true },
    { sentry: 1, rate: 0, isBeside: false },
    { sentry: 0, rate: 1, isBeside: true },
    { sentry: 0, rate: 1, isBeside: false },
    { sentry: undefined, rate: 1, isBeside: true },
    { sentry: undefined, rate: 1, isBeside: false },
  ] as const)('goes on with the decision around it: $sentry from upstream, a rate of $rate', async (row) => {
    const { sentry, rate, isBeside } = row;
    const sink = new Sink();
    client = init({ ...sink.options({ tracesSampleRate: rate }), skipOpenTelemetrySetup: isBeside });
    if (isBeside) startExistingSetup({ sampler: ALWAYS });
    const headers = sentry === undefined ? {} : { sentryTrace: sentryTrace(sentry) };
    const sent: Headers[] = [{}, {}];
    continueTrace(headers, () =>
      startSpan({ name: 'outer' }, () => {
        propagation.inject(context.active(), sent[0]!);
        startSpan({ name: 'forced', forceTransaction: true }, () => propagation.inject(context.active(), sent[1]!));
      }),
    );
    await client.flush(5000);
    const isKept = (sentry ?? rate) === 1;
    const names = sink.transactions.map(({ transaction }) => transaction).sort();
    expect(names).toEqual(isKept ? ['forced', 'outer'] : []);
    expect(sent.map((one) => one['sentry-trace']!.slice(-2))).toEqual(isKept ? ['-1', '-1'] : ['-0', '-0']);
    const samplingIn = ({ baggage }: Headers) => baggage?.match(/sentry-(sample\w*|trace_id)=[^,]+/g);
    expect(samplingIn(sent[1]!)).toEqual(samplingIn(sent[0]!));
  });
});

describe('while our tracing is off', () => {
  it.each([
    ['records', ALWAYS],
    ['does not record', NEVER],
  ])('an error names the span in which the application’s sampler %s', async (_, sampler) => {
    const events: { trace_id?: string; span_id?: string }[] = [];
    client = init({
      ...new Sink().options({}),
      beforeSend: (event) => {
        events.push(event.contexts!.trace!);
        return event;
      },
    });
    startExistingSetup({ sampler });
    let spanContext: { traceId: string; spanId: string } | undefined;
    const served = serve({}, () => {
      captureMessage('inside');
      spanContext = trace.getActiveSpan()!.spanContext();
    });
    await client.flush(5000);
    expect(events).toMatchObject([{ trace_id: spanContext!.traceId, span_id: spanContext!.spanId }]);
    expect(served).toMatchObject({ ours: undefined, theirs: sampler === ALWAYS });
  });
});

describe('the stack of an exception that the application’s exporter sends', () => {
  const limit = Error.stackTraceLimit;
  afterEach(() => {
    Error.stackTraceLimit = limit;
  });

  it.each([
    ['is the same with stackTraceLimit: 0', { stackTraceLimit: 0 }, 10],
    ['is longer without it', {}, 50],
  ])('%s', async (_, options, frames) => {
    Error.stackTraceLimit = 10;
    const stacks: unknown[] = [];
    for (const isBeside of [false, true]) {
      if (isBeside) client = init(new Sink().options({ tracesSampleRate: 1, ...options }));
      const exporter = new InMemorySpanExporter();
      const spanProcessors = [new SimpleSpanProcessor(exporter)];
      const contextManager = new AsyncLocalStorageContextManager();
      const parts = isBeside ? openTelemetry({ spanProcessors, contextManager }) : { spanProcessors };
      context.setGlobalContextManager(contextManager.enable());
      new BasicTracerProvider(parts).getTracer('application').startActiveSpan('failing', (span) => {
        below(60, () => span.recordException(new Error('no stock')));
        span.end();
      });
      stacks.push(exporter.getFinishedSpans()[0]!.events[0]!.attributes!['exception.stacktrace']);
      context.disable();
    }
    const [alone, beside] = stacks.map((stack) => String(stack).split('\n'));
    expect(beside!.slice(0, 11)).toEqual(alone);
    expect(beside).toHaveLength(1 + frames);
  });

  function below(depth: number, run: () => void): void {
    if (depth === 0) run();
    else below(depth - 1, run);
  }
});

describe('headers beside a propagator of the application', () => {
  it('are added to its baggage, in every form that a carrier stores a value', () => {
    client = init(new Sink().options({ tracesSampleRate: 1 }));
    startExistingSetup({ propagator: new CompositePropagator({ propagators: [W3C, new W3CBaggagePropagator()] }) });
    const carrier: Record<string, { StringValue: string }[]> = {};
    const set = (_: unknown, key: string, value: string) => {
      carrier[key] = [...(carrier[key] ?? []), { StringValue: value }];
    };
    startSpan({ name: 'a' }, () => {
      const baggage = propagation.createBaggage({ tenant: { value: 'x' } });
      propagation.inject(propagation.setBaggage(context.active(), baggage), carrier, { set });
    });
    expect(Object.keys(carrier).sort()).toEqual(['baggage', 'sentry-trace', 'traceparent']);
    expect(carrier['baggage']).toEqual([{ StringValue: expect.stringMatching(/^tenant=x,sentry-trace_id=/) }]);
  });

  it('do not change its baggage if a request gets no trace headers', () => {
    client = init(new Sink().options({ tracesSampleRate: 1, tracePropagationTargets: [] }));
    startExistingSetup();
    const carrier: Headers = {};
    startSpan({ name: 'a', attributes: { 'url.full': 'https://elsewhere.example/' } }, () => {
      const baggage = propagation.createBaggage({ tenant: { value: 'x' } });
      propagation.inject(propagation.setBaggage(context.active(), baggage), carrier);
    });
    expect(carrier).toEqual({ traceparent: expect.stringMatching(/-01$/), baggage: 'tenant=x' });
  });

  it.each([
    ['sampled', ALWAYS, '01', 0],
    ['not sampled', NEVER, '00', 1],
  ])('propagateTraceparent sends the flag of the application’s sampler: %s', (_, sampler, flag, tracesSampleRate) => {
    client = init(new Sink().options({ tracesSampleRate, propagateTraceparent: true }));
    startExistingSetup({ sampler, propagator: new W3CBaggagePropagator() });
    const carrier: Headers = {};
    startSpan({ name: 'a' }, () => propagation.inject(context.active(), carrier));
    expect(carrier['traceparent']).toMatch(new RegExp(`-${flag}$`));
    expect(carrier['sentry-trace']).toMatch(new RegExp(`-${tracesSampleRate}$`));
  });
});

describe('a FaultlinePropagator behind theirs in a composite', () => {
  const traceId = 'a'.repeat(32);
  const w3c = (flag: string) => ({ traceparent: `00-${traceId}-${'b'.repeat(16)}-0${flag}`, tracestate: 'vendor=1' });
  const ours = (flag: string, id = traceId) => ({ 'sentry-trace': `${id}-${'b'.repeat(16)}-${flag}` });

  it.each<[string, Headers, { theirs: boolean; ours: boolean }]>([
    ['theirs, sampled', w3c('1'), { theirs: true, ours: false }],
    ['theirs, not sampled', w3c('0'), { theirs: false, ours: false }],
    ['both, sampled by them alone', { ...w3c('1'), ...ours('0') }, { theirs: true, ours: false }],
    ['both, sampled by us alone', { ...w3c('0'), ...ours('1') }, { theirs: false, ours: true }],
    ['both, of different traces', { ...w3c('1'), ...ours('1', 'c'.repeat(32)) }, { theirs: true, ours: false }],
  ])('does not change the parent and its decision: headers of %s', (_, headers, decisions) => {
    client = init(new Sink().options({ tracesSampleRate: 0 }));
    startExistingSetup({ sampler: parentBased(0) });
    propagation.disable();
    propagation.setGlobalPropagator(new CompositePropagator({ propagators: [W3C, new FaultlinePropagator()] }));
    const served = serve(headers);
    expect(served).toMatchObject({ ...decisions, traceId });
    expect(served.headers['tracestate']).toBe('vendor=1');
  });
});
