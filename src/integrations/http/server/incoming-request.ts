import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { getIsolationScope } from '../../../context/current-scopes.js';
import {
  type ReadRoute,
  type RunningRequest,
  readRouteWith,
  type UnansweredError,
} from '../../../context/request/running-request.js';
import { pathOfTarget } from '../../../internal/request-path.js';
import { decodePercents } from '../../../internal/values/strings.js';
import { readExpressRoute } from './express-route.js';

type Headers = Record<string, string>;

/** The members of a request that the SDK reads, the same for HTTP/1 and HTTP/2. */
export interface ReceivedMessage {
  readonly method?: string;
  readonly url?: string;
  /** In HTTP/2 includes pseudo-headers, which begin with a colon. */
  readonly headers: IncomingHttpHeaders;
  readonly socket?: Pick<Socket, 'remoteAddress' | 'remotePort'> | null;
  readonly httpVersion?: string;
  /** HTTP/2 only. */
  readonly stream?: object;
}

/**
 * A received request with the fields of an event's `request`. Getters read from the request on demand, so that a
 * request without an event costs only this object. Nothing is filtered here.
 */
export class IncomingRequest implements RunningRequest {
  /** Set by framework integrations. */
  readRoute: ReadRoute | undefined = undefined;
  isErrorKnown = false;
  isOpen = false;
  unanswered: UnansweredError | undefined = undefined;
  brokenBy: unknown = undefined;
  thrown: readonly unknown[] | undefined = undefined;
  operations: Set<string> | undefined = undefined;
  readonly message: ReceivedMessage;
  readonly #readBody: (() => string | undefined) | undefined;
  /** As it has arrived. The application may assign another one: Koa does for mounted middleware, and code before a router. */
  readonly #target: string;

  /** @param readBody returns the body received so far */
  constructor(message: ReceivedMessage, readBody?: () => string | undefined) {
    this.message = message;
    this.#readBody = readBody;
    this.#target = message.url ?? '/';
  }

  get method(): string {
    return this.message.method ?? 'GET';
  }

  /** Includes the query. Only path and query if the request has no `host` header. */
  get url(): string {
    const target = this.#target;
    if (!target.startsWith('/')) return target;
    const { authority } = this;
    return authority === undefined ? target : `${this.protocol}://${authority}${target}`;
  }

  /** Names are in lower case; several values of one header are joined. */
  get headers(): Headers {
    const result: Headers = {};
    const { headers } = this.message;
    for (const name of Object.keys(headers)) {
      const value = headers[name];
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

  /** The body received so far. */
  get data(): string | undefined {
    return this.#readBody?.();
  }

  /** Address of the peer, which may be a proxy. */
  get remoteAddress(): string | undefined {
    return this.message.socket?.remoteAddress;
  }

  /** `METHOD /path`, or `METHOD /route/:id` once a router has matched the request. */
  get transactionName(): string {
    return `${this.method} ${this.route ?? this.path}`;
  }

  /** The route that the framework has matched. */
  get route(): string | undefined {
    const known = this.readRoute && readRouteWith(this.readRoute);
    return known ?? readRouteWith(() => readExpressRoute(this.message, this.path));
  }

  /** Without the query. */
  get path(): string {
    return pathOfTarget(this.#target);
  }

  get protocol(): 'http' | 'https' {
    const { headers, socket } = this.message;
    // Anyone can send the header; other values are ignored.
    const forwarded = firstOf(headers['x-forwarded-proto'])?.toLowerCase();
    if (forwarded === 'http' || forwarded === 'https') return forwarded;
    return (socket as Partial<TLSSocket> | null | undefined)?.encrypted === true ? 'https' : 'http';
  }

  /** Host and port that the client asked for. */
  get authority(): string | undefined {
    const { headers } = this.message;
    return firstOf(headers['x-forwarded-host']) ?? headers.host ?? firstOf(headers[':authority']);
  }
}

/** The request whose isolation scope is current. */
export function isolatedRequest(): IncomingRequest | undefined {
  const { normalizedRequest } = getIsolationScope().snapshot().sdkProcessingMetadata;
  return normalizedRequest instanceof IncomingRequest ? normalizedRequest : undefined;
}

/** Proxies append to a header, so the first value is nearest to the client. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const first = Array.isArray(header) ? header[0] : header;
  if (!first) return undefined;
  const comma = first.indexOf(',');
  return (comma < 0 ? first : first.slice(0, comma)).trim() || undefined;
}

function parseCookies(header: string): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const name = pair.slice(0, equals).trim();
    const value = pair.slice(equals + 1).trim();
    // Browsers send the most specific of several cookies with the same name first.
    cookies[name] ??= decodePercents(value.replace(/^"(.*)"$/, '$1'));
  }
  return { ...cookies };
}
