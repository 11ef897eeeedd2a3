import { describe, expect, it } from 'vitest';
import { type Span, type SpanTimeInput, startInactiveSpan, startSpan } from '../../src/index.js';
import { SPAN_ID, send, sendTransaction, TRACE_ID } from './send.js';

/** The transaction of a root span to which something is done, with a child to which the same is done. */
function sendBoth(change: (span: Span) => unknown) {
  return sendTransaction(() =>
    startSpan({ name: 'root' }, (root) => {
      change(root);
      startSpan({ name: 'child' }, (child) => void change(child));
    }),
  );
}

describe('Span methods', () => {
  it('spanContext() returns traceId, spanId and traceFlags', async () => {
    const contexts: ReturnType<Span['spanContext']>[] = [];
    const transaction = await sendBoth((span) => contexts.push(span.spanContext()));
    const [root, child] = contexts;
    expect(root).toMatchObject({
      traceId: expect.stringMatching(TRACE_ID),
      spanId: expect.stringMatching(SPAN_ID),
      traceFlags: 1,
    });
    expect(transaction.contexts.trace).toMatchObject({ trace_id: root?.traceId, span_id: root?.spanId });
    expect(transaction.spans[0]).toMatchObject({ trace_id: root?.traceId, span_id: child?.spanId });
  });

  it.each<[title: string, endTimestamp: SpanTimeInput]>([
    ['end(endTimestamp) takes a Date', new Date(1_700_000_001_500)],
    ['end(endTimestamp) takes seconds', 1_700_000_001.5],
    ['end(endTimestamp) takes milliseconds', 1_700_000_001_500],
    ['end(endTimestamp) takes seconds and nanoseconds', [1_700_000_001, 500_000_000]],
  ])('%s', async (_, endTimestamp) => {
    const transaction = await sendTransaction(() => {
      const span = startInactiveSpan({ name: 'work', startTime: 1_700_000_000 });
      expect(span.end(endTimestamp)).toBeUndefined();
    });
    expect(transaction.timestamp).toBe(1_700_000_001.5);
  });

  it('end() takes the current time', async () => {
    const before = Date.now() / 1000;
    const transaction = await sendTransaction(() => startInactiveSpan({ name: 'work' }).end());
    expect(transaction.timestamp).toBeGreaterThanOrEqual(before - 0.005);
    expect(transaction.timestamp).toBeLessThanOrEqual(Date.now() / 1000 + 0.005);
  });

  it('setAttribute(key, value) sets an attribute, and returns the span', async () => {
    const transaction = await sendBoth((span) =>
      expect(span.setAttribute('rows', 3).setAttribute('rows', 4)).toBe(span),
    );
    expect([transaction.contexts.trace.data?.['rows'], transaction.spans[0]?.data['rows']]).toEqual([4, 4]);
  });

  it('setAttribute(key, undefined) is allowed, and leaves the attribute without a value', async () => {
    const transaction = await sendBoth((span) => {
      expect(span.setAttribute('rows', undefined)).toBe(span);
      span.setAttributes({ set: 1, kept: 1 }).setAttribute('set', undefined);
    });
    for (const data of [transaction.contexts.trace.data, transaction.spans[0]?.data]) {
      expect(data).toMatchObject({ kept: 1 });
      expect(data).not.toHaveProperty('rows');
      expect(data).not.toHaveProperty('set');
    }
  });

  it('what setAttribute(key, undefined) has removed does not count for the limit of attributes', async () => {
    const transaction = await sendBoth((span) => {
      for (let i = 0; i < 1000; i++) span.setAttribute('passing', i).setAttribute('passing', undefined);
      for (let i = 0; i < 1000; i++) span.setAttribute('never set', undefined);
      span.setAttribute('rows', 1);
      for (let i = 0; i < 1000; i++) span.setAttribute(`many ${i}`, i);
    });
    for (const data of [transaction.contexts.trace.data, transaction.spans[0]?.data]) {
      expect(data).toMatchObject({ rows: 1 });
      expect(data).not.toHaveProperty('passing');
      expect(data).not.toHaveProperty(['many 500']);
    }
  });

  it('setAttributes(attributes) takes undefined for a value as well', async () => {
    const transaction = await sendBoth((span) => span.setAttributes({ a: 1, b: 1 }).setAttributes({ a: undefined }));
    for (const data of [transaction.contexts.trace.data, transaction.spans[0]?.data]) {
      expect(data).toMatchObject({ b: 1 });
      expect(data).not.toHaveProperty('a');
    }
  });

  it('setAttributes(attributes) sets many, beside those that are there, and returns the span', async () => {
    const transaction = await sendBoth((span) =>
      expect(span.setAttributes({ a: 1, b: 1 }).setAttributes({ b: 2, c: ['x'] })).toBe(span),
    );
    for (const data of [transaction.contexts.trace.data, transaction.spans[0]?.data]) {
      expect(data).toMatchObject({ a: 1, b: 2, c: ['x'] });
    }
  });

  it.each<[title: string, status: { code: 0 | 1 | 2; message?: string }, sent: string]>([
    ['setStatus(status) takes code 0, and returns the span', { code: 0 }, 'ok'],
    ['setStatus(status) takes code 1, and returns the span', { code: 1 }, 'ok'],
    ['setStatus(status) takes code 2, and returns the span', { code: 2 }, 'internal_error'],
    [
      'setStatus(status) takes a message, and returns the span',
      { code: 2, message: 'permission_denied' },
      'permission_denied',
    ],
  ])('%s', async (_, status, sent) => {
    const transaction = await sendBoth((span) => expect(span.setStatus(status)).toBe(span));
    expect([transaction.contexts.trace.status, transaction.spans[0]?.status]).toEqual([sent, sent]);
  });

  it('updateName(name) renames the span, and returns it', async () => {
    const transaction = await sendBoth((span) => expect(span.updateName('renamed')).toBe(span));
    expect([transaction.transaction, transaction.spans[0]?.description]).toEqual(['renamed', 'renamed']);
  });

  it('isRecording() returns whether the span records', async () => {
    const recording = () => startSpan({ name: 'work' }, (span) => [span.isRecording(), span] as const);
    const expectRecording = (expected: boolean) => () => {
      const [during, span] = recording();
      expect([during, span.isRecording()]).toEqual([expected, false]);
    };
    expect((await send(expectRecording(true), { tracesSampleRate: 1 })).transactions).toHaveLength(1);
    expect((await send(expectRecording(false), { tracesSampleRate: 0 })).transactions).toHaveLength(0);
    expect((await send(expectRecording(false))).transactions).toHaveLength(0);
  });
});
