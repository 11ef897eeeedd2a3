import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';

/** A proxy on a local port. Whatever host it is asked for, it asks 127.0.0.1. */
export class ForwardingProxy {
  /** How many requests and tunnels came this way. */
  count = 0;
  #port = 0;
  #server = http.createServer((incoming, outgoing) => {
    this.count += 1;
    const { port, pathname, search } = new URL(incoming.url ?? '/');
    const { method, headers } = incoming;
    const request = http.request({ host: '127.0.0.1', port, path: pathname + search, method, headers });
    request.on('response', (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 0, answer.headers)));
    request.on('error', () => outgoing.destroy());
    incoming.pipe(request);
  });

  constructor() {
    this.#server.on('connect', (/** @type {http.IncomingMessage} */ { url = '' }, socket) => {
      this.count += 1;
      const upstream = net.connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
    });
  }

  async open() {
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = /** @type {net.AddressInfo} */ (this.#server.address()).port;
  }

  async close() {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }
}
