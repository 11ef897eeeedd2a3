import http from 'node:http';
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

/** Sends bytes on one connection, and gives what comes back until the server closes it. */
export function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    import('node:net').then(({ connect }) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer)).on('error', reject);
    }, reject);
  });
}
