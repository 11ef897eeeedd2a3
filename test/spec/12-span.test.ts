import { describe, expect, it } from 'vitest';
import { startInactiveSpan, startSpan } from '../../src/index.js';
import { SPAN_ID, send, sendTransaction, TRACE_ID } from './send.js';

describe('Span', () => {
  it('spanContext() has the traceId, 32 hex characters, that is sent', async () => {
    let traceId = '';
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'work' }, (span) => {
        ({ traceId } = span.spanContext());
      }),
    );
    expect(traceId).toMatch(TRACE_ID);
    expect(transaction.contexts.trace.trace_id).toBe(traceId);
  });

  it('spanContext() has the spanId, 16 hex characters, that is sent', async () => {
    let spanId = '';
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'work' }, (span) => {
        ({ spanId } = span.spanContext());
      }),
    );
    expect(spanId).toMatch(SPAN_ID);
    expect(transaction.contexts.trace.span_id).toBe(spanId);
  });

  it('spanContext() has traceFlags, 1 for a sampled span and 0 for another', async () => {
    const flagsOf = () => {
      const span = startInactiveSpan({ name: 'work' });
      span.end();
      return span.spanContext().traceFlags;
    };
    await send(() => expect(flagsOf()).toBe(1), { tracesSampleRate: 1 });
    await send(() => expect(flagsOf()).toBe(0), { tracesSampleRate: 0 });
  });
});
