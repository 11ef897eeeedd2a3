import type { IncomingMessage } from 'node:http';

const LOCAL_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether a request comes from this machine and from no other web page. The port is bound to the loopback address; a page
 * of the web can still reach it through the browser, with a name of its own that resolves to 127.0.0.1 or by posting to it.
 *
 * @returns what is wrong, or `undefined`
 */
export function findForeignRequest({ headers }: IncomingMessage): string | undefined {
  const { host = '', origin } = headers;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (!LOCAL_NAMES.has(name)) return 'the Host header names no loopback address';
  if (origin !== undefined && origin !== `http://${host}`) return 'the request comes from another web page';
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return isForeign ? 'the request comes from another web page' : undefined;
}
