import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** A listening server on a local port. */
export interface TestServer {
  readonly server: http.Server;
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

export async function listen(server: http.Server, protocol = 'http'): Promise<TestServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    url: `${protocol}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function serve(listener: http.RequestListener): Promise<TestServer> {
  return listen(http.createServer(listener));
}

/** A shared secret in place of certificates. */
const TLS = {
  ciphers: 'PSK',
  maxVersion: 'TLSv1.2',
  pskIdentityHint: 'test',
} as const;
const SECRET = Buffer.from('d731ef57be09e5204f0b205b60627028', 'hex');

export function serveSecurely(listener: http.RequestListener): Promise<TestServer> {
  return listen(https.createServer({ ...TLS, pskCallback: () => SECRET }, listener), 'https');
}

/** What a client of `serveSecurely` needs. */
export const tlsClientOptions: https.RequestOptions = {
  ciphers: TLS.ciphers,
  maxVersion: TLS.maxVersion,
  checkServerIdentity: () => undefined,
  ...({ pskCallback: () => ({ psk: SECRET, identity: 'test' }) } as object),
};

/** A listening server of HTTP/2. */
export interface Http2TestServer {
  readonly url: string;
  /** One request with a body, on the connection that all share; resolves with the body of the answer. */
  send(headers: http2.OutgoingHttpHeaders, body?: string): Promise<string>;
  /** Requests without a body, at the same time. */
  request(...headers: http2.OutgoingHttpHeaders[]): Promise<string[]>;
  close(): Promise<void>;
}

export async function serveHttp2(server: http2.Http2Server | http2.Http2SecureServer): Promise<Http2TestServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const isSecure = 'setSecureContext' in server;
  const url = `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`;
  const session = http2.connect(url, isSecure ? (tlsClientOptions as http2.SecureClientSessionOptions) : {});
  const send = (headers: http2.OutgoingHttpHeaders, body?: string) => {
    const stream = session.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    return bodyOf(stream);
  };
  return {
    url,
    send,
    request: (...headers) => Promise.all(headers.map((one) => send(one))),
    async close() {
      await new Promise<void>((resolve) => {
        if (session.destroyed) resolve();
        else session.once('close', resolve).close();
      });
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Http2Listener = (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => unknown;

export function createSecureHttp2Server(listener: Http2Listener, allowHTTP1 = false): http2.Http2SecureServer {
  return http2.createSecureServer({ ...TLS, pskCallback: () => SECRET, allowHTTP1 }, listener);
}

function bodyOf(stream: http2.ClientHttp2Stream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    stream.on('end', () => resolve(text)).on('error', reject);
  });
}

export interface Answer {
  readonly statusCode: number;
  readonly body: string;
}

/** One request through `node:http` or `node:https`. */
export function request(url: string, options: https.RequestOptions = {}, body?: string | Buffer): Promise<Answer> {
  const { request: send } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { agent: false, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ statusCode: response.statusCode!, body: text }));
      response.on('error', reject);
    });
    outgoing.on('error', reject).end(body);
  });
}

/**
 * Sends bytes on one connection, and gives what comes back until the server closes it.
 *
 * @param reply sent when the first bytes have come back
 */
export function exchange(port: number, text: string, reply?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    import('node:net').then(({ connect }) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk;
      });
      if (reply !== undefined) socket.once('data', () => socket.write(reply));
      socket.on('close', () => resolve(answer)).on('error', reject);
    }, reject);
  });
}
