import { afterEach, expect, it } from 'vitest';
import { trpcMiddleware } from '../../src/sentry/sentry.js';
import { recordEvents, reset } from '../../src/testing/testing.js';

afterEach(reset);

it('makes a span of each procedure', async () => {
  const sent = recordEvents();
  const result = { ok: true, data: 3 };
  const call = { path: 'orders.get', type: 'query', next: () => Promise.resolve(result) };
  expect(await trpcMiddleware()(call)).toBe(result);
  const { transaction, contexts } = await sent.next('transaction');
  expect({ transaction, op: contexts?.trace?.op }).toEqual({ transaction: 'trpc/orders.get', op: 'rpc.server' });
  expect(sent.errors).toEqual([]);
});

it('captures the error that tRPC would answer, with the input if wanted', async () => {
  const sent = recordEvents();
  const result = { ok: false, error: new Error('out of stock') };
  const call = {
    path: 'orders.add',
    type: 'mutation',
    next: () => Promise.resolve(result),
    getRawInput: () => Promise.resolve({ article: 7 }),
  };
  expect(await trpcMiddleware({ attachRpcInput: true })(call)).toBe(result);
  expect(await sent.next('error', 'out of stock')).toMatchObject({
    contexts: { trpc: { procedure_path: 'orders.add', procedure_type: 'mutation', input: { article: 7 } } },
    exception: { values: [{ mechanism: { type: 'auto.rpc.trpc.middleware', handled: false } }] },
  });
  expect((await sent.next('transaction')).contexts?.trace?.status).toBe('internal_error');
});

it('captures what the next step throws, once, and throws it on', async () => {
  const sent = recordEvents();
  const error = new Error('broken');
  await expect(trpcMiddleware()({ path: 'a', type: 'query', next: () => Promise.reject(error) })).rejects.toBe(error);
  await sent.next('transaction');
  expect(sent.errors).toHaveLength(1);
});
