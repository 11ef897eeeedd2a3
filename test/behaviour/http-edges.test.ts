import { once } from 'node:events';
import http from 'node:http';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Instrumentation } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { init, startSpan } from '../../src/index.js';
import { listen, request, serve } from '../integrations/http/servers.js';
import { resetOpenTelemetry } from '../support/story.js';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const require = createRequire(import.meta.url);

// A module is instrumented when it is loaded, and only then: one instance serves all tests.
const instrumentations: Instrumentation[] = [new HttpInstrumentation(), new UndiciInstrumentation()];
require('node:http');
for (const one of instrumentations) one.disable();

function instrument(): void {
  for (const one of instrumentations) {
    one.setTracerProvider(trace.getTracerProvider());
    one.enable();
    endings.push(() => one.disable());
  }
}

/** Spans of the process; a span that never ends fails the test that waits for it. */
class Spans implements SpanProcessor {
  #open = 0;
  readonly #ended: ReadableSpan[] = [];

  onStart(): void {
    this.#open += 1;
  }

  onEnd(span: ReadableSpan): void {
    this.#open -= 1;
    this.#ended.push(span);
  }

  /** Waits until a number of spans of a kind has ended, and no span is open. */
  async waitFor(kind: SpanKind, count: number): Promise<ReadableSpan[]> {
    const ofKind = () => this.#ended.filter((span) => span.kind === kind);
    await vi.waitFor(
      () => expect({ ended: ofKind().length, open: this.#open }).toEqual({ ended: count, open: 0 }),
      5000,
    );
    return ofKind();
  }

  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

function start(): Spans {
  const spans = new Spans();
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    transport: () => ({ send: async () => ({}), flush: async () => true }),
    tracesSampleRate: 1,
    openTelemetrySpanProcessors: [spans],
  });
  endings.push(resetOpenTelemetry, () => client.close(1000));
  return spans;
}

async function startServer(listener: http.RequestListener | http.Server) {
  const server = await (typeof listener === 'function' ? serve(listener) : listen(listener));
  endings.push(server.close);
  return server;
}

async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  endings.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Runs outgoing requests in a span, without which they are not recorded. */
const inSpan = <T>(run: () => T) => startSpan({ name: 'job' }, run);

const outcomeOf = ({ attributes, status }: ReadableSpan) => ({
  statusCode: attributes['http.response.status_code'],
  errorType: attributes['error.type'],
  isError: status.code === SpanStatusCode.ERROR,
});
const COMPLETE = { statusCode: 200, errorType: undefined, isError: false };
const CANCELLED = { statusCode: undefined, errorType: 'cancelled', isError: true };

describe.each([
  [
    'before init',
    () => {
      instrument();
      return start();
    },
  ],
  [
    'after init',
    () => {
      const spans = start();
      instrument();
      return spans;
    },
  ],
])("with OTel's instrumentations, enabled %s", (_, begin) => {
  it.each<[what: string, send: (url: string) => Promise<unknown>]>([
    ['node:http', (url) => request(url)],
    ['fetch', async (url) => (await fetch(url)).text()],
  ])('a request of %s has one CLIENT span and one SERVER span', async (_, send) => {
    const spans = begin();
    const { url } = await startServer((_, response) => response.end('answer'));
    await inSpan(() => send(url));
    const [client] = await spans.waitFor(SpanKind.CLIENT, 1);
    const [server] = await spans.waitFor(SpanKind.SERVER, 1);
    expect(server!.parentSpanContext?.spanId).toBe(client!.spanContext().spanId);
    expect(client!.instrumentationScope.name).toMatch(/^@opentelemetry\/instrumentation-(http|undici)$/);
    expect(server!.instrumentationScope.name).toBe('@opentelemetry/instrumentation-http');
  });
});

describe('the span of a request that a server handles ends', () => {
  it.each<
    [what: string, listener: (incoming: http.IncomingMessage, response: http.ServerResponse) => void, outcome: object]
  >([
    ['when the client aborts it', ({ headers }) => clients.get(headers['x-id'])?.destroy(), CANCELLED],
    ['when the server destroys its socket', ({ socket }) => socket.destroy(), CANCELLED],
    [
      'when its response is destroyed with an error',
      (_, response) => response.destroy(Object.assign(new Error('disk'), { code: 'EIO' })),
      { statusCode: undefined, errorType: 'EIO', isError: true },
    ],
    ['when its socket is idle for too long', ({ socket }) => socket.setTimeout(1), CANCELLED],
    [
      'when the client aborts it amid the response',
      ({ headers }, response) => {
        response.write('part', () => clients.get(headers['x-id'])?.destroy());
      },
      { statusCode: 200, errorType: 'cancelled', isError: true },
    ],
  ])('%s', async (_, listener, outcome) => {
    const spans = start();
    const { port } = await startServer(listener);
    const socket = await connectTo(port);
    clients.set('1', socket);
    socket.write('GET / HTTP/1.1\r\nHost: local\r\nX-Id: 1\r\n\r\n');
    await once(socket, 'close');
    expect((await spans.waitFor(SpanKind.SERVER, 1)).map(outcomeOf)).toEqual([outcome]);
  });

  it('when its body does not arrive in time', async () => {
    const spans = start();
    const { port } = await startServer(
      http.createServer({ requestTimeout: 20, connectionsCheckingInterval: 5 }, (incoming) => incoming.resume()),
    );
    const socket = await connectTo(port);
    socket.resume().write('POST / HTTP/1.1\r\nHost: local\r\nContent-Length: 5\r\n\r\n');
    await once(socket, 'close');
    expect((await spans.waitFor(SpanKind.SERVER, 1)).map(outcomeOf)).toEqual([CANCELLED]);
  });
});

/** Connections of clients, by the id that they send. */
const clients = new Map<unknown, Socket>();

describe('requests on one connection', () => {
  it('have a span each, one after the other', async () => {
    const spans = start();
    const { url } = await startServer((_, response) => response.end());
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    endings.push(() => agent.destroy());
    for (let i = 0; i < 3; i++) await inSpan(() => request(`${url}/${i}`, { agent }));
    const [client, server] = await Promise.all([spans.waitFor(SpanKind.CLIENT, 3), spans.waitFor(SpanKind.SERVER, 3)]);
    expect(server.map(({ attributes }) => attributes['url.path'])).toEqual(['/0', '/1', '/2']);
    expect([...client, ...server].map(outcomeOf)).toEqual(Array(6).fill(COMPLETE));
  });

  const pipelined = (count: number, method = 'GET') =>
    Array.from(
      { length: count },
      (_, i) => `${method} /${i} HTTP/1.1\r\nHost: local\r\nContent-Length: 0\r\n\r\n`,
    ).join('');

  it('have a span each, pipelined', async () => {
    const spans = start();
    const responses: http.ServerResponse[] = [];
    const { port } = await startServer((_, response) => {
      responses.push(response);
      // The last is answered first.
      if (responses.length === 3) for (const one of responses.reverse()) one.end();
    });
    (await connectTo(port)).resume().write(pipelined(3));
    const server = await spans.waitFor(SpanKind.SERVER, 3);
    expect(server.map(({ attributes }) => attributes['url.path'])).toEqual(['/0', '/1', '/2']);
    expect(server.map(outcomeOf)).toEqual(Array(3).fill(COMPLETE));
  });

  it.each(['GET', 'POST'])('end their spans when it closes, also those that wait for an earlier %s', async (method) => {
    const warned = vi.fn();
    process.on('warning', warned);
    endings.push(() => process.off('warning', warned));
    const spans = start();
    let count = 0;
    const { port } = await startServer(async (incoming, response) => {
      await once(incoming.resume(), 'end');
      count += 1;
      // Queued behind the first, which is never answered.
      if (count % 2 === 0) response.end();
      if (count === 20) incoming.socket.destroy();
    });
    const socket = await connectTo(port);
    socket.write(pipelined(20, method));
    await once(socket, 'close');
    const server = await spans.waitFor(SpanKind.SERVER, 20);
    expect(server.map(({ attributes }) => attributes['error.type'])).toEqual(Array(20).fill('cancelled'));
    expect(warned).not.toHaveBeenCalled();
  });
});
