import { afterEach, expect, it } from 'vitest';
import { setupHonoErrorHandler } from '../../src/frameworks/hono.js';
import { recordEvents, reset } from '../../src/testing/testing.js';

afterEach(reset);

type Middleware = (context: object, next: () => Promise<void>) => Promise<void>;

it.each([
  ['has headers that cannot be iterated', { method: 'GET', url: '/', raw: { headers: { a: 1 } } }],
  ['cannot be read', undefined],
])('a request without a server that %s is handled', async (_, req) => {
  recordEvents();
  const middleware: Middleware[] = [];
  setupHonoErrorHandler({ use: (one: Middleware) => middleware.push(one), onError: () => undefined } as never);
  let isHandled = false;
  await middleware[0]!({ req }, async () => {
    isHandled = true;
  });
  expect(isHandled).toBe(true);
});
