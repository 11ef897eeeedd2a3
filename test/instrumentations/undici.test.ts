import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { getIsolationScope, init, startNewTrace, startSpan, withIsolationScope } from '../../src/index.js';
import { serve } from '../integrations/http/servers.js';

const { request } = createRequire(import.meta.url)('undici') as {
  request(url: string): Promise<{ body: { text(): Promise<string>; dump(): Promise<void> } }>;
};

/** Of OTel's `SpanKind`. */
const SERVER = 1;
const CLIENT = 2;

/** What the test reads of OTel's `ReadableSpan`. The API beside this file is another copy than the one that `init` uses. */
interface EndedSpan {
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly parentSpanContext?: { readonly spanId: string };
  spanContext(): { readonly spanId: string };
}

it('each request of the undici package has one CLIENT span and one SERVER span', async () => {
  const ended: EndedSpan[] = [];
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    transport: () => ({ send: async () => ({}), flush: async () => true }),
    tracesSampleRate: 1,
  });
  client.on('spanEnd', (span) => ended.push(span as unknown as EndedSpan));
  const { url, close } = await serve((_, response) => response.end('answer'));
  await startSpan({ name: 'job' }, async () => {
    await (await request(`${url}/read`)).body.text();
    await (await request(`${url}/dumped`)).body.dump();
  });
  await close();
  await client.close(1000);
  const ofKind = (kind: number) => ended.filter((span) => span.kind === kind);
  expect(ofKind(CLIENT).map(({ attributes }) => attributes['url.full'])).toEqual([`${url}/read`, `${url}/dumped`]);
  expect(ofKind(SERVER).map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
    ofKind(CLIENT).map((span) => span.spanContext().spanId),
  );
});

interface Pool {
  request(options: { path: string; method: string; origin?: string }): Promise<{ body: { text(): Promise<string> } }>;
  close(): Promise<void>;
}

const SEND = {
  request: async (pool: Pool, _url: string, path: string) => (await pool.request({ path, method: 'GET' })).body.text(),
  fetch: async (dispatcher: Pool, url: string, path: string) =>
    (await fetch(url + path, { dispatcher } as unknown as RequestInit)).text(),
};

// For `fetch`, nothing of the caller can be found once a request has waited.
it.each([
  ['undici5', 'request', 6],
  ['undici6', 'request', 6],
  ['undici', 'request', 6],
  ['undici6', 'fetch', 1],
  ['undici', 'fetch', 1],
] as const)('requests that wait in a pool are part of no other request: %s, %s', async (version, method, known) => {
  const { Pool } = createRequire(import.meta.url)(version) as {
    Pool: new (origin: string, options: { connections: number }) => Pool;
  };
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    transport: () => ({ send: async () => ({}), flush: async () => true }),
    tracesSampleRate: 1,
  });
  const received = new Map<string, string | undefined>();
  const server = await serve((incoming, response) => {
    received.set(incoming.url!, String(incoming.headers['sentry-trace'] ?? '').split('-')[0]);
    setTimeout(() => response.end('answer'), 2);
  });
  const pool = new Pool(server.url, { connections: 1 });
  const callers = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      withIsolationScope(() =>
        startNewTrace(() =>
          startSpan({ name: 'job' }, async (span) => {
            getIsolationScope().clear();
            await SEND[method](pool, server.url, `/${i}`);
            const urls = getIsolationScope()
              .getScopeData()
              .breadcrumbs.map(({ data }) => data?.['url']);
            return { path: `/${i}`, traceId: span.spanContext().traceId, urls };
          }),
        ),
      ),
    ),
  );
  await pool.close();
  await server.close();
  await client.close(1000);
  const own = callers.filter(({ path, traceId }) => received.get(path) === traceId);
  expect(own.length).toBe(known);
  for (const caller of callers) {
    expect(received.get(caller.path)).toBe(own.includes(caller) ? caller.traceId : '');
    expect(caller.urls).toEqual(own.includes(caller) ? [server.url + caller.path] : []);
  }
});

// The second request is made in the context of the connection, or of a timer that its response has started.
it.each([
  ['undici6', 'redirect'],
  ['undici6', 'retry'],
  ['undici', 'redirect'],
  ['undici', 'retry'],
] as const)('what undici sends once more is part of no other request: %s, %s', async (version, kind) => {
  const { Pool, interceptors } = createRequire(import.meta.url)(version) as {
    Pool: new (origin: string, options: object) => Pool & { compose(interceptor: unknown): Pool };
    interceptors: Record<'redirect' | 'retry', (options: object) => unknown>;
  };
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    transport: () => ({ send: async () => ({}), flush: async () => true }),
    tracesSampleRate: 1,
  });
  const received: [path: string, traceId: string][] = [];
  const server = await serve((incoming, response) => {
    const path = incoming.url!.replace('/again', '');
    const isFirst = received.every(([one]) => one !== path);
    received.push([path, String(incoming.headers['sentry-trace'] ?? '').split('-')[0]!]);
    if (isFirst) response.writeHead(kind === 'retry' ? 503 : 302, { location: `${path}/again` });
    response.end('answer');
  });
  const pool = new Pool(server.url, { connections: 5 });
  const composed = pool.compose(interceptors[kind]({ minTimeout: 1, maxTimeout: 2, maxRedirections: 1 }));
  const own = new Map<string, string>();
  for (const path of ['/0', '/1', '/2']) {
    await withIsolationScope(() =>
      startNewTrace(() =>
        startSpan({ name: 'job' }, async (span) => {
          own.set(path, span.spanContext().traceId);
          await (await composed.request({ path, method: 'GET', origin: server.url })).body.text();
        }),
      ),
    );
  }
  await pool.close();
  await server.close();
  await client.close(1000);
  expect(received).toHaveLength(6);
  for (const [path, traceId] of received) expect(['', own.get(path)]).toContain(traceId);
  expect(received.filter(([path, traceId]) => traceId === own.get(path))).toHaveLength(3);
});
