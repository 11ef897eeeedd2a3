import http2, { type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Stream } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type ClientOptions, captureMessage, getIsolationScope, setTag } from '../../../src/index.js';
import { httpServerIntegration } from '../../../src/integrations/http/server/http-server.js';
import { requestDataIntegration } from '../../../src/integrations/http/server/request-data.js';
import type { ReceivedErrorEvent, Receiver } from '../../support/receiver.js';
import { tell } from '../../support/story.js';
import { createSecureHttp2Server, request, serveHttp2, tlsClientOptions } from './servers.js';

const REQUESTS = 50;
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';

/** The events of requests that a server receives at the same time on one connection. */
async function eventsOf(
  server: http2.Http2Server,
  requests: http2.OutgoingHttpHeaders[],
  options: ClientOptions = {},
  told: (receiver: Receiver) => unknown = () => undefined,
) {
  let events: readonly ReceivedErrorEvent[] = [];
  await tell(
    { defaultIntegrations: false, integrations: [httpServerIntegration(), requestDataIntegration()], ...options },
    async () => {
      const { request, close } = await serveHttp2(server);
      await request(...requests);
      await close();
      expect(getIsolationScope().getScopeData().tags).toEqual({});
    },
    ({ receiver }) => {
      events = receiver.events;
      return told(receiver);
    },
  );
  return events;
}

const handle = async ({ url }: Http2ServerRequest, response: Http2ServerResponse) => {
  setTag('path', url);
  await sleep(Math.random() * 5);
  captureMessage(url);
  response.end();
};

/** Reads the request to its end by hand, before anything is said. */
const handleStream = (stream: ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => {
  const path = headers[':path'] as string;
  setTag('path', path);
  stream.resume().on('end', () => {
    captureMessage(path);
    stream.respond();
    stream.end();
  });
};

const paths = Array.from({ length: REQUESTS }, (_, i) => ({ ':path': `/${i}` }));

it.each<[what: string, create: () => http2.Http2Server, scheme: string]>([
  ['in the style of HTTP/1', () => http2.createServer(handle), 'http'],
  ['by stream', () => http2.createServer().on('stream', handleStream), 'http'],
  ['over TLS', () => createSecureHttp2Server(handle), 'https'],
])(
  'concurrent requests of HTTP/2 that are handled %s have scopes and traces of their own',
  async (_, create, scheme) => {
    const events = await eventsOf(create(), paths);
    expect(events).toHaveLength(REQUESTS);
    for (const { message, tags, transaction, request: described } of events) {
      expect(tags).toEqual({ path: message });
      expect(transaction).toBe(`GET ${message}`);
      expect(described).toEqual({
        method: 'GET',
        url: expect.stringMatching(new RegExp(`^${scheme}://127[.]0[.]0[.]1:\\d+${message}$`)),
        headers: {},
      });
    }
    expect(new Set(events.map(({ contexts }) => contexts.trace.trace_id)).size).toBe(REQUESTS);
  },
);

it('a server of HTTP/2 that allows HTTP/1 isolates both', async () => {
  const seen: unknown[] = [];
  await tell({ defaultIntegrations: false, integrations: [httpServerIntegration()] }, async () => {
    const server = createSecureHttp2Server((_, response) => {
      seen.push(getIsolationScope());
      response.end();
    }, true);
    const served = await serveHttp2(server);
    await served.request({ ':path': '/a' });
    await request(`${served.url}/b`, tlsClientOptions);
    await served.close();
    expect(new Set([...seen, getIsolationScope()]).size).toBe(3);
  });
});

it('a request of HTTP/2 continues the trace of its headers', async () => {
  const headers = { 'sentry-trace': `${TRACE_ID}-${SPAN_ID}-1`, baggage: `sentry-trace_id=${TRACE_ID}` };
  const [event] = await eventsOf(http2.createServer(handle), [{ ':path': '/a', ...headers }]);
  expect(event?.contexts.trace).toMatchObject({ trace_id: TRACE_ID, parent_span_id: SPAN_ID });
});

it('an event carries the body of a request of HTTP/2, as far as it has arrived', async () => {
  const server = http2.createServer((incoming, response) => {
    incoming.on('data', (chunk) => captureMessage(String(chunk))).on('end', () => response.end());
  });
  await tell(
    { defaultIntegrations: false, integrations: [httpServerIntegration(), requestDataIntegration()] },
    async () => {
      const { send, close } = await serveHttp2(server);
      await send({ ':path': '/a', ':method': 'POST', 'content-length': '5' }, 'hello');
      await close();
    },
    ({ receiver }) => expect(receiver.events.map(({ request }) => request.data)).toEqual(['hello']),
  );
});

it('requests of HTTP/2 count for release health once', async () => {
  await eventsOf(http2.createServer(handle), paths, { release: 'shop@1' }, (receiver) => {
    const aggregates = receiver.items('sessions').flatMap(({ json }) => json!['aggregates'] as { exited?: number }[]);
    expect(aggregates.reduce((sum, { exited = 0 }) => sum + exited, 0)).toBe(REQUESTS);
  });
});
