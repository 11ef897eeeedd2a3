import { textOf } from './attribute-text.js';

/** The address of a request, taken apart for display. */
export interface SpanUrl {
  /** `scheme://host/path`, or the path alone; without query, fragment, credentials and the ports 80 and 443. */
  readonly url: string;
  /** Without the leading `?`. */
  readonly query?: string;
  /** Without the leading `#`. */
  readonly fragment?: string;
}

type Attributes = Readonly<Record<string, unknown>>;

const HIDDEN_CREDENTIALS = '[filtered]:[filtered]@';

/**
 * Takes a URL apart by its delimiters; `URL` would cost ten times as much, refuse relative addresses and rewrite others.
 *
 * @param url absolute or relative; of anything else, only query and fragment are taken off
 */
export function parseSpanUrl(url: string): SpanUrl {
  const base = withoutQuery(url);
  const fragmentAt = url.indexOf('#', base.length);
  const query = fragmentAt < 0 ? url.slice(base.length + 1) : url.slice(base.length + 1, fragmentAt);
  return {
    url: withoutSecrets(base),
    query: query || undefined,
    fragment: (fragmentAt >= 0 && url.slice(fragmentAt + 1)) || undefined,
  };
}

/** What comes before `?` and `#`. */
export function withoutQuery(url: string): string {
  const queryAt = url.indexOf('?');
  const fragmentAt = url.indexOf('#');
  if (queryAt < 0 && fragmentAt < 0) return url;
  return url.slice(0, queryAt < 0 || (fragmentAt >= 0 && fragmentAt < queryAt) ? fragmentAt : queryAt);
}

/**
 * Builds the address from the attributes of the stable conventions (`url.scheme`, `server.address`, `server.port`,
 * `url.path`, `url.query`), which servers get instead of a full URL.
 *
 * @returns `undefined` when scheme, host or path is unknown
 */
export function composeSpanUrl(attributes: Attributes): SpanUrl | undefined {
  const scheme = textOf(attributes['url.scheme']);
  const host = attributes['server.address'];
  const path = attributes['url.path'];
  if (!scheme || !host || typeof host !== 'string' || typeof path !== 'string') return undefined;
  const port = textOf(attributes['server.port']);
  // An IPv6 address comes without its brackets.
  const authority = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return {
    url: `${scheme}://${authority}${isDefaultPort(port) ? '' : `:${port}`}${path}`,
    query: queryOf(attributes['url.query']),
  };
}

function queryOf(query: unknown): string | undefined {
  if (!query || typeof query !== 'string') return undefined;
  return (query.startsWith('?') ? query.slice(1) : query) || undefined;
}

function isDefaultPort(port: string | undefined): boolean {
  return !port || [0, 80, 443].includes(Number(port));
}

function withoutSecrets(base: string): string {
  const start = authorityStart(base);
  if (start < 0) return base;
  const slash = base.indexOf('/', start);
  const end = slash < 0 ? base.length : slash;
  const authority = base.slice(start, end);
  const credentialsEnd = authority.lastIndexOf('@');
  const host = withoutDefaultPort(credentialsEnd < 0 ? authority : authority.slice(credentialsEnd + 1));
  if (host.length === authority.length) return base;
  return base.slice(0, start) + (credentialsEnd < 0 ? '' : HIDDEN_CREDENTIALS) + host + base.slice(end);
}

/** Where the host begins: after the first `//`, if that opens the address or follows its scheme. */
function authorityStart(base: string): number {
  const slash = base.indexOf('/');
  if (slash < 0 || base[slash + 1] !== '/') return -1;
  return slash === 0 || base[slash - 1] === ':' ? slash + 2 : -1;
}

function withoutDefaultPort(host: string): string {
  if (host.endsWith(':80')) return host.slice(0, -3);
  return host.endsWith(':443') ? host.slice(0, -4) : host;
}
