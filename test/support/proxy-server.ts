import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';

export interface ProxyOptions {
  /** Makes it a proxy that is spoken to with TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The status of the proxy's answer; `undefined` for none. Requests that name a whole URL are forwarded at 200. @default 200 */
  readonly answer?: () => number | undefined;
}

/** An HTTP proxy on a real local port: opens tunnels, and forwards requests that name a whole URL. */
export async function startProxy({ tls, answer = () => 200 }: ProxyOptions = {}) {
  const tunnels: { target: string; authorization: string | undefined }[] = [];
  const forwarded: { url: string; host: string | undefined; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const forward: http.RequestListener = (request, response) => {
    const { url = '', method, headers } = request;
    forwarded.push({ url, host: headers.host, authorization: headers['proxy-authorization'] });
    const status = answer();
    if (status !== 200) {
      if (status !== undefined) response.writeHead(status).end();
      return;
    }
    const onward = http.request(url, { method, headers }, (result) => {
      response.writeHead(result.statusCode ?? 0, result.headers);
      result.pipe(response);
    });
    request.pipe(onward);
  };
  const server = tls ? https.createServer(tls, forward) : http.createServer(forward);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', (request: http.IncomingMessage, socket: Socket) => {
    const { url: target = '', headers } = request;
    tunnels.push({ target, authorization: headers['proxy-authorization'] });
    const status = answer();
    if (status === undefined) return;
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${target}`);
    const onward = net.connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    for (const one of [onward, socket]) one.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, url: `http${tls ? 's' : ''}://127.0.0.1:${port}`, tunnels, forwarded, close };
}
