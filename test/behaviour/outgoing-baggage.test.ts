import http from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClientOptions, startSpan } from '../../src/index.js';
import { serve } from '../integrations/http/servers.js';
import { tell } from '../support/story.js';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

type Load = (url: string, headers: Record<string, string>) => Promise<unknown>;

const CLIENTS: [string, Load][] = [
  ['fetch', async (url, headers) => (await fetch(url, { headers })).text()],
  [
    'node:http',
    (url, headers) =>
      new Promise((done, fail) => {
        http.get(url, { headers }, (response) => response.resume().on('end', done)).on('error', fail);
      }),
  ],
];

/** The headers that a server received from a request within a span. */
async function headersOf(load: Load, options: ClientOptions, headers: Record<string, string> = {}) {
  const received: http.IncomingHttpHeaders[] = [];
  const server = await serve((request, response) => {
    received.push(request.headers);
    response.end();
  });
  endings.push(() => server.close());
  let traceId = '';
  await tell({ release: 'shop@1', environment: 'test', tracesSampleRate: 1, ...options }, () =>
    startSpan({ name: 'checkout' }, async (span) => {
      traceId = span.spanContext().traceId;
      await load(`${server.url}/orders`, headers);
    }),
  );
  const { 'sentry-trace': sentryTrace, baggage } = received[0]!;
  return {
    sentryTrace,
    members: String(baggage ?? '')
      .split(',')
      .filter(Boolean),
    traceId,
  };
}

describe.each(CLIENTS)('a request by %s', (_, load) => {
  it('carries the trace and its dynamic sampling context', async () => {
    const { sentryTrace, members, traceId } = await headersOf(load, {});
    expect(sentryTrace).toMatch(new RegExp(`^${traceId}-[0-9a-f]{16}-1$`));
    expect(members.map((member) => member.replace(/(sample_rand)=.*/, '$1=')).sort()).toEqual([
      'sentry-environment=test',
      expect.stringMatching(/^sentry-public_key=\w+$/),
      'sentry-release=shop%401',
      'sentry-sample_rand=',
      'sentry-sample_rate=1',
      'sentry-sampled=true',
      `sentry-trace_id=${traceId}`,
      'sentry-transaction=checkout',
    ]);
  });

  it("keeps the application's own baggage in front", async () => {
    const { members, traceId } = await headersOf(load, {}, { baggage: 'tenant=7,region=eu' });
    expect(members.slice(0, 2)).toEqual(['tenant=7', 'region=eu']);
    expect(members).toContain(`sentry-trace_id=${traceId}`);
  });

  it('carries neither where tracePropagationTargets do not match its URL, and keeps what the application set', async () => {
    const options = { tracePropagationTargets: ['https://api.example.com'] };
    const { sentryTrace, members } = await headersOf(load, options, { baggage: 'tenant=7' });
    expect([sentryTrace, members]).toEqual([undefined, ['tenant=7']]);
  });

  it('carries both where tracePropagationTargets match its URL', async () => {
    const { sentryTrace, members } = await headersOf(load, { tracePropagationTargets: [/\/orders$/] });
    expect(sentryTrace).toBeDefined();
    expect(members.length).toBeGreaterThan(0);
  });
});
