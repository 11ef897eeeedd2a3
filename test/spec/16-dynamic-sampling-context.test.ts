import { describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  type DynamicSamplingContext,
  getDynamicSamplingContextFromSpan,
  startSpan,
} from '../../src/index.js';
import { send } from './send.js';

const OPTIONS: ClientOptions = { tracesSampleRate: 1, release: 'shop@1.4.0', environment: 'staging' };

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

  it('release is absent without the option, and environment is production', async () => {
    const { fromSpan } = await contextOf({ tracesSampleRate: 1 });
    expect(fromSpan).not.toHaveProperty('release');
    expect(fromSpan.environment).toBe('production');
  });
});
