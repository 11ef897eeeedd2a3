import type { Span } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { getActiveSpan, spanToJSON, startInactiveSpan, startSpan, startSpanManual } from '../../src/index.js';
import { sendTransaction } from './send.js';

/** Whether a span has ended: it records no more, and has an end. */
function hasEnded(span: Span): boolean {
  const ended = spanToJSON(span).timestamp !== undefined;
  expect(span.isRecording()).toBe(!ended);
  return ended;
}

describe('States and transitions', () => {
  it('an active span ends when the callback of startSpan returns', async () => {
    await sendTransaction(() => {
      const span = startSpan({ name: 'work' }, (active) => {
        expect(hasEnded(active)).toBe(false);
        return active;
      });
      expect(hasEnded(span)).toBe(true);
    });
  });

  it('an active span ends when the promise of the callback settles, and not before', async () => {
    await sendTransaction(async () => {
      let finish = () => {};
      let span: Span | undefined;
      const done = startSpan({ name: 'work' }, (active) => {
        span = active;
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(hasEnded(span!)).toBe(false);
      finish();
      await done;
      expect(hasEnded(span!)).toBe(true);
    });
  });

  it('an active span ends when the callback of startSpan throws or rejects', async () => {
    for (const fail of [
      () => {
        throw new Error('no');
      },
      () => Promise.reject(new Error('no')),
    ]) {
      await sendTransaction(async () => {
        let span: Span | undefined;
        const run = async () =>
          startSpan({ name: 'work' }, (active) => {
            span = active;
            return fail();
          });
        await expect(run()).rejects.toThrow('no');
        expect(hasEnded(span!)).toBe(true);
      });
    }
  });

  it('end(endTimestamp) ends an active span at that time', async () => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'work', startTime: 1_700_000_000 }, (span) => {
        span.end(1_700_000_002.5);
        expect(hasEnded(span)).toBe(true);
      }),
    );
    expect(transaction).toMatchObject({ start_timestamp: 1_700_000_000, timestamp: 1_700_000_002.5 });
  });

  it('end() ends an active span now', async () => {
    let endedAt = 0;
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'work' }, async (span) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        span.end();
        endedAt = Date.now() / 1000;
        expect(hasEnded(span)).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }),
    );
    expect(transaction.timestamp - transaction.start_timestamp).toBeGreaterThan(0.015);
    // OpenTelemetry's clock and `Date` differ by some milliseconds.
    expect(transaction.timestamp).toBeLessThan(endedAt + 0.02);
  });

  it('a span of startSpanManual ends when the caller invokes finish, not when the callback completes', async () => {
    await sendTransaction(async () => {
      const { span, finish } = await startSpanManual({ name: 'work' }, async (active, done) => ({
        span: active,
        finish: done,
      }));
      expect(hasEnded(span)).toBe(false);
      finish();
      expect(hasEnded(span)).toBe(true);
    });
  });

  it('an inactive span ends when the caller invokes end()', async () => {
    await sendTransaction(async () => {
      const span = startInactiveSpan({ name: 'work' });
      await new Promise((resolve) => setImmediate(resolve));
      expect(hasEnded(span)).toBe(false);
      span.end();
      expect(hasEnded(span)).toBe(true);
    });
  });

  it('an inactive span never becomes the active parent on its own', async () => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'root' }, (root) => {
        const inactive = startInactiveSpan({ name: 'inactive' });
        expect(getActiveSpan()).toBe(root);
        startSpan({ name: 'sibling' }, () => undefined);
        inactive.end();
      }),
    );
    const rootId = transaction.contexts.trace.span_id;
    expect(transaction.spans.map((span) => [span.description, span.parent_span_id]).sort()).toEqual([
      ['inactive', rootId],
      ['sibling', rootId],
    ]);
  });

  it.each<[title: string, codes: (1 | 2)[], status: string]>([
    ['setStatus moves a span from unset to OK', [1], 'ok'],
    ['setStatus moves a span from unset to error', [2], 'not_found'],
    ['setStatus moves a span from OK to error', [1, 2], 'not_found'],
  ])('%s', async (_, codes, status) => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'root' }, (root) =>
        startSpan({ name: 'child' }, (child) => {
          for (const span of [root, child]) {
            expect(spanToJSON(span).status).toBeUndefined();
            for (const code of codes) span.setStatus(code === 2 ? { code, message: 'not_found' } : { code });
            expect(spanToJSON(span).status).toBe(status);
          }
        }),
      ),
    );
    expect([transaction.contexts.trace.status, transaction.spans[0]?.status]).toEqual([status, status]);
  });
});
