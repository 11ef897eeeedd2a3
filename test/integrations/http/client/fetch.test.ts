import { describe, expect, it } from 'vitest';
import {
  captureMessage,
  getCurrentScope,
  startSpan,
  suppressTracing,
  withIsolationScope,
} from '../../../../src/index.js';
import { fetchIntegration } from '../../../../src/integrations/http/client/fetch.js';
import { tell } from '../../../support/story.js';
import { outgoing } from '../outgoing-stage.js';
import { serve } from '../servers.js';

const SENTRY_TRACE = /^[0-9a-f]{32}-[0-9a-f]{16}/;

const play = (story: (url: string) => unknown, options?: Parameters<typeof outgoing>[2]) =>
  outgoing([fetchIntegration()], story, options);

const load = async (url: string, init?: RequestInit) => (await fetch(url, init)).text();

describe('trace headers', () => {
  it('are added to requests', async () => {
    const { received } = await play(async (url) => {
      await load(url);
      await load(url, { method: 'POST', body: 'body', headers: { a: 'b' } });
    });
    for (const headers of received) {
      expect(headers['sentry-trace']).toMatch(SENTRY_TRACE);
      expect(headers['baggage']).toContain('sentry-trace_id=');
      expect(headers).not.toHaveProperty('traceparent');
    }
  });

  it('name the trace of the scope, or the active span where requests have no span', async () => {
    const ids: string[] = [];
    const { received } = await outgoing(
      [fetchIntegration({ spans: false })],
      async (url) => {
        ids.push(getCurrentScope().getPropagationContext().traceId);
        await load(url);
        await startSpan({ name: 'job' }, async (span) => {
          ids.push(`${span.spanContext().traceId}-${span.spanContext().spanId}-1`);
          await load(url);
        });
      },
      { tracesSampleRate: 1 },
    );
    expect(received[0]?.['sentry-trace']).toMatch(new RegExp(`^${ids[0]}-`));
    expect(received[1]?.['sentry-trace']).toBe(ids[1]);
  });

  it('join baggage of others in one header, and replace earlier members of ours', async () => {
    const { received } = await play((url) => load(url, { headers: { Baggage: 'tenant=7,sentry-release=old' } }));
    expect(received[0]?.['baggage']).toMatch(/^tenant=7,sentry-trace_id=(?!.*old)/);
  });

  it('are not added to a request that has a trace', async () => {
    const { received } = await play((url) => load(url, { headers: { 'Sentry-Trace': 'given', baggage: 'tenant=7' } }));
    expect(received[0]).toMatchObject({ 'sentry-trace': 'given', baggage: 'tenant=7' });
  });

  it('are left out where tracing is suppressed', async () => {
    const { received, breadcrumbs } = await play((url) => suppressTracing(() => load(url)));
    expect(received[0]).not.toHaveProperty('sentry-trace');
    expect(breadcrumbs).toEqual([]);
  });
});

describe('breadcrumbs', () => {
  it('say how requests went, without secrets', async () => {
    let base = '';
    const { breadcrumbs } = await play(async (url) => {
      base = url;
      await load(`${url}/200?a=1&token=abc`);
      await load(`${url}/404`, { method: 'POST' });
      await load(`${url}/503`);
      await load(`${url}/drop`, { method: 'POST', body: 'x' }).catch(() => undefined);
    });
    const common = { type: 'http', category: 'http', timestamp: expect.any(Number) };
    expect(breadcrumbs).toEqual([
      {
        ...common,
        data: { url: `${base}/200`, 'http.method': 'GET', status_code: 200, 'http.query': '?a=1&token=[Filtered]' },
      },
      { ...common, level: 'warning', data: { url: `${base}/404`, 'http.method': 'POST', status_code: 404 } },
      { ...common, level: 'error', data: { url: `${base}/503`, 'http.method': 'GET', status_code: 503 } },
      { ...common, level: 'error', data: { url: `${base}/drop`, 'http.method': 'POST' } },
    ]);
  });

  it('land where the request was made, although requests share connections', async () => {
    const connections = new Set<unknown>();
    const server = await serve((incoming, response) => {
      connections.add(incoming.socket);
      response.end();
    });
    const seen: unknown[] = [];
    const task = (i: number) =>
      withIsolationScope(async () => {
        await load(`${server.url}/${i}`);
        captureMessage(`task ${i}`);
      });
    await tell(
      { defaultIntegrations: false, integrations: [fetchIntegration()] },
      async () => {
        for (let i = 0; i < 6; i++) await task(i);
      },
      ({ receiver }) => {
        for (const { breadcrumbs } of receiver.events) seen.push(breadcrumbs?.map(({ data }) => data?.['url']));
      },
    );
    await server.close();
    expect(connections.size).toBeLessThan(6);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5].map((i) => [`${server.url}/${i}`]));
  });

  it('are one for a request that fails after its answer has begun', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('some');
      setTimeout(() => response.destroy(), 20);
    });
    const { breadcrumbs } = await play(async () => {
      await expect(load(server.url)).rejects.toThrow();
    });
    await server.close();
    expect(breadcrumbs).toMatchObject([{ data: { status_code: 200 } }]);
  });

  it('can be turned off', async () => {
    const off = await outgoing([fetchIntegration({ breadcrumbs: false })], (url) => load(url));
    expect(off.breadcrumbs).toEqual([]);
    expect(off.received[0]?.['sentry-trace']).toMatch(SENTRY_TRACE);
  });
});

it('after closing, requests leave as they are made', async () => {
  await play(() => undefined);
  const { received } = await outgoing([], (url) => load(url));
  expect(received[0]).not.toHaveProperty('sentry-trace');
});
