import { describe, expect, it } from 'vitest';
import {
  captureMessage,
  getActiveSpan,
  getCurrentScope,
  Scope,
  type SpanTimeInput,
  startInactiveSpan,
  startSpan,
  startSpanManual,
} from '../../src/index.js';
import type { ReceivedTransaction } from '../support/receiver.js';
import { send, sendTransaction } from './send.js';

/** Names of the spans of a transaction with those of their parents. */
function parentsIn({ transaction, contexts, spans }: ReceivedTransaction): Record<string, string | undefined> {
  const names = new Map([
    [contexts.trace.span_id, transaction],
    ...spans.map((one) => [one.span_id, one.description] as const),
  ]);
  return Object.fromEntries(spans.map((one) => [one.description, names.get(one.parent_span_id ?? '')]));
}

describe('Span creation', () => {
  it('startSpan(options, callback) returns the result of the callback', async () => {
    await sendTransaction(() => {
      const result = {};
      expect(startSpan({ name: 'work' }, () => result)).toBe(result);
    });
  });

  it('startSpan(options, callback) returns a promise when the callback does', async () => {
    await sendTransaction(async () => {
      const pending = startSpan({ name: 'work' }, async () => 7);
      expect(pending).toBeInstanceOf(Promise);
      expect(await pending).toBe(7);
    });
  });

  it('startSpan(options, callback) ends the span when the callback completes', async () => {
    const { transactions } = await send(
      async ({ client, receiver }) => {
        startSpan({ name: 'sync' }, () => undefined);
        await startSpan({ name: 'async' }, async () => {
          await client.flush();
          expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual(['sync']);
        });
      },
      { tracesSampleRate: 1 },
    );
    expect(transactions.map(({ transaction }) => transaction)).toEqual(['sync', 'async']);
  });

  it('startSpan(options, callback) makes children of nested spans', async () => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'root' }, async () => {
        await startSpan({ name: 'a' }, async () => {
          await new Promise((resolve) => setImmediate(resolve));
          startSpan({ name: 'b' }, () => undefined);
        });
        startSpan({ name: 'c' }, () => undefined);
      }),
    );
    expect(transaction.transaction).toBe('root');
    expect(parentsIn(transaction)).toEqual({ a: 'root', b: 'a', c: 'root' });
  });

  it('startInactiveSpan(options) returns a span that is not the active parent, and that the caller ends', async () => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'root' }, (root) => {
        const span = startInactiveSpan({ name: 'inactive' });
        expect(getActiveSpan()).toBe(root);
        startSpan({ name: 'other' }, () => undefined);
        expect(span.isRecording()).toBe(true);
        span.end();
      }),
    );
    expect(parentsIn(transaction)).toEqual({ inactive: 'root', other: 'root' });
  });

  it('startSpanManual(options, callback) returns the result of the callback, and the caller calls finish', async () => {
    const transaction = await sendTransaction(async () => {
      const finish = startSpanManual({ name: 'manual' }, (span, done) => {
        expect(getActiveSpan()).toBe(span);
        startSpan({ name: 'child' }, () => undefined);
        return done;
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      finish();
    });
    expect(transaction.transaction).toBe('manual');
    expect(parentsIn(transaction)).toEqual({ child: 'manual' });
    expect(transaction.timestamp - transaction.start_timestamp).toBeGreaterThan(0.015);
  });

  it('name, required, is the description of the span', async () => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'nightly report' }, () => startSpan({ name: 'load orders' }, () => undefined)),
    );
    expect(transaction.transaction).toBe('nightly report');
    expect(transaction.spans[0]?.description).toBe('load orders');
  });

  it('op is the operation, for example http.client or db.query', async () => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'a', op: 'task' }, () => {
        startSpan({ name: 'b', op: 'db.query' }, () => undefined);
        startInactiveSpan({ name: 'c', op: 'http.client' }).end();
        startSpanManual({ name: 'd', op: 'cache.get' }, (_, finish) => finish());
        startSpan({ name: 'e' }, () => undefined);
      }),
    );
    expect(transaction.contexts.trace.op).toBe('task');
    expect(Object.fromEntries(transaction.spans.map((span) => [span.description, span.op]))).toEqual({
      b: 'db.query',
      c: 'http.client',
      d: 'cache.get',
      e: undefined,
    });
  });

  it('attributes are SpanAttributes', async () => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'a', attributes: { rows: 3 } }, () =>
        startSpan({ name: 'b', attributes: { tables: ['x', 'y'], cold: false } }, () => undefined),
      ),
    );
    expect(transaction.contexts.trace.data).toMatchObject({ rows: 3 });
    expect(transaction.spans[0]?.data).toMatchObject({ tables: ['x', 'y'], cold: false });
  });

  it.each<[title: string, startTime: SpanTimeInput]>([
    ['startTime may be a Date', new Date(1_700_000_000_250)],
    ['startTime may be seconds', 1_700_000_000.25],
    ['startTime may be milliseconds', 1_700_000_000_250],
    ['startTime may be seconds and nanoseconds', [1_700_000_000, 250_000_000]],
  ])('%s', async (_, startTime) => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'a', startTime }, () => startInactiveSpan({ name: 'b', startTime }).end()),
    );
    expect([transaction.start_timestamp, transaction.spans[0]?.start_timestamp]).toEqual(
      Array(2).fill(1_700_000_000.25),
    );
  });

  it('scope is the scope that the span and its callback run in', async () => {
    const scope = new Scope().setTag('given', 'true');
    const { events, transactions } = await send(
      () =>
        startSpan({ name: 'work', scope }, () => {
          expect(getCurrentScope()).toBe(scope);
          captureMessage('m');
        }),
      { tracesSampleRate: 1 },
    );
    expect([events[0]?.tags, transactions[0]?.tags]).toEqual([{ given: 'true' }, { given: 'true' }]);
  });

  it('parentSpan is the parent in place of the active span', async () => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'root' }, () => {
        const parentSpan = startInactiveSpan({ name: 'parent' });
        startSpan({ name: 'active' }, () => {
          startSpan({ name: 'a', parentSpan }, () => undefined);
          startInactiveSpan({ name: 'b', parentSpan }).end();
          startSpanManual({ name: 'c', parentSpan }, (_, finish) => finish());
        });
        parentSpan.end();
      }),
    );
    expect(parentsIn(transaction)).toMatchObject({
      parent: 'root',
      active: 'root',
      a: 'parent',
      b: 'parent',
      c: 'parent',
    });
  });

  it('onlyIfParent creates the span only when a parent exists', async () => {
    const onlyIfParent = true;
    const transaction = await sendTransaction(() => {
      expect(startSpan({ name: 'a', onlyIfParent }, (span) => span.isRecording())).toBe(false);
      startInactiveSpan({ name: 'b', onlyIfParent }).end();
      startSpanManual({ name: 'c', onlyIfParent }, (_, finish) => finish());
      startSpan({ name: 'root' }, () => {
        startSpan({ name: 'd', onlyIfParent }, () => undefined);
        startInactiveSpan({ name: 'e', onlyIfParent }).end();
      });
    });
    expect(transaction.transaction).toBe('root');
    expect(parentsIn(transaction)).toEqual({ d: 'root', e: 'root' });
  });
});
