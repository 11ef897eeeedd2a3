import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { context, createContextKey, DiagLogLevel, diag, ROOT_CONTEXT } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { isTracingSuppressed } from '@opentelemetry/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { takeMistakes } from '../../../src/internal/options/mistakes.js';
import { SDK_VERSION } from '../../../src/internal/version.js';
import { HttpPoster } from '../../../src/transport/http/http-poster.js';
import { askOnly, startDnsServer } from '../../support/dns-server.js';
import { selfSigned } from '../../support/self-signed.js';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp();
});

interface Received {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

type Answer = (response: http.ServerResponse, index: number) => void;

/** A server that keeps what it gets and answers as told. */
async function listen(answer: Answer = (response) => void response.end('{"id":"x"}')) {
  const requests: Received[] = [];
  const connections: net.Socket[] = [];
  const server = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: await buffer(request) });
    answer(response, requests.length - 1);
  });
  // By default the server itself would end an idle connection after 5 seconds.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { requests, connections, url: urlOf(server) };
}

const urlOf = (server: net.Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/1/envelope/?a=b`;

function createPoster(url: string, options: Partial<ConstructorParameters<typeof HttpPoster>[0]> = {}) {
  const poster = new HttpPoster({
    url,
    headers: {},
    timeoutMillis: 5000,
    contentType: 'application/x-sentry-envelope',
    ...options,
  });
  cleanups.push(() => poster.close());
  return poster;
}

describe('a request', () => {
  it('reaches a server whose name takes three seconds to look up, at the second attempt', async () => {
    const { url, requests } = await listen();
    const names = await startDnsServer(async (_, type) => {
      await sleep(3000);
      return type === 'A' ? { a: ['127.0.0.1'] } : {};
    });
    cleanups.push(() => names.close(), askOnly(names.address));
    const poster = createPoster(url.replace('127.0.0.1', 'errors.example.test'));
    await expect(poster.post('{}')).rejects.toThrow();
    expect(await poster.post('{}')).toMatchObject({ statusCode: 200 });
    expect(requests).toHaveLength(1);
  }, 20_000);

  it('is a POST of the body, with its length and type', async () => {
    const { requests, url } = await listen();
    await createPoster(url).post('ü{}');
    expect(requests).toHaveLength(1);
    const { method, url: path, headers, body } = requests[0]!;
    expect({ method, path, body: String(body) }).toEqual({ method: 'POST', path: '/api/1/envelope/?a=b', body: 'ü{}' });
    expect(headers).toMatchObject({
      'content-length': '4',
      'content-type': 'application/x-sentry-envelope',
      'user-agent': `faultline.javascript.node/${SDK_VERSION}`,
    });
    expect(Object.keys(headers)).not.toContain('content-encoding');
    expect(Object.keys(headers)).not.toContain('transfer-encoding');
  });

  it('may take longer than the timeout while its body moves on', async () => {
    let received = 0;
    const server = net.createServer(async (socket) => {
      socket.on('error', () => undefined);
      for (const until of [8_000_000, 16_000_000, 24_000_000]) {
        await sleep(600);
        for (let chunk = socket.read(); received < until && !socket.destroyed; chunk = socket.read()) {
          received += chunk?.length ?? 0;
          if (chunk === null) await sleep(1);
        }
      }
      socket.on('data', (chunk: Buffer) => {
        received += chunk.byteLength;
        if (received > 30_000_000) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    const options = { timeoutMillis: 1000, compressFromBytes: Number.POSITIVE_INFINITY };
    expect(await createPoster(urlOf(server), options).post(randomBytes(30_000_000))).toMatchObject({ statusCode: 200 });
  }, 20_000);

  it('carries bytes as they are', async () => {
    const { requests, url } = await listen();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await createPoster(url).post(bytes);
    expect(requests[0]!.body).toEqual(Buffer.from(bytes));
  });

  it.each([
    ['32768 characters of one byte', false, 'x'.repeat(32_768)],
    ['32769 characters of one byte', true, 'x'.repeat(32_769)],
    ['20000 characters of two bytes', true, 'ü'.repeat(20_000)],
    ['32768 bytes', false, new Uint8Array(32_768)],
    ['32769 bytes', true, new Uint8Array(32_769)],
  ])('of %s is compressed: %s', async (_, isCompressed, body) => {
    const { requests, url } = await listen();
    await createPoster(url).post(body);
    const { headers, body: wire } = requests[0]!;
    expect(headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect(headers['content-length']).toBe(String(wire.length));
    expect(isCompressed ? gunzipSync(wire) : wire).toEqual(Buffer.from(body as string));
  });

  it('has the headers of the user, which win', async () => {
    const { requests, url } = await listen();
    await createPoster(url, { headers: { 'X-Mine': '1', 'USER-AGENT': 'me' } }).post('{}');
    expect(requests[0]!.headers).toMatchObject({ 'x-mine': '1', 'user-agent': 'me' });
  });

  it('names the host of its address, or the one of the headers', async () => {
    const { requests, url } = await listen();
    await createPoster(url).post('{}');
    await createPoster(url, { headers: { Host: 'errors.test' } }).post('{}');
    expect(requests.map(({ headers }) => headers.host)).toEqual([new URL(url).host, 'errors.test']);
  });

  it('asks a TLS server for the host of the headers', async () => {
    const names: unknown[] = [];
    const server = https.createServer(selfSigned, (_, response) => response.end('{}'));
    server.on('secureConnection', ({ servername }) => names.push(servername));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => void server.close());
    const url = urlOf(server).replace('http:', 'https:');
    const caCerts = [selfSigned.cert];
    for (const host of ['localhost:443', '127.0.0.1']) {
      await createPoster(url, { headers: { host }, caCerts }).post('{}');
    }
    expect(names).toEqual(['localhost', false]);
  });

  it('carries the user and the password of its address, unless the headers say otherwise', async () => {
    const { requests, url } = await listen();
    const withUser = url.replace('//', '//us%40er:p%3Aw@');
    await createPoster(withUser).post('{}');
    await createPoster(withUser, { headers: { Authorization: 'mine' } }).post('{}');
    const credentials = `Basic ${Buffer.from('us@er:p:w').toString('base64')}`;
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([credentials, 'mine']);
  });

  it('lacks headers of the user that contradict its body', async () => {
    const { requests, url } = await listen();
    const headers = { 'Content-Length': '1', 'content-encoding': 'br', 'Transfer-Encoding': 'chunked' };
    await createPoster(url, { headers }).post('{}');
    expect(requests[0]).toMatchObject({ body: Buffer.from('{}'), headers: { 'content-length': '2' } });
    expect(Object.keys(requests[0]!.headers)).not.toContain('content-encoding');
    expect(takeMistakes().map(({ problem }) => problem)).toEqual(
      ['Content-Length', 'content-encoding', 'Transfer-Encoding'].map(
        (name) => `"${name}" is set by the SDK; it is left out`,
      ),
    );
  });

  it('lacks a header that HTTP does not allow, and leaves all the same', async () => {
    const { requests, url } = await listen();
    const headers = { 'X-Bad': 'a\nb', 'not a name': 'x', 'X-None': undefined as unknown as string, 'X-Good': 'yes' };
    await createPoster(url, { headers }).post('{}');
    expect(
      Object.keys(requests[0]!.headers).filter((name) => !/^(host|connection|user-agent|content-)/.test(name)),
    ).toEqual(['x-good']);
  });

  it('runs with tracing suppressed, and in no context of the application', async () => {
    const { url } = await listen();
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const key = createContextKey('of the application');
    const seen: [isSuppressed: boolean, ofHost: unknown][] = [];
    const look = () => void seen.push([isTracingSuppressed(context.active()), context.active().getValue(key)]);
    subscribe('http.client.request.start', look);
    cleanups.push(
      () => context.disable(),
      () => unsubscribe('http.client.request.start', look),
    );
    const poster = createPoster(url);
    await context.with(ROOT_CONTEXT.setValue(key, 'x'), async () => {
      await poster.post('{}');
      expect(context.active().getValue(key)).toBe('x');
      await poster.post('x'.repeat(40_000));
    });
    expect(seen).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });
});

describe('an answer', () => {
  it('is its status and its headers, whatever the status', async () => {
    const { url } = await listen((response) => {
      response.writeHead(429, { 'Retry-After': '5', 'X-Many': ['a', 'b'] }).end();
    });
    expect(await createPoster(url).post('{}')).toMatchObject({
      statusCode: 429,
      headers: { 'retry-after': '5', 'x-many': 'a, b' },
    });
  });

  it.each([
    ['is longer than anybody needs', (response: http.ServerResponse) => void response.end('x'.repeat(5_000_000))],
    ['breaks off', (response: http.ServerResponse) => void response.write('x', () => response.destroy())],
    ['never ends', (response: http.ServerResponse) => void response.write('x')],
  ])('counts although its body %s', async (_, send) => {
    const { url } = await listen((response) => {
      response.writeHead(200, { 'content-length': 5_000_000 });
      send(response);
    });
    expect(await createPoster(url, { timeoutMillis: 100 }).post('{}')).toMatchObject({ statusCode: 200 });
  });

  it('is not read to its end when it has none', async () => {
    const { url } = await listen((response) => {
      const writeOn = (): unknown =>
        setImmediate(() => response.destroyed || response.write('x'.repeat(1000), writeOn));
      writeOn();
    });
    expect(await createPoster(url, { timeoutMillis: 60_000 }).post('{}')).toMatchObject({ statusCode: 200 });
  });

  it('counts although its headers are longer than Node reads by default', async () => {
    const { requests, url } = await listen((response) => void response.setHeader('x-long', 'x'.repeat(100_000)).end());
    expect(await createPoster(url).post('{}')).toMatchObject({ statusCode: 200 });
    expect(requests).toHaveLength(1);
  });

  it('that comes before the whole body has left counts at once', async () => {
    const server = net.createServer((socket) => {
      socket.once('data', () => socket.pause().write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    // Random bytes, so that they stay too many for the buffers between here and there.
    const body = randomBytes(30_000_000);
    expect(await createPoster(urlOf(server), { timeoutMillis: 60_000 }).post(body)).toMatchObject({ statusCode: 413 });
  });

  it.each([
    [true, 'a page', 'text/html; charset=utf-8', '\n<!DOCTYPE html><title>Shop</title>'],
    [true, 'a page whose type is in capitals', 'Text/HTML', '<html>'],
    [true, 'a page that is not read to its end', 'text/html', `<html>${'x'.repeat(200_000)}`],
    [true, 'XHTML', 'application/xhtml+xml', '<?xml version="1.0"?><html>'],
    [undefined, 'HTML without content', 'text/html', ''],
    [undefined, 'a word that is called HTML', 'text/html', 'ok'],
    [undefined, 'JSON', 'application/json', '{"id":"x"}'],
    [undefined, 'plain text', 'text/plain', '<ok>'],
  ])('is a web page (%s) when it is %s', async (isWebPage, _, type, body) => {
    const { url } = await listen((response) => void response.writeHead(200, { 'content-type': type }).end(body));
    expect((await createPoster(url).post('x')).isWebPage).toBe(isWebPage);
  });

  it('is a web page when nothing names its type', async () => {
    const { url } = await listen((response) => void response.end('<!doctype html>'));
    expect((await createPoster(url).post('x')).isWebPage).toBe(true);
  });

  it('that redirects is not followed', async () => {
    const elsewhere = await listen();
    const { requests, url } = await listen((response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    expect(await createPoster(url).post('{}')).toMatchObject({ statusCode: 307 });
    expect([requests.length, elsewhere.requests.length]).toEqual([1, 0]);
  });

  it('that says why is repeated to those who debug', async () => {
    const { url } = await listen((response) => void response.writeHead(400, { 'X-Sentry-Error': 'bad item' }).end());
    const debug = vi.fn();
    const silent = () => undefined;
    diag.setLogger({ debug, error: silent, warn: silent, info: silent, verbose: silent }, DiagLogLevel.DEBUG);
    cleanups.push(() => diag.disable());
    await createPoster(url).post('{}');
    expect(debug.mock.calls).toContainEqual(['faultline/transport', 'the destination answered 400: bad item']);
  });
});

describe('a request fails', () => {
  it('when nobody listens', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = urlOf(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(createPoster(url).post('{}')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('when no answer comes in time', async () => {
    const { requests, url } = await listen(() => undefined);
    await expect(createPoster(url, { timeoutMillis: 50 }).post('{}')).rejects.toThrow('no answer within 50 ms');
    expect(requests).toHaveLength(1);
  });

  it('when no answer comes in ten times that, though the body moves on', async () => {
    const server = net.createServer(async (socket) => {
      socket.on('error', () => undefined).on('data', () => undefined);
      for (; !socket.destroyed; await sleep(10)) socket.pause().read(128 * 1024);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    const options = { timeoutMillis: 300, compressFromBytes: Number.POSITIVE_INFINITY };
    const begin = performance.now();
    const posted = createPoster(urlOf(server), options).post(randomBytes(100_000_000));
    await expect(posted).rejects.toThrow('no answer within 300 ms');
    expect(performance.now() - begin).toBeGreaterThan(1000);
  }, 20_000);

  it('when the connection ends without an answer', async () => {
    const { requests, url } = await listen((response) => void response.destroy());
    await expect(createPoster(url).post('{}')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toHaveLength(1);
  });

  it('when the answer is no HTTP', async () => {
    const server = net.createServer((socket) => void socket.end('hello\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    await expect(createPoster(urlOf(server)).post('{}')).rejects.toMatchObject({ code: 'HPE_INVALID_CONSTANT' });
  });

  it.each(['', 'nonsense', '/relative'])('when the address is %j', async (url) => {
    await expect(createPoster(url).post('{}')).rejects.toThrow('not a URL');
  });

  it('when the poster is closed while it is under way, and afterwards', async () => {
    const { url } = await listen(() => poster.close());
    const poster = createPoster(url);
    await expect(poster.post('{}')).rejects.toThrow();
    await expect(poster.post('{}')).rejects.toThrow('closed');
  });
});

describe('a connection', () => {
  it('is used again', async () => {
    const { requests, connections, url } = await listen();
    const poster = createPoster(url);
    for (let i = 0; i < 5; i++) await poster.post('{}');
    expect([requests.length, connections.length]).toEqual([5, 1]);
  });

  it('is used again after a long answer of a few kilobytes', async () => {
    const { connections, url } = await listen((response) => void response.end('x'.repeat(20_000)));
    const poster = createPoster(url);
    for (let i = 0; i < 3; i++) await poster.post('{}');
    expect(connections).toHaveLength(1);
  });

  it('that the server closed in the moment of its use is replaced, and the request repeated', async () => {
    const { requests, connections, url } = await listen((response, index) => {
      if (index === 1) response.destroy();
      else response.end();
    });
    const poster = createPoster(url);
    await poster.post('first');
    expect(await poster.post('second')).toMatchObject({ statusCode: 200 });
    expect(requests.map(({ body }) => String(body))).toEqual(['first', 'second', 'second']);
    expect(connections).toHaveLength(2);
  });

  it('ends when the poster is closed', async () => {
    const { connections, url } = await listen();
    const poster = createPoster(url);
    await poster.post('{}');
    expect(connections.map(({ closed }) => closed)).toEqual([false]);
    const ended = new Promise((resolve) => connections[0]!.once('close', resolve));
    poster.close();
    await ended;
  });
});
