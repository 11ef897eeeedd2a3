import { type Attributes, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  type Sampler,
  SamplingDecision,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resetProcessWide } from '../../src/context/process-wide.js';
import type { SamplingContext } from '../../src/index.js';
import type { Options } from '../../src/model/options.js';
import { FaultlineSampler } from '../../src/tracing/sampler.js';
import { FaultlineSpanProcessor } from '../../src/tracing/span-processor.js';
import { request, serve } from '../integrations/http/servers.js';
import { tell } from '../support/story.js';
import { createRig } from './export-rig.js';

const { NOT_RECORD, RECORD, RECORD_AND_SAMPLED } = SamplingDecision;
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const BESIDE: Options = { skipOpenTelemetrySetup: true };

afterEach(() => {
  diag.disable();
  // What has failed is reported once.
  resetProcessWide();
});

function sample(
  sampler: Sampler,
  { kind = SpanKind.INTERNAL, attributes = {} as Attributes, context = ROOT_CONTEXT } = {},
) {
  return sampler.shouldSample(context, TRACE_ID, 'name', kind, attributes, []).decision;
}

function clientWith(options: Options) {
  return createRig({ ...BESIDE, ...options }).client;
}

describe('the sampler', () => {
  it.each([
    ['without a client, nothing is recorded', () => new FaultlineSampler(), NOT_RECORD],
    ['with tracing off', () => new FaultlineSampler({ client: clientWith({}) }), NOT_RECORD],
    [
      'with a client that is not enabled',
      () => new FaultlineSampler({ client: clientWith({ enabled: false, tracesSampleRate: 1 }) }),
      NOT_RECORD,
    ],
    ['at a rate of 1', () => new FaultlineSampler({ client: clientWith({ tracesSampleRate: 1 }) }), RECORD_AND_SAMPLED],
    ['at a rate of 0', () => new FaultlineSampler({ client: clientWith({ tracesSampleRate: 0 }) }), NOT_RECORD],
    ['with the client in front', () => new FaultlineSampler(clientWith({ tracesSampleRate: 1 })), RECORD_AND_SAMPLED],
  ])('%s', (_, create, decision) => {
    expect(sample(create())).toBe(decision);
  });

  it.each([
    ['both want it', 1, new AlwaysOnSampler(), RECORD_AND_SAMPLED],
    ['only Faultline wants it: recorded, not sampled', 1, new AlwaysOffSampler(), RECORD],
    ['only the other one wants it', 0, new AlwaysOnSampler(), RECORD_AND_SAMPLED],
    ['nobody wants it', 0, new AlwaysOffSampler(), NOT_RECORD],
  ])('beside another sampler, %s', (_, tracesSampleRate, sampler, decision) => {
    const client = clientWith({ tracesSampleRate });
    expect(sample(new FaultlineSampler({ client, sampler }))).toBe(decision);
    expect(sample(new FaultlineSampler(client, { sampler }))).toBe(decision);
  });

  it('decides once about a root, also if a processor in front starts another root meanwhile', async () => {
    const names: string[] = [];
    await tell(
      {
        ...BESIDE,
        tracesSampler: ({ name }) => {
          names.push(name);
          return 0;
        },
      },
      ({ client }) => {
        const inFront: SpanProcessor = {
          onStart: ({ name }) => void (name === 'outer' && tracer.startSpan('inner').end()),
          onEnd: () => undefined,
          forceFlush: async () => undefined,
          shutdown: async () => undefined,
        };
        const tracer = new BasicTracerProvider({
          sampler: new FaultlineSampler({ client, sampler: new AlwaysOnSampler() }),
          spanProcessors: [inFront, new FaultlineSpanProcessor({ client })],
        }).getTracer('test');
        tracer.startSpan('outer').end();
      },
      ({ receiver }) => expect(receiver.discardedTotal('sample_rate', 'transaction')).toBe(2),
    );
    expect(names).toEqual(['outer', 'inner']);
  });

  it('hands on what the other sampler throws', () => {
    const sampler: Sampler = {
      shouldSample: () => {
        throw new Error('theirs');
      },
    };
    expect(() => sample(new FaultlineSampler({ client: clientWith({ tracesSampleRate: 1 }), sampler }))).toThrow(
      'theirs',
    );
  });

  it('counts each root that it drops, and no child', () => {
    const client = clientWith({ tracesSampleRate: 0 });
    const sampler = new FaultlineSampler({ client });
    sample(sampler);
    sample(sampler);
    const parent = { traceId: TRACE_ID, spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.NONE };
    sample(sampler, { context: trace.setSpanContext(ROOT_CONTEXT, parent) });
    expect(client.ledger.balance()).toMatchObject({
      transaction: { captured: 2, discarded: 2 },
      span: { discarded: 2 },
    });
  });

  it('says what it is made of', () => {
    expect(String(new FaultlineSampler())).toBe('FaultlineSampler');
    expect(String(new FaultlineSampler({ sampler: new AlwaysOnSampler() }))).toBe('FaultlineSampler{AlwaysOnSampler}');
  });
});

describe('tracesSampler', () => {
  it('gets the request under both of its names', async () => {
    const requests: unknown[] = [];
    const tracesSampler = ({ request, normalizedRequest }: SamplingContext) => {
      requests.push(request, normalizedRequest);
      return 1;
    };
    await tell({ tracesSampler }, async () => {
      const server = await serve((_, response) => response.end());
      await request(`${server.url}/cart`, { method: 'PUT' });
      await server.close();
    });
    const described = { method: 'PUT', url: expect.stringMatching(/\/cart$/) };
    // The first is asked for the span of the client.
    expect(requests.slice(-2)).toMatchObject([described, described]);
  });

  it.each([
    ['5', () => 5, 'returned 5, which is out of range'],
    ['-0.1', () => -0.1, 'returned -0.1, which is out of range'],
    ['NaN', () => Number.NaN, 'returned NaN, which is out of range'],
    ['nothing', () => undefined, 'returned undefined, which is neither a boolean nor a number'],
    ['a promise that rejects', () => Promise.reject(new Error('late')), 'must answer at once, but returned a promise'],
    [
      'an error',
      () => {
        throw new Error('of the sampler');
      },
      'threw: Error: of the sampler',
    ],
  ])('that makes %s drops the trace, and is logged once', (_, tracesSampler, problem) => {
    const error = vi.fn();
    const nothing = () => undefined;
    diag.setLogger({ error, warn: nothing, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.ERROR);
    const sampler = new FaultlineSampler({ client: clientWith({ tracesSampler: tracesSampler as never }) });
    for (let i = 0; i < 3; i++) expect(sample(sampler)).toBe(NOT_RECORD);
    const messages = error.mock.calls.map((call) => call.join(' ')).filter((text) => text.includes('tracesSampler'));
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(problem);
  });
});
