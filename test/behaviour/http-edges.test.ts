import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Instrumentation } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { init, startSpan } from '../../src/index.js';
import { exchange, listen, request, serve, serveHttp2 } from '../integrations/http/servers.js';
import { eventually } from '../support/eventually.js';
import { selfSigned } from '../support/self-signed.js';
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
    await eventually(() => expect({ ended: ofKind().length, open: this.#open }).toEqual({ ended: count, open: 0 }));
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
      http.createServer({ requestTimeout: 1000, connectionsCheckingInterval: 20 }, (incoming) => incoming.resume()),
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

describe('a server with a certificate that signs itself', () => {
  const startSecure = async () => {
    const server = await listen(
      https.createServer(selfSigned, (_, response) => response.end()),
      'https',
    );
    endings.push(server.close);
    return server.url;
  };

  it('has spans as others do', async () => {
    const spans = start();
    const url = await startSecure();
    await inSpan(() => request(url, { ca: selfSigned.cert }));
    const [client] = await spans.waitFor(SpanKind.CLIENT, 1);
    const [server] = await spans.waitFor(SpanKind.SERVER, 1);
    expect([client!, server!].map(outcomeOf)).toEqual([COMPLETE, COMPLETE]);
    expect(client!.attributes['url.full']).toBe(`${url}/`);
    expect(server!.attributes['url.scheme']).toBe('https');
  });

  it('has no span of a client that does not trust it; the span of the client names the error', async () => {
    const spans = start();
    const url = await startSecure();
    await expect(inSpan(() => request(url))).rejects.toThrow(/self.signed/);
    const [client] = await spans.waitFor(SpanKind.CLIENT, 1);
    expect(outcomeOf(client!)).toEqual({
      statusCode: undefined,
      errorType: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      isError: true,
    });
    await spans.waitFor(SpanKind.SERVER, 0);
  });
});

describe('a request of HTTP/2', () => {
  const startHttp2 = async (listener: (stream: http2.ServerHttp2Stream, path: string) => void) => {
    const server = http2.createServer();
    server.on('stream', (stream, headers) => {
      // The peer hears of errors, too.
      stream.on('error', () => undefined);
      listener(stream, headers[':path']!);
    });
    const served = await serveHttp2(server);
    endings.push(served.close);
    return served;
  };

  it('has one span, also where several share a connection', async () => {
    const spans = start();
    const { request: send } = await startHttp2((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('answer');
    });
    await send({ ':path': '/a' }, { ':path': '/b' });
    const server = await spans.waitFor(SpanKind.SERVER, 2);
    expect(server.map(outcomeOf)).toEqual([COMPLETE, COMPLETE]);
    expect(server.map(({ attributes }) => attributes['network.protocol.version'])).toEqual(['2', '2']);
  });

  it.each<[what: string, answer: (stream: http2.ServerHttp2Stream) => void]>([
    ['its stream', (stream) => stream.close(http2.constants.NGHTTP2_CANCEL)],
    ['its connection', (stream) => stream.session!.destroy()],
  ])('ends its span when the server closes %s', async (_, answer) => {
    const spans = start();
    const { send } = await startHttp2(answer);
    await send({ ':path': '/' }).catch(() => undefined);
    expect((await spans.waitFor(SpanKind.SERVER, 1)).map(outcomeOf)).toMatchObject([
      { statusCode: undefined, isError: true },
    ]);
  });
});

describe('a handshake', () => {
  const HANDSHAKE = 'GET /socket HTTP/1.1\r\nHost: local\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

  it('ends the span of its request, while the connection stays open', async () => {
    const spans = start();
    const server = http.createServer().on('upgrade', (_, socket) => {
      endings.push(() => socket.destroy());
      socket.write(SWITCHED);
    });
    const { url } = await startServer(server);
    await inSpan(async () => {
      const outgoing = http.get(url, { headers: { connection: 'Upgrade', upgrade: 'websocket' } });
      const [, socket] = await once(outgoing, 'upgrade');
      endings.push(() => socket.destroy());
    });
    const [client] = await spans.waitFor(SpanKind.CLIENT, 1);
    const [received] = await spans.waitFor(SpanKind.SERVER, 1);
    const switched = { ...COMPLETE, statusCode: 101 };
    expect([client!, received!].map(outcomeOf)).toEqual([switched, switched]);
  });

  it.each<[what: string, answer: (socket: { destroy(): void; end(text: string): void }) => void, outcome: object]>([
    ['is refused', (socket) => socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n'), { ...COMPLETE, statusCode: 401 }],
    ['fails', (socket) => socket.destroy(), CANCELLED],
  ])('that %s has one span', async (_, answer, outcome) => {
    const spans = start();
    const { port } = await startServer(http.createServer().on('upgrade', (_, socket) => answer(socket)));
    await exchange(port, HANDSHAKE);
    expect((await spans.waitFor(SpanKind.SERVER, 1)).map(outcomeOf)).toEqual([outcome]);
  });
});

it.each<[what: string, listen: (server: http.Server) => unknown]>([
  [
    'node:http',
    (server) => server.on('request', (incoming, response) => incoming.on('end', () => response.end()).resume()),
  ],
  [
    'the application',
    (server) =>
      server.on('checkContinue', (incoming, response) => {
        response.writeContinue();
        incoming.on('end', () => response.end()).resume();
      }),
  ],
])('a request that waits for 100 Continue of %s has one CLIENT span and one SERVER span', async (_, prepare) => {
  const spans = start();
  const server = http.createServer();
  prepare(server);
  const { url } = await startServer(server);
  await inSpan(async () => {
    const outgoing = http.request(url, { method: 'POST', headers: { expect: '100-continue' } });
    outgoing.on('continue', () => outgoing.end('body'));
    outgoing.flushHeaders();
    const [response] = await once(outgoing, 'response');
    await once(response.resume(), 'end');
  });
  const ended = [...(await spans.waitFor(SpanKind.CLIENT, 1)), ...(await spans.waitFor(SpanKind.SERVER, 1))];
  expect(ended.map(outcomeOf)).toEqual([COMPLETE, COMPLETE]);
});

describe('the span of an outgoing request ends', () => {
  /** Larger than what sockets and streams buffer. */
  const LARGE = Buffer.alloc(16_000_000);
  /** The parts of a response, as the path names them. */
  const serveParts = () =>
    startServer(({ url, socket }, response) => {
      if (url === '/never') return;
      if (url === '/broken') socket.destroy();
      else if (url === '/large') response.end(LARGE);
      else response.write('first', () => url === '/torn' && socket.destroy());
    });

  it.each<[what: string, send: (url: string, server: http.Server) => Promise<unknown>, outcome: object]>([
    [
      'when a fetch is aborted',
      async (url, server) => {
        const controller = new AbortController();
        server.once('request', () => controller.abort());
        await fetch(`${url}/never`, { signal: controller.signal }).catch(() => undefined);
      },
      { statusCode: undefined, isError: true },
    ],
    [
      'when the body of a fetch is cancelled',
      async (url) => (await fetch(`${url}/open`)).body!.cancel(),
      { statusCode: 200, isError: true },
    ],
    [
      'when the connection of a fetch breaks',
      (url) => fetch(`${url}/broken`).catch(() => undefined),
      { statusCode: undefined, errorType: 'UND_ERR_SOCKET', isError: true },
    ],
    [
      'when the body of a fetch is torn',
      async (url) => (await fetch(`${url}/torn`)).text().catch(() => undefined),
      { statusCode: 200, errorType: 'UND_ERR_SOCKET', isError: true },
    ],
    [
      'when a request of node:http is destroyed',
      async (url) => {
        const outgoing = http.get(`${url}/never`).on('error', () => undefined);
        outgoing.on('socket', (socket) => socket.on('connect', () => outgoing.destroy()));
        await new Promise((resolve) => outgoing.on('close', resolve));
      },
      { statusCode: undefined, errorType: 'ECONNRESET', isError: true },
    ],
    [
      'when a request of node:http takes too long',
      async (url) => {
        const outgoing = http.get(`${url}/never`, { timeout: 20 }).on('error', () => undefined);
        outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })));
        await new Promise((resolve) => outgoing.on('close', resolve));
      },
      { statusCode: undefined, errorType: 'ETIMEDOUT', isError: true },
    ],
    [
      'when the response of node:http is torn',
      (url) => request(`${url}/torn`).catch(() => undefined),
      { statusCode: 200, errorType: 'ECONNRESET', isError: true },
    ],
  ])('%s', async (_, send, outcome) => {
    const spans = start();
    const { url, server } = await serveParts();
    await inSpan(() => send(url, server));
    server.closeAllConnections();
    expect((await spans.waitFor(SpanKind.CLIENT, 1)).map(outcomeOf)).toMatchObject([outcome]);
  });

  it('with the last part of a streamed response', async () => {
    const spans = start();
    const { url } = await startServer(async (_, response) => {
      for (const part of ['a', 'b', 'c']) await new Promise((resolve) => response.write(part, resolve));
      response.end();
    });
    await inSpan(async () => {
      let text = '';
      for await (const part of (await fetch(url)).body!) text += Buffer.from(part);
      expect(text).toBe('abc');
    });
    const ended = [...(await spans.waitFor(SpanKind.CLIENT, 1)), ...(await spans.waitFor(SpanKind.SERVER, 1))];
    expect(ended.map(outcomeOf)).toEqual([COMPLETE, COMPLETE]);
  });

  it('when the body that nobody reads is collected', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const spans = start();
    const { url } = await serveParts();
    await inSpan(async () => expect((await fetch(`${url}/large`)).status).toBe(200));
    const collecting = setInterval(collect, 20);
    endings.push(() => clearInterval(collecting));
    const [client] = await spans.waitFor(SpanKind.CLIENT, 1);
    expect(outcomeOf(client!)).toMatchObject({ statusCode: 200 });
  });
});
