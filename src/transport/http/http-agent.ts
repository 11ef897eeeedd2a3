import * as http from 'node:http';
import type * as https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { unref } from '../../internal/unref.js';
import { MAX_IN_FLIGHT } from '../stages/queue.js';
import { unobserved } from '../unobserved.js';
import type { Connecting } from './http-connecting.js';
import { authorize, ProxyError } from './proxy.js';

const TUNNEL_TIMEOUT_MILLIS = 5000;

interface RouteOptions {
  readonly target: URL;
  readonly proxy: URL | undefined;
  /** Authorities to trust in place of Node's. */
  readonly caCerts: string[] | undefined;
  /** Looks up the proxy, or else the target. */
  readonly lookup: LookupFunction;
  readonly connecting: Connecting;
}

/** How requests reach the target. */
export interface Route {
  /** Knows the protocol, so that `http.request` works for TLS, too. */
  readonly agent: http.Agent;
  readonly address: Address;
  readonly headers: Readonly<Record<string, string>>;
  /** The proxy, if requests are addressed to it. */
  readonly proxy?: URL;
}

/** The server to connect to, and what to ask it for. */
type Address = Readonly<Pick<http.RequestOptions, 'protocol' | 'hostname' | 'port' | 'path' | 'auth'>>;

/**
 * Plans how requests reach the target: directly; through a tunnel that the proxy opens, if the target speaks TLS; else
 * as requests to the proxy, with the whole URL in place of the path.
 */
export function planRoute({ target, proxy, caCerts, lookup, connecting }: RouteOptions): Route {
  const settings: https.AgentOptions = { keepAlive: true, maxSockets: MAX_IN_FLIGHT, lookup };
  if (caCerts !== undefined) settings.ca = caCerts;
  const address = urlToHttpOptions(target);
  if (target.protocol === 'https:') {
    const agent = proxy ? createTunnelAgent(settings, proxy, connecting) : new (loadHttps().Agent)(settings);
    return { agent, address, headers: {} };
  }
  if (proxy === undefined) return { agent: new http.Agent(settings), address, headers: {} };
  const { Agent } = proxy.protocol === 'https:' ? loadHttps() : http;
  return {
    agent: new Agent(settings),
    address: { ...address, ...serverOf(proxy), path: `${target.origin}${target.pathname}${target.search}` },
    headers: { host: target.host, ...authorize(proxy) },
    proxy,
  };
}

function serverOf(url: URL): Address {
  const { protocol, hostname, port } = urlToHttpOptions(url);
  return { protocol, hostname, port };
}

/** Not imported: loading it takes a tenth of the SDK's start, and not every process sends something. */
function loadHttps(): typeof https {
  return process.getBuiltinModule('node:https');
}

/** Connects to TLS servers through a proxy. */
function createTunnelAgent(settings: https.AgentOptions, proxy: URL, connecting: Connecting): http.Agent {
  const agent = new (loadHttps().Agent)(settings);
  const { createConnection, destroy } = agent;
  /** Requests for a tunnel that the proxy has not answered. */
  const requests = new Set<http.ClientRequest>();
  agent.createConnection = (
    options: https.RequestOptions,
    callback: (error: Error | null, socket: Duplex) => void = () => undefined,
  ): undefined => {
    const authority = `${isIPv6(options.host ?? '') ? `[${options.host}]` : options.host}:${options.port}`;
    const connect = openTunnel(proxy, authority, settings, connecting, (result) => {
      requests.delete(connect);
      if (result instanceof Error) callback(result, undefined as unknown as Duplex);
      else callback(null, createConnection.call(agent, { ...options, socket: result } as https.RequestOptions)!);
    });
    requests.add(connect);
    return undefined;
  };
  agent.destroy = () => {
    for (const request of requests) request.destroy(new Error('the transport was closed'));
    destroy.call(agent);
  };
  return agent;
}

/**
 * Asks the proxy for a tunnel, with `CONNECT`. Node creates the connections of an agent in the background, so the socket to
 * the proxy is unref'd here, and the answer of the proxy has a deadline.
 *
 * @param authority host and port at the end of the tunnel
 * @param done gets the tunnel, or why there is none; not called before the request is returned
 * @see RFC 9110 §9.3.6
 */
function openTunnel(
  proxy: URL,
  authority: string,
  { lookup, ca }: https.AgentOptions,
  connecting: Connecting,
  done: (result: Duplex | ProxyError) => void,
): http.ClientRequest {
  const { request } = proxy.protocol === 'https:' ? loadHttps() : http;
  const headers = { host: authority, ...authorize(proxy) };
  const options = { ...serverOf(proxy), lookup, ca, method: 'CONNECT', path: authority, headers, agent: false };
  const connect = unobserved(() => request(options as https.RequestOptions));
  const giveUp = () => connect.destroy(new Error(`no tunnel within ${TUNNEL_TIMEOUT_MILLIS} ms`));
  const limit = unref(setTimeout(giveUp, TUNNEL_TIMEOUT_MILLIS));
  connect.on('close', () => clearTimeout(limit));
  connect.on('socket', (socket) => connecting.add(connect, socket));
  connect.on('error', (error) => done(new ProxyError(proxy, error)));
  connect.on('connect', ({ statusCode = 0 }, socket) => {
    clearTimeout(limit);
    if (statusCode >= 200 && statusCode < 300) {
      done(socket);
      return;
    }
    socket.destroy();
    done(new ProxyError(proxy, statusCode));
  });
  connect.end();
  return connect;
}
