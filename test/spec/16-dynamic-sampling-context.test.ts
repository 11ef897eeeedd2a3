import { trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  continueTrace,
  type DynamicSamplingContext,
  getDynamicSamplingContextFromSpan,
  startSpan,
} from '../../src/index.js';
import { send } from './send.js';

const OPTIONS: ClientOptions = { tracesSampleRate: 1, release: 'shop@1.4.0', environment: 'staging' };

const TRACE_ID = 'a'.repeat(32);

/** The context of a child span, and the one in the header of the envelope, if any. */
async function contextOf(options: ClientOptions = OPTIONS) {
  let fromSpan: DynamicSamplingContext = {};
  let traceId = '';
  const { envelopes } = await send(
    () =>
      startSpan({ name: 'root' }, (root) =>
        startSpan({ name: 'child' }, (child) => {
          ({ traceId } = root.spanContext());
          fromSpan = getDynamicSamplingContextFromSpan(child);
        }),
      ),
    options,
  );
  return { fromSpan, traceId, sent: envelopes.find(({ headers }) => headers.trace)?.headers.trace };
}

describe('Dynamic sampling context', () => {
  it('trace_id is that of the span', async () => {
    const { fromSpan, sent, traceId } = await contextOf();
    expect([fromSpan.trace_id, sent?.trace_id]).toEqual([traceId, traceId]);
  });

  it.each<[title: string, member: string, value: string]>([
    ['sample_rate is the rate that decided', 'sample_rate', '1'],
    ['sampled is the decision', 'sampled', 'true'],
    ['release is that of the options', 'release', 'shop@1.4.0'],
    ['environment is that of the options', 'environment', 'staging'],
  ])('%s', async (_, member, value) => {
    const { fromSpan, sent } = await contextOf();
    expect([fromSpan[member], sent?.[member]]).toEqual([value, value]);
  });

  it('sampled and sample_rate tell of a span that was not sampled, too', async () => {
    const { fromSpan, sent } = await contextOf({ ...OPTIONS, tracesSampleRate: 0 });
    expect(fromSpan).toMatchObject({ sampled: 'false', sample_rate: '0' });
    expect(sent).toBeUndefined();
  });

  it('sampled is the flag of a span from elsewhere', async () => {
    const contexts = [0, 1].map((traceFlags) => ({
      traceId: TRACE_ID,
      spanId: 'b'.repeat(16),
      traceFlags,
      isRemote: true,
    }));
    await send(() => {
      continueTrace({ sentryTrace: `${TRACE_ID}-${'c'.repeat(16)}-0` }, () =>
        startSpan({ name: 'other' }, () => undefined),
      );
      const [no, yes] = contexts.map((one) => getDynamicSamplingContextFromSpan(trace.wrapSpanContext(one)));
      expect(no).toMatchObject({ trace_id: TRACE_ID, release: 'shop@1.4.0', sampled: 'false' });
      expect(yes).toMatchObject({ trace_id: TRACE_ID, release: 'shop@1.4.0', sampled: 'true' });
      expect(yes).not.toHaveProperty('sample_rate');
    }, OPTIONS);
  });

  it('release is absent without the option, and environment is production', async () => {
    const { fromSpan } = await contextOf({ tracesSampleRate: 1 });
    expect(fromSpan).not.toHaveProperty('release');
    expect(fromSpan.environment).toBe('production');
  });
});
