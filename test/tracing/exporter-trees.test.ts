import { ROOT_CONTEXT, type Span, type SpanContext, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import type { TransactionEvent } from '../../src/model/event/event.js';
import { FaultlineSpanProcessor } from '../../src/tracing/span-processor.js';
import fc from '../support/fast-check.js';
import { below, createExportRig, createRig, createTracer, type ExportRig, remote, spanIdsIn } from './export-rig.js';

/** How a span of the forest begins. */
interface Seed {
  /** Which of the spans before it is its parent, as a fraction; a root where there is none. */
  readonly parent: number | undefined;
  /** Its parent counts as one of another service. */
  readonly isRemote: boolean;
  /** Which trace of another service a root continues, and whether that is sampled; its own trace, where absent. */
  readonly upstream: { readonly trace: number; readonly isSampled: boolean } | undefined;
  readonly isRequest: boolean;
  /** Its place among the ends of all spans. */
  readonly end: number;
  /** Its place among what is exported. */
  readonly arrival: number;
  /** Whether it is exported a second time, and where. */
  readonly again: number | undefined;
  /** Whether it never ends. */
  readonly isMissing: boolean;
}

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const forests = ({ missing }: { missing: boolean }) =>
  fc.array(
    fc.record<Seed>({
      parent: fc.option(place, { nil: undefined, freq: 6 }),
      isRemote: fc.constantFrom(false, false, false, true),
      upstream: fc.option(fc.record({ trace: fc.nat(2), isSampled: fc.boolean() }), { nil: undefined }),
      isRequest: fc.boolean(),
      end: place,
      arrival: place,
      again: fc.option(place, { nil: undefined }),
      isMissing: missing ? fc.constantFrom(false, false, false, true) : fc.constant(false),
    }),
    { minLength: 1, maxLength: 40 },
  );

const rates = fc.constantFrom(0, 0.5, 1);
const cuts = fc.array(place, { maxLength: 5 });

/** Which seed, and its span. */
type Played = [Seed, Span & ReadableSpan];

/** Lets the forest grow under a span processor of ours. */
async function play(seeds: readonly Seed[], tracesSampleRate: number) {
  const { client, sent } = createRig({ tracesSampleRate });
  const tracer = createTracer(new FaultlineSpanProcessor({ client }));
  const spans: Span[] = [];
  for (const seed of seeds) {
    const options = seed.isRequest
      ? { kind: SpanKind.SERVER, attributes: { 'http.request.method': 'GET', 'url.path': '/', 'http.route': '/:id' } }
      : { attributes: { number: spans.length } };
    spans.push(tracer.startSpan(`span ${spans.length}`, options, contextOf(seed, spans)));
  }
  const played = seeds.map((seed, i): Played => [seed, spans[i] as Span & ReadableSpan]);
  const ended = played.filter(([{ isMissing }]) => !isMissing);
  for (const [, span] of ended.toSorted(([a], [b]) => a.end - b.end)) span.end();
  await client.close();
  return { sent, ended };
}

function contextOf({ parent, isRemote, upstream }: Seed, spans: readonly Span[]) {
  const above = parent === undefined ? undefined : spans[Math.floor(parent * spans.length)];
  if (above) return isRemote ? below(remote(above.spanContext())) : trace.setSpan(ROOT_CONTEXT, above);
  return upstream ? below(upstreamContext(upstream)) : ROOT_CONTEXT;
}

function upstreamContext({ trace: number, isSampled }: NonNullable<Seed['upstream']>): SpanContext {
  return {
    traceId: `0af7651916cd43dd8448eb211c80319${number}`,
    spanId: 'b7ad6b7169203331',
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  };
}

/** Exports what has ended in its own order of arrival, some of it twice, in batches, with a flush after each where asked for. */
async function exportAll(ended: readonly Played[], splits: readonly number[], rig: ExportRig, isFlushed = false) {
  const arrivals = ended.flatMap(([{ arrival, again }, span]) =>
    again === undefined ? [[arrival, span] as const] : [[arrival, span] as const, [again, span] as const],
  );
  const spans = arrivals.toSorted(([a], [b]) => a - b).map(([, span]) => span);
  const bounds = [0, ...splits.toSorted((a, b) => a - b).map((one) => Math.floor(one * spans.length)), spans.length];
  for (let i = 1; i < bounds.length; i++) {
    rig.send(...spans.slice(bounds[i - 1], bounds[i]));
    if (isFlushed) await rig.exporter.forceFlush();
  }
  await rig.exporter.shutdown();
}

/** What a server sees of transactions, in an order of their own. */
function comparable(sent: readonly TransactionEvent[]) {
  const byId = (a: { span_id?: string }, b: { span_id?: string }) => (a.span_id! < b.span_id! ? -1 : 1);
  return sent
    .map(({ event_id: _, sdkProcessingMetadata, spans = [], ...event }) => ({
      ...event,
      span_id: event.contexts!.trace!.span_id,
      spans: spans.toSorted(byId),
      dsc: sdkProcessingMetadata!.dynamicSamplingContext,
      sampleRate: sdkProcessingMetadata!['sampleRate'],
    }))
    .toSorted(byId);
}

/** The first span, where it is to be the root of all others. */
const TOP = { parent: undefined, isMissing: false };

function expectAllCounted({ client, sent }: ExportRig, ended: readonly Played[]): void {
  const ids = spanIdsIn(sent);
  expect(new Set(ids).size).toBe(ids.length);
  const lost = ended.length - ids.length;
  expect({
    captured: 0,
    delivered: 0,
    discarded: 0,
    queued: 0,
    stored: 0,
    recovered: 0,
    ...client.ledger.balance().span,
  }).toEqual({
    captured: ended.length,
    delivered: ids.length,
    discarded: lost,
    queued: 0,
    stored: 0,
    recovered: 0,
  });
}

describe('finished spans in any order, in any batches, with duplicates', () => {
  it('become the transactions that the span processor makes of them', async () => {
    await fc.assert(
      fc.asyncProperty(forests({ missing: false }), rates, cuts, async (seeds, rate, splits) => {
        const { sent, ended } = await play(seeds, rate);
        const rig = createExportRig({ tracesSampleRate: rate });
        await exportAll(ended, splits, rig);
        expect(comparable(rig.sent)).toEqual(comparable(sent));
        expectAllCounted(rig, ended);
        await rig.client.close();
      }),
      { numRuns: 300 },
    );
  });

  it('become them also where spans between them never end, as long as there is one root in the trace', async () => {
    await fc.assert(
      fc.asyncProperty(forests({ missing: true }), cuts, async (seeds, splits) => {
        const oneTrace = seeds.map(
          (seed, i): Seed => ({ ...seed, isRemote: false, ...(i === 0 ? TOP : { parent: seed.parent ?? 0 }) }),
        );
        const { sent, ended } = await play(oneTrace, 1);
        const rig = createExportRig({ tracesSampleRate: 1 });
        await exportAll(ended, splits, rig);
        expect(comparable(rig.sent)).toEqual(comparable(sent));
        await rig.client.close();
      }),
      { numRuns: 300 },
    );
  });

  it('are all sent or counted, each once, whatever is missing and whenever there is a flush', async () => {
    await fc.assert(
      fc.asyncProperty(
        forests({ missing: true }),
        rates,
        cuts,
        fc.boolean(),
        async (seeds, rate, splits, isFlushed) => {
          const { ended } = await play(seeds, rate);
          const rig = createExportRig({ tracesSampleRate: rate });
          await exportAll(ended, splits, rig, isFlushed);
          expectAllCounted(rig, ended);
          await rig.client.close();
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are all sent without a rate', async () => {
    await fc.assert(
      fc.asyncProperty(forests({ missing: true }), cuts, async (seeds, splits) => {
        const { ended } = await play(seeds, 1);
        const rig = createExportRig();
        await exportAll(ended, splits, rig);
        expect(spanIdsIn(rig.sent).sort()).toEqual(ended.map(([, span]) => span.spanContext().spanId).sort());
        await rig.client.close();
      }),
      { numRuns: 100 },
    );
  });
});
