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
