import { describe, expect, it } from 'vitest';
import { type ClientOptions, close, continueTrace, getTraceData, init, startSpan } from '../../src/index.js';
import fc from '../support/fast-check.js';
import { resetOpenTelemetry } from '../support/story.js';

interface Headers {
  sentryTrace?: string;
  baggage?: string;
}

interface Decision {
  readonly recording: boolean;
  readonly traceId: string;
  readonly headers: Headers;
}

/** One service of a chain: takes over the headers, starts its root span, and says what it decided and passes on. */
function serve(headers: Headers): Decision {
  return continueTrace(headers, () =>
    startSpan({ name: 'root' }, (span) => {
      const data = getTraceData();
      return {
        recording: span.isRecording(),
        traceId: span.spanContext().traceId,
        headers: { sentryTrace: data['sentry-trace'], baggage: data.baggage },
      };
    }),
  );
}

/** The decisions of services that are called one by the other, each with options of its own. */
async function chain(services: ClientOptions[], first: Headers = {}): Promise<Decision[]> {
  const decisions: Decision[] = [];
  let headers = first;
  for (const options of services) {
    init({ dsn: 'http://key@127.0.0.1:1/1', transport: () => sink, ...options });
    const decision = serve(headers);
    decisions.push(decision);
    headers = decision.headers;
    await close(1000);
    resetOpenTelemetry();
  }
  return decisions;
}

const sink = { send: async () => ({ statusCode: 200 }), flush: async () => true };
const rate = fc.double({ min: 0, max: 1, noNaN: true });
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

describe('services of one trace', () => {
  it('inherit the decision of the first service, whatever their own rates', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rate, { minLength: 2, maxLength: 4 }), async (rates) => {
        const decisions = await chain(rates.map((tracesSampleRate) => ({ tracesSampleRate })));
        expect(new Set(decisions.map(({ traceId }) => traceId)).size).toBe(1);
        expect(new Set(decisions.map(({ recording }) => recording)).size).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  it('use one random number if each has a sampler: a higher rate keeps all traces of a lower one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rate, { minLength: 2, maxLength: 4 }), async (rates) => {
        const decisions = await chain(rates.map((own) => ({ tracesSampler: () => own })));
        for (const [i, one] of decisions.entries()) {
          for (const [j, other] of decisions.entries()) {
            if (one.recording && rates[j] > rates[i]) expect(other.recording).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('inherit a decision that came with a rate but without a random number', async () => {
    const incoming = fc.record({ traceId: hex(32), spanId: hex(16), sampled: fc.boolean(), sampleRate: rate });
    await fc.assert(
      fc.asyncProperty(incoming, async ({ traceId, spanId, sampled, sampleRate }) => {
        fc.pre(/[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) && sampleRate > 1e-6 && sampleRate < 1);
        const first = {
          sentryTrace: `${traceId}-${spanId}-${Number(sampled)}`,
          baggage: `sentry-trace_id=${traceId},sentry-sample_rate=${sampleRate}`,
        };
        const again = ({ inheritOrSampleWith }: { inheritOrSampleWith(rate: number): number }) =>
          inheritOrSampleWith(0.5);
        const decisions = await chain([{ tracesSampler: again }, { tracesSampler: again }], first);
        expect(decisions.map(({ recording }) => recording)).toEqual([sampled, sampled]);
      }),
      {
        numRuns: 60,
        // Rounding would take its random number to 1.
        examples: [[{ traceId: '60aca210'.repeat(4), spanId: '0e'.repeat(8), sampled: false, sampleRate: 1 - 6e-16 }]],
      },
    );
  });
});
