import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { type ClientOptions, type SpanJSON, startSpan } from '../../src/index.js';
import { tell } from '../support/story.js';

function run(): void {
  startSpan({ name: 'root', op: 'task' }, () =>
    startSpan({ name: 'cache get', op: 'cache.get', attributes: { key: 'a' } }, () =>
      startSpan({ name: 'inner', op: 'db' }, () => startSpan({ name: 'leaf' }, () => undefined)),
    ),
  );
}

const all = { tracesSampleRate: 1 };

describe('ignoreSpans', () => {
  it.each<[string, ClientOptions['ignoreSpans']]>([
    ['a text in its name', ['cache']],
    ['a pattern', [/^cache get$/g]],
    ['its op', [{ op: 'cache.get' }]],
    ['its attributes', [{ attributes: { key: 'a' } }]],
    ['a pattern of another realm', [runInNewContext('/^cache get$/')]],
    ['its attributes, by a pattern of another realm', [{ attributes: { key: runInNewContext('/a/') } }]],
    ['all of them', [{ name: /get/, op: /^cache/, attributes: { key: /a/ } }]],
  ])('takes out a span by %s; its children move up', async (_, ignoreSpans) => {
    await tell({ ...all, ignoreSpans }, run, ({ receiver }) => {
      const [{ spans, contexts }] = receiver.transactions;
      expect(spans.map(({ description }) => description).sort()).toEqual(['inner', 'leaf']);
      expect(spans.find(({ description }) => description === 'inner')?.parent_span_id).toBe(contexts.trace.span_id);
      expect(receiver.discards()).toEqual([{ reason: 'before_send', category: 'span', quantity: 1 }]);
    });
  });

  it.each<[string, ClientOptions['ignoreSpans']]>([
    ['another op', [{ name: 'cache get', op: 'db' }]],
    ['another attribute', [{ attributes: { key: 'b' } }]],
    ['nothing at all', [{}]],
  ])('keeps a span that the matcher describes with %s', async (_, ignoreSpans) => {
    await tell({ ...all, ignoreSpans }, run, ({ receiver }) => expect(receiver.transactions[0].spans).toHaveLength(3));
  });

  it('moves children over several spans that go', async () => {
    await tell({ ...all, ignoreSpans: ['cache', 'inner'] }, run, ({ receiver }) => {
      const [{ spans, contexts }] = receiver.transactions;
      expect(spans).toHaveLength(1);
      expect(spans[0].parent_span_id).toBe(contexts.trace.span_id);
    });
  });

  it('drops the transaction of a matching root', async () => {
    await tell({ ...all, ignoreSpans: [{ op: 'task' }] }, run, ({ receiver }) => {
      expect(receiver.transactions).toEqual([]);
      expect(receiver.discards()).toContainEqual({ reason: 'before_send', category: 'span', quantity: 4 });
    });
  });
});

describe('beforeSendSpan', () => {
  it('may change every span, the root included', async () => {
    const beforeSendSpan = (span: SpanJSON) => ({ ...span, description: span.description?.toUpperCase() });
    await tell({ ...all, beforeSendSpan }, run, ({ receiver }) => {
      const [{ spans, transaction }] = receiver.transactions;
      expect(transaction).toBe('ROOT');
      expect(spans.map(({ description }) => description).sort()).toEqual(['CACHE GET', 'INNER', 'LEAF']);
    });
  });

  it('keeps a span for which it returns null', async () => {
    await tell({ ...all, beforeSendSpan: (() => null) as never }, run, ({ receiver }) =>
      expect(receiver.transactions[0].spans).toHaveLength(3),
    );
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['returns nonsense', () => 1],
    ['returns a promise', async (span: SpanJSON) => span],
  ])('loses the spans for which it %s, and they are counted', async (_, fail) => {
    const beforeSendSpan = vi.fn((span: SpanJSON) => (span.description === 'inner' ? fail(span) : span));
    await tell({ ...all, beforeSendSpan: beforeSendSpan as never }, run, ({ receiver }) => {
      const [{ spans }] = receiver.transactions;
      const parent = spans.find(({ description }) => description === 'cache get');
      expect(spans.find(({ description }) => description === 'leaf')?.parent_span_id).toBe(parent?.span_id);
      expect(spans).toHaveLength(2);
      expect(receiver.discards()).toEqual([{ reason: 'before_send', category: 'span', quantity: 1 }]);
    });
  });
});
