import { describe, expect, it } from 'vitest';
import { captureEvent, type SpanJSON, spanToJSON, startInactiveSpan, startSpan } from '../../src/index.js';
import { SPAN_ID, sendTransaction, TRACE_ID, UPSTREAM } from './send.js';

const START = 1_700_000_000.25;
const END = 1_700_000_001.5;

/** The child of a transaction, as it arrives beside its root. */
async function sendChild(): Promise<{ child: SpanJSON; root: { trace_id: string; span_id: string } }> {
  const transaction = await sendTransaction(() =>
    startSpan({ name: 'root', startTime: START - 1 }, () => {
      const span = startInactiveSpan({
        name: 'SELECT orders',
        op: 'db.query',
        attributes: { rows: 3, 'svc.origin': 'auto.db.pg' },
        startTime: START,
      });
      span.setStatus({ code: 2, message: 'not_found' });
      span.end(END);
    }),
  );
  expect(transaction.spans).toHaveLength(1);
  return { child: transaction.spans[0]!, root: transaction.contexts.trace };
}

/** A span of an event made by hand, as it arrives. */
async function sendGiven(more: Partial<SpanJSON>): Promise<SpanJSON | undefined> {
  const ids = { trace_id: UPSTREAM.traceId, span_id: UPSTREAM.spanId };
  const span = { ...ids, start_timestamp: START, timestamp: END, data: {}, ...more };
  const transaction = await sendTransaction(() =>
    captureEvent({
      type: 'transaction',
      transaction: 'by hand',
      start_timestamp: START,
      timestamp: END,
      contexts: { trace: { ...ids, span_id: 'c7ad6b7169203331' } },
      spans: [span],
    }),
  );
  return transaction.spans[0];
}

describe('SpanJSON', () => {
  it('data, required, are the attributes', async () => {
    expect((await sendChild()).child.data).toMatchObject({ rows: 3, 'svc.op': 'db.query' });
    const bare = await sendTransaction(() =>
      startSpan({ name: 'root' }, () => startSpan({ name: 'child' }, () => undefined)),
    );
    expect(bare.spans[0]?.data).toEqual(expect.any(Object));
  });

  it.each<[title: string, sent: Partial<SpanJSON>]>([
    ['description is the name', { description: 'SELECT orders' }],
    ['op is the operation', { op: 'db.query' }],
    ['start_timestamp, required, is in seconds', { start_timestamp: START }],
    ['status is a string', { status: 'not_found' }],
    ['timestamp is the end, in seconds', { timestamp: END }],
    ['origin is the SpanOrigin', { origin: 'auto.db.pg' }],
  ])('%s', async (_, sent) => {
    expect((await sendChild()).child).toMatchObject(sent);
  });

  it('parent_span_id is the span_id of the parent', async () => {
    const { child, root } = await sendChild();
    expect(child.parent_span_id).toBe(root.span_id);
  });

  it('span_id, required, is the span’s own', async () => {
    const { child, root } = await sendChild();
    expect(child.span_id).toMatch(SPAN_ID);
    expect(child.span_id).not.toBe(root.span_id);
  });

  it('trace_id, required, is that of the root', async () => {
    const { child, root } = await sendChild();
    expect(child.trace_id).toMatch(TRACE_ID);
    expect(child.trace_id).toBe(root.trace_id);
  });

  it('timestamp is absent while the span runs', async () => {
    await sendTransaction(() => {
      const span = startInactiveSpan({ name: 'work', startTime: START });
      expect(spanToJSON(span)).toMatchObject({ description: 'work', start_timestamp: START });
      expect(spanToJSON(span).timestamp).toBeUndefined();
      span.end(END);
      expect(spanToJSON(span).timestamp).toBe(END);
    });
  });

  it.each<[title: string, more: Partial<SpanJSON>]>([
    ['profile_id is a string', { profile_id: 'abcdef0123456789abcdef0123456789' }],
    ['exclusive_time is a number', { exclusive_time: 12.5 }],
    ['measurements map names to values with units', { measurements: { ttfb: { value: 1, unit: 'millisecond' } } }],
    ['is_segment is a boolean', { is_segment: true }],
    ['segment_id is a string', { segment_id: 'b7ad6b7169203331' }],
  ])('%s', async (_, more) => {
    expect(await sendGiven(more)).toMatchObject(more);
  });
});
