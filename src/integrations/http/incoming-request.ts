import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

type Headers = Record<string, string>;

/** What is read of a request, whatever version of HTTP it came in. */
export interface ReceivedMessage {
  readonly method?: string;
  readonly url?: string;
  /** Those of HTTP/2 include the pseudo-headers, which begin with a colon. */
  readonly headers: IncomingHttpHeaders;
  readonly socket?: Pick<Socket, 'remoteAddress'> | null;
  /** That of HTTP/2. */
  readonly stream?: object;
}

/**
 * A request that a server received, in the shape in which events carry it. Everything is read from the request when
 * somebody asks: a request without an event costs this object. Nothing is filtered here.
 */
export class IncomingRequest {
  readonly message: ReceivedMessage;
  readonly #readBody: (() => string | undefined) | undefined;

  /** @param readBody gives what has arrived of the body */
  constructor(message: ReceivedMessage, readBody?: () => string | undefined) {
    this.message = message;
    this.#readBody = readBody;
  }

  get method(): string {
    return this.message.method ?? 'GET';
  }

  /** With query; without the host, where the request does not name one. */
  get url(): string {
    const target = this.#target;
    if (!target.startsWith('/')) return target;
    const { headers, socket } = this.message;
    const host = firstOf(headers['x-forwarded-host']) ?? headers.host ?? firstOf(headers[':authority']);
    if (host === undefined) return target;
    const isEncrypted = (socket as Partial<TLSSocket> | null)?.encrypted === true;
    return `${firstOf(headers['x-forwarded-proto']) ?? (isEncrypted ? 'https' : 'http')}://${host}${target}`;
  }

  /** Lower-case names; several values of one name are joined. */
  get headers(): Headers {
    const result: Headers = {};
    for (const [name, value] of Object.entries(this.message.headers)) {
      if (value !== undefined && !name.startsWith(':')) result[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    return result;
  }

  get query_string(): string {
    const target = this.#target;
    const index = target.indexOf('?');
    return index < 0 ? '' : target.slice(index + 1);
  }

  get cookies(): Record<string, string> {
    return parseCookies(this.message.headers.cookie ?? '');
  }

  /** What has arrived of the body. */
  get data(): string | undefined {
    return this.#readBody?.();
  }

  /** Of the other end of the connection, which may be a proxy. */
  get remoteAddress(): string | undefined {
    return this.message.socket?.remoteAddress;
  }

  /** `METHOD /path`, or `METHOD /route/:id` once a router in the style of Express has said which route it took. */
  get transactionName(): string {
    return `${this.method} ${this.#route ?? this.#path}`;
  }

  /** Frameworks cut the part that they have consumed off `url`, and keep the whole. */
  get #target(): string {
    const { originalUrl } = this.message as { originalUrl?: unknown };
    return typeof originalUrl === 'string' ? originalUrl : (this.message.url ?? '/');
  }

  get #path(): string {
    return this.#target.replace(/^\w+:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '') || '/';
  }

  get #route(): string | undefined {
    const { baseUrl, route } = this.message as { baseUrl?: unknown; route?: { path?: unknown } };
    const pattern = route?.path;
    if (typeof pattern !== 'string') return undefined;
    const mount = typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : mountOf(this.#path, pattern);
    return pattern === '/' && mount !== '' ? mount : mount + pattern;
  }
}

/**
 * The part of a path before a route. Routers forget where they are mounted as soon as they are left, for example for an
 * error handler of the application.
 */
function mountOf(path: string, pattern: string): string {
  if (/[*{?]/.test(pattern)) return '';
  const parts = path.split('/').filter(Boolean);
  const depth = pattern.split('/').filter(Boolean).length;
  return parts
    .slice(0, Math.max(parts.length - depth, 0))
    .map((part) => `/${part}`)
    .join('');
}

/** Proxies append to the value that they received; the first is the client's side. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(',', 1)[0]?.trim() || undefined;
}

function parseCookies(header: string): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const name = pair.slice(0, equals).trim();
    // Of cookies with one name, browsers send the one that fits best first.
    cookies[name] ??= decode(
      pair
        .slice(equals + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    );
  }
  return { ...cookies };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
