import http, { get } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import {
  captureMessage,
  getCurrentScope,
  startSpan,
  suppressTracing,
  withIsolationScope,
} from '../../../../src/index.js';
import { fetchIntegration } from '../../../../src/integrations/http/client/fetch.js';
import { httpClientIntegration } from '../../../../src/integrations/http/client/http-client.js';
import type { Integration } from '../../../../src/model/contracts.js';
import type { Breadcrumb } from '../../../../src/model/event/breadcrumb.js';
import { tell } from '../../../support/story.js';
import { outgoing } from '../outgoing-stage.js';
import { request, serveSecurely, tlsClientOptions } from '../servers.js';

const SENTRY_TRACE = /^[0-9a-f]{32}-[0-9a-f]{16}/;

const play = (story: (url: string) => unknown, options?: Parameters<typeof outgoing>[2]) =>
  outgoing([httpClientIntegration()], story, options);

/** Waits for the answer of a request made in some particular way. */
const answered = (outgoingRequest: http.ClientRequest) =>
  new Promise((resolve, reject) => {
    outgoingRequest.on('response', (response) => response.resume().on('end', resolve)).on('error', reject);
  });

describe('trace headers', () => {
  it.each<[what: string, send: (url: string) => http.ClientRequest]>([
    ['http.request', (url) => http.request(url, { agent: false }).end()],
    ['http.request with a body', (url) => http.request(url, { agent: false, method: 'POST' }).end('body')],
    ['http.request with headers', (url) => http.request(url, { agent: false, headers: { a: 'b' } }).end()],
    ['http.get', (url) => http.get(url, { agent: false })],
    ['get, imported by name', (url) => get(url, { agent: false })],
    ['http.get, required', (url) => createRequire(import.meta.url)('node:http').get(url, { agent: false })],
    [
      'an agent that keeps connections',
      (url) => http.get(url, { agent: new http.Agent({ keepAlive: true, timeout: 50 }) }),
    ],
    [
      'headers flushed early',
      (url) => {
        const one = http.request(url, { agent: false, method: 'POST' });
        one.flushHeaders();
        return one.end('body');
      },
    ],
    [
      'headers in a list',
      (url) => http.request(url, { agent: false, headers: ['Host', new URL(url).host, 'a', 'b'] as never }).end(),
    ],
    [
      'headers in a list of pairs',
      (url) =>
        http
          .request(url, { agent: false, headers: Object.entries({ host: new URL(url).host, a: 'b' }) as never })
          .end(),
    ],
    [
      'headers that wait for a 100 Continue',
      (url) => {
        const one = http.request(url, { agent: false, method: 'POST', headers: { expect: '100-continue' } });
        return one.on('continue', () => one.end('body'));
      },
    ],
    ['new http.ClientRequest', (url) => new http.ClientRequest(new URL(url) as never).end() as http.ClientRequest],
  ])('are added to requests by %s', async (_, send) => {
    const { received } = await play((url) => answered(send(url)));
    expect(received).toHaveLength(1);
    expect(received[0]?.['sentry-trace']).toMatch(SENTRY_TRACE);
    expect(received[0]?.['baggage']).toContain('sentry-trace_id=');
    expect(received[0]).not.toHaveProperty('traceparent');
  });

  it('are added to requests by a reference that a module took before init', async () => {
    const { get: taken } = createRequire(import.meta.url)('node:http') as typeof http;
    const { received } = await play((url) => answered(taken(url, { agent: false })));
    expect(received[0]?.['sentry-trace']).toMatch(SENTRY_TRACE);
  });

  it('are added to requests by https', async () => {
    const seen: unknown[] = [];
    const server = await serveSecurely((incoming, response) => {
      seen.push(incoming.headers['sentry-trace']);
      response.end();
    });
    await play(() => request(`${server.url}/a`, tlsClientOptions));
    await server.close();
    expect(seen).toEqual([expect.stringMatching(SENTRY_TRACE)]);
  });

  it('name the trace of the scope, or the active span where requests have no span', async () => {
    let ids: string[] = [];
    const { received } = await outgoing(
      [httpClientIntegration({ spans: false })],
      async (url) => {
        ids = [getCurrentScope().getPropagationContext().traceId];
        await request(url);
        await startSpan({ name: 'job' }, async (span) => {
          ids.push(`${span.spanContext().traceId}-${span.spanContext().spanId}-1`);
          await request(url);
        });
      },
      { tracesSampleRate: 1 },
    );
    expect(received[0]?.['sentry-trace']).toMatch(new RegExp(`^${ids[0]}-`));
    expect(received[1]?.['sentry-trace']).toBe(ids[1]);
  });

  it.each<[what: string, given: http.OutgoingHttpHeaders, baggage: RegExp | undefined]>([
    ['baggage of others stays', { baggage: 'tenant=7,sentry-release=old' }, /^tenant=7,sentry-trace_id=(?!.*old)/],
    ['several lines of baggage stay', { baggage: ['a=1', 'b=2'] }, /^a=1,b=2,sentry-trace_id=/],
    ['a request with a trace stays as it is', { 'sentry-trace': 'given', baggage: 'tenant=7' }, /^tenant=7$/],
    ['so does one in other letters', { 'Sentry-Trace': 'given' }, undefined],
  ])('%s', async (_, headers, baggage) => {
    const { received } = await play((url) => request(url, { headers }));
    expect(received[0]?.['sentry-trace']).toEqual(
      'baggage' in headers && !('sentry-trace' in headers) ? expect.stringMatching(SENTRY_TRACE) : 'given',
    );
    if (baggage) expect(received[0]?.['baggage']).toMatch(baggage);
    else expect(received[0]).not.toHaveProperty('baggage');
  });

  it.each<[what: string, headers: http.OutgoingHttpHeaders | string[]]>([
    ['headers', { a: 'b' }],
    ['headers in a list', ['host', 'here', 'a', 'b']],
    ['headers with Expect', { expect: 'something', a: 'b' }],
  ])('are left out where tracing is suppressed: %s', async (_, headers) => {
    const { received } = await play((url) =>
      suppressTracing(() => request(url, { headers: headers as never }).catch(() => undefined)),
    );
    for (const one of received) expect(one).not.toHaveProperty('sentry-trace');
  });

  it.each<[what: string, headers: readonly string[] | readonly (readonly string[])[], given: boolean]>([
    ['names and values', ['host', 'here', 'Baggage', 'a=1', 'x', 'y', 'BAGGAGE', 'b=2'], false],
    ['pairs', Object.entries({ host: 'here', baggage: 'a=1,b=2', x: 'y' }), false],
    ['names and values with a trace', ['Sentry-Trace', 'given', 'host', 'here'], true],
  ])('in a list of %s follow the same rules', async (_, headers, given) => {
    const { received } = await play((url) => request(`${url}/yes`, { headers: Object.freeze(headers) as never }), {
      tracePropagationTargets: ['http://here/yes'],
    });
    expect(received[0]).toMatchObject(
      given
        ? { host: 'here', 'sentry-trace': 'given' }
        : {
            host: 'here',
            x: 'y',
            'sentry-trace': expect.stringMatching(SENTRY_TRACE),
            baggage: expect.stringMatching(/^a=1,b=2,sentry-trace_id=/),
          },
    );
    if (given) expect(received[0]).not.toHaveProperty('baggage');
  });

  it('do not change what the caller gave', async () => {
    const options = Object.freeze({ agent: false as const, headers: Object.freeze({ a: 'b' }) });
    const { received } = await play((url) => request(url, options));
    expect(received[0]).toMatchObject({ a: 'b', 'sentry-trace': expect.any(String) });
  });
});

describe('breadcrumbs', () => {
  const crumb = (data: object, level?: string): Breadcrumb => ({
    type: 'http',
    category: 'http',
    ...(level && { level: level as 'error' }),
    data: data as Record<string, unknown>,
    timestamp: expect.any(Number),
  });

  it('say how requests went, without secrets', async () => {
    let base = '';
    const { breadcrumbs } = await play(async (url) => {
      base = url;
      await request(`${url}/200?a=1&token=abc`, { auth: 'me:secret' });
      await request(`${url}/404`, { method: 'POST' });
      await request(`${url}/503`);
      await request(`${url}/drop`).catch(() => undefined);
      await request('http://127.0.0.1:1/').catch(() => undefined);
    });
    expect(breadcrumbs).toEqual([
      crumb({ url: `${base}/200`, 'http.method': 'GET', status_code: 200, 'http.query': '?a=1&token=[Filtered]' }),
      crumb({ url: `${base}/404`, 'http.method': 'POST', status_code: 404 }, 'warning'),
      crumb({ url: `${base}/503`, 'http.method': 'GET', status_code: 503 }, 'error'),
      crumb({ url: `${base}/drop`, 'http.method': 'GET' }, 'error'),
      crumb({ url: 'http://127.0.0.1:1/', 'http.method': 'GET' }, 'error'),
    ]);
  });

  it('land where the request was made, also when requests share a connection', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const seen: Record<string, unknown> = {};
    await tell(
      { defaultIntegrations: false, integrations: [httpClientIntegration()] },
      async () => {
        await outgoingTasks(agent);
      },
      ({ receiver }) => {
        for (const { message, breadcrumbs } of receiver.events) {
          seen[message!] = breadcrumbs?.map(({ data }) => new URL(String(data?.['url'])).pathname);
        }
      },
    );
    agent.destroy();
    expect(seen).toEqual(Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`task ${i}`, [`/${i}`, '/drop']])));
  });

  it('are not left where tracing is suppressed, also on a shared connection', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const { breadcrumbs } = await play((url) =>
      Promise.all([
        request(`${url}/a`, { agent }),
        suppressTracing(() => request(`${url}/b`, { agent })),
        request(`${url}/c`, { agent }),
      ]),
    );
    agent.destroy();
    expect(breadcrumbs.map(({ data }) => String(data?.['url']).slice(-2))).toEqual(['/a', '/c']);
  });

  it('can be turned off', async () => {
    const off = await outgoing([httpClientIntegration({ breadcrumbs: false })], (url) => request(url));
    expect(off.breadcrumbs).toEqual([]);
    expect(off.received[0]?.['sentry-trace']).toMatch(SENTRY_TRACE);
  });
});

/** Five tasks whose requests wait for one another on one connection; each ends with one that fails. */
async function outgoingTasks(agent: http.Agent) {
  const server = http.createServer(async (incoming, response) => {
    await sleep(2);
    if (incoming.url === '/drop') incoming.socket.destroy();
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const task = (i: number) =>
    withIsolationScope(async () => {
      await request(`http://127.0.0.1:${port}/${i}`, { agent });
      await request(`http://127.0.0.1:${port}/drop`, { agent }).catch(() => undefined);
      captureMessage(`task ${i}`);
    });
  await Promise.all(Array.from({ length: 5 }, (_, i) => task(i)));
  server.close();
}

it.each<[what: string, integration: Integration, send: (url: string) => Promise<unknown>]>([
  ['http', httpClientIntegration(), (url) => request(url)],
  ['fetch', fetchIntegration(), (url) => fetch(url)],
])('the span of a request by %s that fails has ended before user code gets its breadcrumb', async (_, one, send) => {
  const steps: string[] = [];
  const watch: SpanProcessor = {
    onStart: () => undefined,
    onEnd(span) {
      if (span.kind === SpanKind.CLIENT) steps.push('ended');
      throw new Error('of the span processor');
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const beforeBreadcrumb = (crumb: Breadcrumb): Breadcrumb => {
    steps.push('breadcrumb');
    return crumb;
  };
  const options = { tracesSampleRate: 1, openTelemetrySpanProcessors: [watch], beforeBreadcrumb };
  const { breadcrumbs } = await outgoing(
    [one],
    (url) => startSpan({ name: 'job' }, () => send(`${url}/drop`).catch(() => undefined)),
    options,
  );
  expect(steps).toEqual(['ended', 'breadcrumb']);
  expect(breadcrumbs).toHaveLength(1);
});

it('closing puts back what was changed, and a wrapper around ours stays', async () => {
  const prototype = http.ClientRequest.prototype as unknown as { _storeHeader(...block: unknown[]): void };
  const before = prototype._storeHeader;
  await play(() => undefined);
  expect(prototype._storeHeader).toBe(before);
  expect(Object.hasOwn(prototype, '_storeHeader')).toBe(false);

  let around = before;
  await play(() => {
    const ours = prototype._storeHeader;
    around = function (this: http.ClientRequest, ...block: unknown[]) {
      ours.apply(this, block);
    };
    prototype._storeHeader = around;
  });
  expect(prototype._storeHeader).toBe(around);
  const { received } = await outgoing([], (url) => request(url));
  expect(received[0]).not.toHaveProperty('sentry-trace');
  Reflect.deleteProperty(prototype, '_storeHeader');
});
