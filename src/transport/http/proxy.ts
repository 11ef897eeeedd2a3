import { BlockList, isIP, isIPv6 } from 'node:net';
import { createLogger } from '../../internal/diag.js';
import { noteMistake } from '../../internal/options/mistakes.js';
import { isHttpUrl } from '../../internal/values/is-http-url.js';
import { readString } from '../../internal/values/read.js';
import { decodePercents } from '../../internal/values/strings.js';

export const PROXY_AUTHENTICATION_REQUIRED = 407;

const OPTION = 'transportOptions.proxy';

const log = createLogger('transport');

/**
 * Chooses the proxy for a destination: from the option, else from the environment variables, lower-case ones first.
 * `no_proxy` and loopback addresses exempt a destination from the variables.
 *
 * @param option `transportOptions.proxy`: a URL, or `false` for no proxy
 * @returns `undefined` for a direct connection
 */
export function findProxy(destination: string, option: unknown, env: NodeJS.ProcessEnv): URL | undefined {
  if (option === false) return undefined;
  if (option !== undefined) return parseProxy(option, OPTION);
  const target = URL.canParse(destination) ? new URL(destination) : undefined;
  if (target === undefined || isLoopback(target) || isExempt(target, readVariable(env, 'no_proxy'))) return undefined;
  const variable = `${target.protocol.slice(0, -1)}_proxy`;
  const value = readVariable(env, variable);
  return value ? parseProxy(value, variable) : undefined;
}

/** The proxy cannot be reached, or opens no tunnel. The message has neither its user nor its password. */
export class ProxyError extends Error {
  readonly code = 'EPROXY';

  /** @param why the error of the connection, or the status of the answer */
  constructor(proxy: URL, why: unknown) {
    super(`the proxy ${proxy.host} ${typeof why === 'number' ? describeStatus(why) : describeError(why)}`);
    this.name = 'ProxyError';
  }
}

function describeStatus(statusCode: number): string {
  const advice = statusCode === PROXY_AUTHENTICATION_REQUIRED ? ': put user and password into its URL' : '';
  return `answers ${statusCode}${advice}`;
}

function describeError(error: unknown): string {
  return `cannot be reached: ${readString(error, 'code') ?? readString(error, 'message')}`;
}

/** The header that carries the credentials in the URL of a proxy, if there are any. */
export function authorize({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = Buffer.from(`${decodePercents(username)}:${decodePercents(password)}`).toString('base64');
  return { 'proxy-authorization': `Basic ${credentials}` };
}

/** A proxy that cannot be used is reported without its value, which may hold a password. */
function parseProxy(value: unknown, name: string): URL | undefined {
  const url = typeof value === 'string' ? value.trim() : '';
  const absolute = url.includes('://') ? url : `http://${url}`;
  if (isHttpUrl(absolute)) {
    const proxy = new URL(absolute);
    log.info(`${name}: requests go through the proxy ${proxy.host}`);
    return proxy;
  }
  const problem = 'must be the URL of an HTTP proxy (http://host:port); it is ignored, and no proxy is used';
  // Other tools read the same variables, and some of them support other proxies.
  noteMistake({ owner: name, problem, isCostly: name === OPTION });
  return undefined;
}

function readVariable(env: NodeJS.ProcessEnv, name: string): string {
  return readString(env, name) || readString(env, name.toUpperCase()) || '';
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/**
 * Whether `no_proxy` lists a destination: `*`, a domain (which stands for its subdomains, too, with or without a dot in
 * front), an address or a range of addresses (`10.0.0.0/8`), each also with a port.
 */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(isIPv6(entry) ? `[${entry}]` : entry)!;
    if (name === '' || (onlyPort !== undefined && onlyPort !== ownPort)) return false;
    const pattern = name.toLowerCase().replace(/^\[|\]$/g, '');
    if (isIP(host)) return pattern === host || isInRange(host, pattern);
    const domain = pattern.replace(/^\*?\./, '');
    return host === domain || host.endsWith(`.${domain}`);
  });
}

function isInRange(address: string, range: string): boolean {
  const [network = '', prefix = ''] = range.split('/');
  const family = isIP(network);
  const bits = Number(prefix || Number.NaN);
  if (family === 0 || family !== isIP(address) || !(bits >= 0 && bits <= (family === 6 ? 128 : 32))) return false;
  const ranges = new BlockList();
  ranges.addSubnet(network, bits, family === 6 ? 'ipv6' : 'ipv4');
  return ranges.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
