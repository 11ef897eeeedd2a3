import http from 'node:http';
import type { Duplex } from 'node:stream';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { expect, it } from 'vitest';
import { type ClientOptions, captureMessage, getIsolationScope, setTag, startSpan } from '../../../../src/index.js';
import { httpServerIntegration } from '../../../../src/integrations/http/server/http-server.js';
import type { ReceivedErrorEvent } from '../../../support/receiver.js';
import { tell } from '../../../support/story.js';
import { exchange, listen, request, serve } from '../servers.js';

const REQUESTS = 20;

/** The events of a story with a client that isolates requests, and nothing left on the scope of the process. */
async function eventsOf(story: () => Promise<unknown>, options: ClientOptions = {}) {
  let events: readonly ReceivedErrorEvent[] = [];
  await tell(
    { defaultIntegrations: false, integrations: [httpServerIntegration()], ...options },
    async () => {
      if (options.skipOpenTelemetrySetup) {
        context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      }
      await story();
      expect(getIsolationScope().getScopeData().tags).toEqual({});
    },
    ({ receiver }) => {
      events = receiver.events;
    },
  );
  return events;
}

/** Reads a body by hand, piece by piece, and says so at each event. */
const readByHand: http.RequestListener = (incoming, response) => {
  setTag('path', incoming.url);
  const say = (what: string) => () => captureMessage(`${what} ${incoming.url}`);
  incoming.on('data', say('data')).on('end', say('end'));
  incoming.on('end', () => response.end());
  response.on('finish', say('finish')).on('close', say('close'));
};

/** Sends a body in two pieces, the second when others are under way. */
function sendInPieces(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(url, { method: 'POST', agent: false }, (response) => {
      response.resume().on('end', resolve);
    });
    outgoing.on('error', reject).write('first');
    setTimeout(() => outgoing.end('second'), 5);
  });
}

it.each<[what: string, options: ClientOptions]>([
  ['our setup', {}],
  ['a setup and a context manager of the application', { skipOpenTelemetrySetup: true }],
])('events of a request happen in its scope and its trace, with %s', async (_, options) => {
  const events = await eventsOf(async () => {
    const server = await serve(readByHand);
    await Promise.all(Array.from({ length: REQUESTS }, (_, i) => sendInPieces(`${server.url}/${i}`)));
    await server.close();
  }, options);
  const traces = new Map<string, Set<string>>();
  for (const { message, tags, contexts } of events) {
    const path = message.replace(/^\w+ /, '');
    expect(tags).toEqual({ path });
    traces.set(path, (traces.get(path) ?? new Set()).add(contexts.trace.trace_id));
  }
  expect(events).toHaveLength(REQUESTS * 5);
  expect([...traces.values()].map((ids) => ids.size)).toEqual(Array(REQUESTS).fill(1));
  expect(new Set([...traces.values()].flatMap((ids) => [...ids])).size).toBe(REQUESTS);
});

it('what is emitted within a span stays in the span', async () => {
  await eventsOf(
    async () => {
      const server = await serve((incoming, response) => {
        startSpan({ name: 'job' }, (span) => {
          incoming.on('own', () => captureMessage(span.spanContext().spanId));
          incoming.emit('own');
        });
        response.end();
      });
      await request(server.url);
      await server.close();
    },
    { tracesSampleRate: 1 },
  ).then(([event]) => expect(event?.contexts.trace.span_id).toBe(event?.message));
});

it('a request that asks for another protocol is isolated, and so is the connection that it leaves', async () => {
  const events = await eventsOf(async () => {
    const server = http.createServer().on('upgrade', (incoming: http.IncomingMessage, socket: Duplex) => {
      setTag('path', incoming.url);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.once('data', (chunk) => {
        captureMessage(`${chunk}`);
        socket.end();
      });
    });
    const { port, close } = await listen(server);
    const paths = Array.from({ length: REQUESTS }, (_, i) => `/${i}`);
    await Promise.all(
      paths.map((path) => {
        const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n`;
        return exchange(port, head, path);
      }),
    );
    await close();
  });
  expect(events).toHaveLength(REQUESTS);
  for (const { message, tags } of events) expect(tags).toEqual({ path: message });
  expect(new Set(events.map(({ contexts }) => contexts.trace.trace_id)).size).toBe(REQUESTS);
});
