import { ROOT_CONTEXT, type Tracer, trace } from '@opentelemetry/api';
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import type { InnerClient } from '../../src/model/inner-client.js';
import { FaultlineSampler } from '../../src/tracing/sampler.js';
import { FaultlineSpanProcessor } from '../../src/tracing/span-processor.js';
import { createRig, type Rig } from '../tracing/export-rig.js';

const BESIDE = { skipOpenTelemetrySetup: true, tracesSampleRate: 1 };

interface Stage extends Rig {
  readonly tracer: Tracer;
}

/** A client with a sampler, a span processor and a tracer provider of its own. */
function createStage(options = {}, further: SpanProcessor[] = []): Stage {
  const rig = createRig({ ...BESIDE, ...options });
  const client = rig.client as InnerClient;
  const provider = new BasicTracerProvider({
    sampler: new FaultlineSampler(client),
    spanProcessors: [new FaultlineSpanProcessor({ client }), ...further],
  });
  return { ...rig, tracer: provider.getTracer('test') };
}

function namesIn({ sent }: Rig): unknown[] {
  return sent.map(({ transaction, spans }) => [transaction, ...spans!.map(({ description }) => description)]);
}

describe('two clients, each with its own parts', () => {
  it('make transactions of their own spans, also where these are nested', async () => {
    const [one, two] = [createStage(), createStage()];
    const root = one.tracer.startSpan('root of one', {}, ROOT_CONTEXT);
    const inRoot = trace.setSpan(ROOT_CONTEXT, root);
    const nested = two.tracer.startSpan('root of two', {}, inRoot);
    const inNested = trace.setSpan(ROOT_CONTEXT, nested);
    one.tracer.startSpan('child of one', {}, inRoot).end();
    two.tracer.startSpan('child of two', {}, inNested).end();
    nested.end();
    root.end();
    await Promise.all([one.client.flush(), two.client.flush()]);
    expect(namesIn(one)).toEqual([['root of one', 'child of one']]);
    expect(namesIn(two)).toEqual([['root of two', 'child of two']]);
    expect(two.sent[0]!.contexts!.trace!.parent_span_id).toBe(root.spanContext().spanId);
  });

  it('in one tracer provider each get every span once', async () => {
    const two = createRig(BESIDE);
    const one = createStage({}, [new FaultlineSpanProcessor({ client: two.client })]);
    const root = one.tracer.startSpan('root', {}, ROOT_CONTEXT);
    one.tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, root)).end();
    root.end();
    await Promise.all([one.client.flush(), two.client.flush()]);
    expect(namesIn(one)).toEqual([['root', 'child']]);
    expect(namesIn(two)).toEqual([['root', 'child']]);
  });

  it('decide by their own options', async () => {
    const [one, two] = [createStage({ tracesSampleRate: 0 }), createStage()];
    const root = one.tracer.startSpan('root of one', {}, ROOT_CONTEXT);
    expect(root.isRecording()).toBe(false);
    root.end();
    two.tracer.startSpan('root of two', {}, ROOT_CONTEXT).end();
    await Promise.all([one.client.flush(), two.client.flush()]);
    expect(one.sent).toEqual([]);
    expect(namesIn(two)).toEqual([['root of two']]);
    expect(one.client.ledger.balance().transaction).toMatchObject({ captured: 1, discarded: 1 });
    expect(two.client.ledger.balance().transaction).toMatchObject({ captured: 1, delivered: 1 });
  });
});
