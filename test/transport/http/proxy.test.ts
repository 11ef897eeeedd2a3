import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { takeMistakes } from '../../../src/internal/options/mistakes.js';
import type { TransportOptions } from '../../../src/model/delivery/transport.js';
import { createHttpTransport } from '../../../src/transport/create-outbox.js';
import { describeCause } from '../../../src/transport/describe-cause.js';
import { HttpPoster } from '../../../src/transport/http/http-poster.js';
import { findProxy } from '../../../src/transport/http/proxy.js';
import { type ProxyOptions, startProxy } from '../../support/proxy-server.js';
import { selfSigned } from '../../support/self-signed.js';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp();
});

async function listen({ tls = false, host = '127.0.0.1' } = {}) {
  const bodies: string[] = [];
  const connections: net.Socket[] = [];
  const take: http.RequestListener = (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(body);
      response.end('{}');
    });
  };
  const server = tls ? https.createServer(selfSigned, take) : http.createServer(take);
  server.on('connection', (socket: net.Socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const authority = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
  return { url: `http${tls ? 's' : ''}://${authority}/api/1/envelope/?a=b`, authority, bodies, connections };
}

async function serveProxy(options?: ProxyOptions) {
  const proxy = await startProxy(options);
  cleanups.push(proxy.close);
  return proxy;
}

function createPoster(url: string, proxy: string | undefined, caCerts?: string[]) {
  const poster = new HttpPoster({
    url,
    headers: {},
    timeoutMillis: 10_000,
    contentType: 'text/plain',
    proxy: proxy === undefined ? undefined : new URL(proxy),
    caCerts,
  });
  cleanups.push(() => poster.close());
  return poster;
}

/** What the SDK logs during a test. */
function collectLog(): string[] {
  const lines: string[] = [];
  const add = (...parts: unknown[]) => {
    lines.push(parts.map(String).join(' '));
  };
  diag.setLogger({ error: add, warn: add, info: add, debug: add, verbose: add }, DiagLogLevel.ALL);
  cleanups.push(() => diag.disable());
  return lines;
}

describe('through a proxy', () => {
  it('a TLS destination is reached by a tunnel, which is used again', async () => {
    const destination = await listen({ tls: true });
    const proxy = await serveProxy();
    const poster = createPoster(destination.url, proxy.url, [selfSigned.cert]);
    for (const body of ['first', 'second']) expect(await poster.post(body)).toMatchObject({ statusCode: 200 });
    expect(destination.bodies).toEqual(['first', 'second']);
    expect(proxy.tunnels).toEqual([{ target: destination.authority, authorization: undefined }]);
    expect(proxy.forwarded).toEqual([]);
  });

  it('a plain destination is reached by requests that name the whole URL', async () => {
    const destination = await listen();
    const proxy = await serveProxy();
    const poster = createPoster(destination.url, proxy.url.replace('//', '//us%40er:p%3Aw@'));
    expect(await poster.post('body')).toMatchObject({ statusCode: 200 });
    expect(destination.bodies).toEqual(['body']);
    const authorization = `Basic ${Buffer.from('us@er:p:w').toString('base64')}`;
    expect(proxy.forwarded).toEqual([{ url: destination.url, host: destination.authority, authorization }]);
    expect(proxy.tunnels).toEqual([]);
  });

  it.each([true, false])('that is spoken to with TLS, a destination with TLS (%s) is reached', async (tls) => {
    const destination = await listen({ tls });
    const proxy = await serveProxy({ tls: selfSigned });
    const poster = createPoster(destination.url, proxy.url, [selfSigned.cert]);
    expect(await poster.post('body')).toMatchObject({ statusCode: 200 });
    expect([proxy.tunnels.length, proxy.forwarded.length]).toEqual(tls ? [1, 0] : [0, 1]);
  });

  it('an IPv6 destination is reached', async () => {
    const destination = await listen({ tls: true, host: '::1' });
    const proxy = await serveProxy();
    const poster = createPoster(destination.url, proxy.url, [selfSigned.cert]);
    await expect(poster.post('body')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(proxy.tunnels).toMatchObject([{ target: destination.authority }]);
  });

  it.each([
    [407, 'answers 407: put user and password into its URL'],
    [403, 'answers 403'],
  ])('that answers %i, nothing is reached, and the message says why without the credentials', async (status, says) => {
    const proxy = await serveProxy({ answer: () => status });
    const poster = createPoster('https://127.0.0.1:9/', proxy.url.replace('//', '//user:secret@'));
    const error = await poster.post('body').catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'EPROXY', message: `the proxy 127.0.0.1:${proxy.port} ${says}` });
    expect(describeCause(error)).toBe(`, because the proxy 127.0.0.1:${proxy.port} ${says}`);
    expect(proxy.tunnels).toMatchObject([{ authorization: expect.stringMatching(/^Basic /) }]);
  });

  it('that answers 407 to a request for a plain destination, which has not seen it, there is no answer', async () => {
    const proxy = await serveProxy({ answer: () => 407 });
    const error = await createPoster('http://127.0.0.1:9/', proxy.url)
      .post('body')
      .catch((reason: Error) => reason);
    const message = `the proxy 127.0.0.1:${proxy.port} answers 407: put user and password into its URL`;
    expect(error).toMatchObject({ code: 'EPROXY', message });
    expect(proxy.forwarded).toHaveLength(1);
  });

  it.each(['https://127.0.0.1:9/', 'http://127.0.0.1:9/'])('that is down, %s is not reached', async (url) => {
    const { close, ...proxy } = await startProxy();
    close();
    const error = await createPoster(url, proxy.url.replace('//', '//user:secret@'))
      .post('body')
      .catch((reason: Error) => reason);
    expect(error).toMatchObject({ message: `the proxy 127.0.0.1:${proxy.port} cannot be reached: ECONNREFUSED` });
  });

  it('that never answers, a request ends when the poster is closed', async () => {
    const proxy = await serveProxy({ answer: () => undefined });
    const poster = createPoster('https://127.0.0.1:9/', proxy.url);
    const posted = poster.post('body');
    while (proxy.tunnels.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    poster.close();
    await expect(posted).rejects.toThrow('closed');
  });
});

describe('without a proxy', () => {
  it.each([true, false])('an IPv6 destination with TLS (%s) gets its requests', async (tls) => {
    const destination = await listen({ tls, host: '::1' });
    const posted = createPoster(destination.url, undefined, [selfSigned.cert]).post('body');
    if (!tls) {
      expect(await posted).toMatchObject({ statusCode: 200 });
      return;
    }
    // It was connected to, and its certificate was judged, which names another address.
    await expect(posted).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('a certificate of an unknown authority is refused, and one of caCerts accepted', async () => {
    const { url, bodies } = await listen({ tls: true });
    const error = await createPoster(url, undefined)
      .post('body')
      .catch((reason: unknown) => reason);
    expect(describeCause(error)).toContain('name its authority in transportOptions.caCerts or NODE_EXTRA_CA_CERTS');
    await createPoster(url, undefined, [selfSigned.cert]).post('body');
    expect(bodies).toEqual(['body']);
  });
});

describe('transportOptions', () => {
  const options: TransportOptions = {
    url: '',
    headers: {},
    bufferSize: 10,
    timeoutMillis: 10_000,
    recordDroppedEvent: () => undefined,
  };
  const send = async (own: Partial<TransportOptions>) => {
    const transport = createHttpTransport({ ...options, ...own });
    cleanups.push(() => transport.close());
    return transport.send([{}, [[{ type: 'event' }, {}]]]);
  };

  it.each([
    ['a string', selfSigned.cert],
    ['bytes', Buffer.from(selfSigned.cert)],
    ['a list', [Buffer.from(selfSigned.cert)]],
  ])('caCerts may be %s, and proxy a host and port', async (_, caCerts) => {
    const { url, bodies } = await listen({ tls: true });
    const proxy = await serveProxy();
    expect(await send({ url, caCerts, proxy: `127.0.0.1:${proxy.port}` })).toMatchObject({ statusCode: 200 });
    expect([bodies.length, proxy.tunnels.length]).toEqual([1, 1]);
  });

  it('that cannot be used are ignored, with a message that has no password', async () => {
    takeMistakes();
    const { url } = await listen();
    const own = { caCerts: 'nonsense', proxy: 'socks5://user:secret@127.0.0.1:1' };
    expect(await send({ url, ...own })).toMatchObject({ statusCode: 200 });
    const mistakes = takeMistakes();
    expect(mistakes.map(({ owner }) => owner).sort()).toEqual(['transportOptions.caCerts', 'transportOptions.proxy']);
    expect(JSON.stringify(mistakes)).not.toContain('secret');
  });

  it('proxy with a password is logged without it', async () => {
    const log = collectLog();
    const { url } = await listen();
    const proxy = await serveProxy();
    await send({ url, proxy: proxy.url.replace('//', '//user:secret@') });
    expect(log.join('\n')).toContain(`requests go through the proxy 127.0.0.1:${proxy.port}`);
    expect(log.join('\n')).not.toMatch(/secret|user/);
  });
});

describe('the proxy for', () => {
  const https_proxy = 'http://secure:1';
  const http_proxy = 'http://plain:2';
  const exempt = (no_proxy: string) => ({ https_proxy, no_proxy });
  const https443 = 'https://errors.example.com/api/1/';

  it.each<[string, unknown, NodeJS.ProcessEnv, string | undefined]>([
    [https443, undefined, {}, undefined],
    [https443, undefined, { https_proxy, http_proxy }, 'secure:1'],
    ['http://errors.example.com/', undefined, { https_proxy, http_proxy }, 'plain:2'],
    ['http://errors.example.com/', undefined, { https_proxy }, undefined],
    [https443, undefined, { HTTPS_PROXY: 'http://upper:3' }, 'upper:3'],
    [https443, undefined, { HTTPS_PROXY: 'http://upper:3', https_proxy }, 'secure:1'],
    ['http://errors.example.com/', undefined, { HTTP_PROXY: 'upper:3' }, 'upper:3'],
    [https443, 'http://option:4', { https_proxy, no_proxy: '*' }, 'option:4'],
    [https443, false, { https_proxy }, undefined],
    [https443, '', { https_proxy }, undefined],
    [https443, undefined, { https_proxy: 'socks5://x:1' }, undefined],
    ['https://localhost/', undefined, { https_proxy }, undefined],
    ['https://127.0.0.1/', undefined, { https_proxy }, undefined],
    ['https://[::1]/', undefined, { https_proxy }, undefined],
    [https443, undefined, exempt('*'), undefined],
    [https443, undefined, { https_proxy, NO_PROXY: '*' }, undefined],
    [https443, undefined, exempt('errors.example.com'), undefined],
    [https443, undefined, exempt('other.com, Example.COM'), undefined],
    [https443, undefined, exempt('.example.com'), undefined],
    [https443, undefined, exempt('*.example.com'), undefined],
    [https443, undefined, exempt('ample.com other'), 'secure:1'],
    [https443, undefined, exempt('example.com:443'), undefined],
    [https443, undefined, exempt('example.com:8443'), 'secure:1'],
    ['https://example.com/', undefined, exempt('.example.com'), undefined],
    ['https://10.1.2.3/', undefined, exempt('10.0.0.0/8'), undefined],
    ['https://11.1.2.3/', undefined, exempt('10.0.0.0/8'), 'secure:1'],
    ['https://11.1.2.3/', undefined, exempt('11.1.2.3'), undefined],
    ['https://11.1.2.3/', undefined, exempt('10.0.0.0/99,/,:,[,10.0.0.0/'), 'secure:1'],
    ['https://[fd00::1]/', undefined, exempt('fd00::/8'), undefined],
    ['https://[fd00::1]:8443/', undefined, exempt('[fd00::1]:8443'), undefined],
    ['https://[fd00::1]/', undefined, exempt('fd00::1'), undefined],
  ])('%s with %j and %j', (destination, option, env, expected) => {
    expect(findProxy(destination, option, env)?.host).toBe(expected);
  });
});
