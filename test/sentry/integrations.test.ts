import { diag } from '@opentelemetry/api';
import { afterEach, expect, it, vi } from 'vitest';
import * as Sentry from '../../src/sentry/sentry.js';
import { request, serve } from '../integrations/http/servers.js';
import { resetOpenTelemetry } from '../support/story.js';

afterEach(resetOpenTelemetry);

/** The transactions of some requests, and the options that have no effect. */
async function play(integration: () => Sentry.Integration): Promise<{ names: unknown[]; missing: string[] }> {
  const warn = vi.fn<(...parts: unknown[]) => void>();
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, { suppressOverrideMessage: true });
  const names: unknown[] = [];
  const client = Sentry.init({
    dsn: 'http://key@127.0.0.1:9/1',
    tracesSampleRate: 1,
    transportOptions: { store: false },
    integrations: [integration()],
    beforeSendTransaction({ transaction }) {
      names.push(transaction);
      return null;
    },
  });
  const server = await serve((incoming, response) => {
    response.writeHead(incoming.url === '/gone' ? 404 : 200).end();
  });
  for (const path of ['/health?full', '/orders', '/gone']) await request(`${server.url}${path}`);
  await server.close();
  await client.close(1000);
  const missing = warn.mock.calls.flatMap((parts) => /sentry (.+) has no effect/.exec(parts.join(' '))?.[1] ?? []);
  return { names, missing };
}

it('httpIntegration takes the options that the peer has for requests', async () => {
  const seen: unknown[] = [];
  const { names, missing } = await play(() =>
    Sentry.httpIntegration({
      ignoreIncomingRequests(urlPath, { method }) {
        seen.push([method, urlPath]);
        return urlPath.startsWith('/health');
      },
      dropSpansForIncomingRequestStatusCodes: [[400, 404]],
      maxRequestBodySize: 'none',
      ignoreOutgoingRequests: () => true,
    }),
  );
  expect(seen).toEqual([
    ['GET', '/health?full'],
    ['GET', '/orders'],
    ['GET', '/gone'],
  ]);
  expect(names.filter((name) => /health|orders|gone/.test(String(name)))).toEqual(['GET /orders']);
  expect(missing).toEqual(['httpIntegration({ ignoreOutgoingRequests })']);
});

it('httpIntegration makes no spans of requests if it shall not', async () => {
  const { names } = await play(() => Sentry.httpIntegration({ disableIncomingRequestSpans: true }));
  expect(names.filter((name) => /health|orders|gone/.test(String(name)))).toEqual([]);
});

it('options that have no effect are named', async () => {
  const { missing } = await play(() => Sentry.httpServerIntegration({ ignoreRequestBody: () => true }));
  expect(missing).toEqual(['httpServerIntegration({ ignoreRequestBody })']);
});

/** What cannot be an integration, or not be read. */
const revoked = Proxy.revocable({}, {});
revoked.revoke();

it.each([
  ['a list of null', [null]],
  ['a list of undefined', [undefined]],
  ['a list of a revoked proxy', [revoked.proxy]],
  ['a function that returns nothing', () => undefined],
  ['a function that returns a list of null', () => [null]],
  ['no list', 'Console'],
])('integrations may be %s: init does not throw', async (_title, integrations) => {
  const defaultIntegrations = [{ name: 'Mine' }];
  const client = Sentry.init({ quiet: true, defaultIntegrations, integrations: integrations as never });
  Sentry.addIntegration(null as never);
  Sentry.addIntegration(revoked.proxy as never);
  await client.close(0);
});

it('the methods of an integration that a function returns are called, also where they throw', async () => {
  const setupOnce = vi.fn(() => {
    throw new Error('broken');
  });
  const afterAllSetup = vi.fn();
  const mine = { name: 'CalledOnce', setupOnce, afterAllSetup };
  for (const integrations of [() => [null, mine], [mine]]) {
    const client = Sentry.init({ quiet: true, defaultIntegrations: false, integrations: integrations as never });
    await client.close(0);
  }
  expect([setupOnce, afterAllSetup].map(({ mock }) => mock.calls.length)).toEqual([1, 2]);
});

it('an integration that stands for options sets them in a list, and elsewhere is named as without effect', async () => {
  const warn = vi.fn<(...parts: unknown[]) => void>();
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, { suppressOverrideMessage: true });
  const filters = (text: string) => Sentry.eventFiltersIntegration({ ignoreErrors: [text] });
  const ignored: unknown[] = [];
  for (const options of [
    { integrations: [filters('listed')] },
    { integrations: [], defaultIntegrations: [filters('default')] },
    { integrations: (all: Sentry.Integration[]) => all, defaultIntegrations: [filters('default')] },
    { integrations: (all: Sentry.Integration[]) => [...all, filters('function'), Sentry.spotlightIntegration()] },
  ]) {
    const client = Sentry.init({ quiet: true, defaultIntegrations: false, ...options });
    ignored.push(client.settings.ignoreErrors);
    Sentry.addIntegration(filters('added'));
    await client.close(0);
  }
  expect(ignored).toEqual([['listed'], ['default'], ['default'], []]);
  const missing = warn.mock.calls.flatMap((parts) => /sentry (.+) has no effect/.exec(parts.join(' '))?.[1] ?? []);
  expect(missing).toEqual([
    'EventFilters in addIntegration',
    'EventFilters in a function for integrations',
    'Spotlight in a function for integrations',
  ]);
});

it('httpIntegration that is added later, or a default one, stands for its parts', async () => {
  for (const late of [true, false]) {
    const integration = Sentry.httpIntegration();
    const client = Sentry.init({ quiet: true, defaultIntegrations: late ? false : [integration], integrations: [] });
    if (late) Sentry.addIntegration(integration);
    const names = ['HttpServer', 'Http', 'HttpClient'].map((name) => client.getIntegration(name) !== undefined);
    expect(names).toEqual([true, true, false]);
    expect(client.getIntegration('Http')).not.toBe(integration);
    await client.close(0);
  }
});
