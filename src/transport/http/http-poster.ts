import * as http from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { MAX_TIMER_MILLIS, monotonicMillis } from '../../internal/clock.js';
import { type Linkable, LinkedSet } from '../../internal/collections/linked-set.js';
import { createLogger } from '../../internal/diag.js';
import { noteMistake } from '../../internal/options/mistakes.js';
import { unref } from '../../internal/unref.js';
import { describe } from '../../internal/values/in-message.js';
import { SDK_NAME, SDK_VERSION } from '../../internal/version.js';
import type { TransportOptions, TransportResponse } from '../../model/delivery/transport.js';
import { AbortedRequest } from '../aborted-request.js';
import { unobservedOutside } from '../unobserved.js';
import { planRoute, type Route } from './http-agent.js';
import { Connecting } from './http-connecting.js';
import { exchange, wasStale } from './http-exchange.js';
import { NameLookup } from './lookup.js';
import { PROXY_AUTHENTICATION_REQUIRED, ProxyError } from './proxy.js';

/** Bodies above this size are compressed. */
const GZIP_THRESHOLD_BYTES = 32 * 1024;
export const DEFAULT_TIMEOUT_MILLIS = 10_000;
/** Of an answer. Node's limit of 16 kB would make what has arrived count as unanswered, to be sent again. */
const MAX_HEADER_BYTES = 256 * 1024;
/** For so many timeouts in all, an upload may go on that makes progress. */
const MAX_TIMEOUTS = 10;

const log = createLogger('transport');
const compress = promisify(gzip);

type Headers = Record<string, string | number>;

interface HttpPosterOptions extends Pick<TransportOptions, 'url' | 'headers' | 'timeoutMillis'> {
  readonly proxy?: URL | undefined;
  /** Authorities to trust in place of Node's. */
  readonly caCerts?: string[] | undefined;
  /** Media type of the bodies. */
  readonly contentType: string;
  /** Longer bodies are compressed. @default 32 KiB */
  readonly compressFromBytes?: number;
}

interface RunningRequest extends Linkable<RunningRequest> {
  request?: http.ClientRequest;
}

/** Posts bodies to one URL. Connections are kept alive and reused; none of them keeps the process alive. */
export class HttpPoster {
  readonly #lookup: NameLookup;
  readonly #connecting: Connecting;
  /** Absent when the address is not a URL. */
  readonly #planRoute: (() => Route) | undefined;
  /** Planned by the first request. */
  #route: Route | undefined;
  /** Kept, because the application may replace it later. */
  readonly #httpRequest = http.request;
  readonly #headers: Headers;
  readonly #timeoutMillis: number;
  readonly #compressFromBytes: number;
  readonly #running = new LinkedSet<RunningRequest>();
  #isClosed = false;

  constructor(options: HttpPosterOptions) {
    const { url, headers, timeoutMillis, contentType, proxy, caCerts } = options;
    this.#compressFromBytes = options.compressFromBytes ?? GZIP_THRESHOLD_BYTES;
    const target = URL.canParse(url) ? new URL(url) : undefined;
    const lookup = new NameLookup((proxy ?? target)?.hostname ?? '');
    const connecting = new Connecting(lookup);
    this.#lookup = lookup;
    this.#connecting = connecting;
    this.#planRoute = target && (() => planRoute({ target, proxy, caCerts, lookup: lookup.lookup, connecting }));
    const own = { 'content-type': contentType, 'user-agent': `${SDK_NAME}/${SDK_VERSION}` };
    this.#headers = withValidHeaders(headers, own);
    // Transports that the application makes by itself have options that nothing has checked.
    this.#timeoutMillis = timeoutMillis > 0 ? Math.min(timeoutMillis, MAX_TIMER_MILLIS) : DEFAULT_TIMEOUT_MILLIS;
  }

  /**
   * Sends a body, compressed when it is large.
   *
   * @returns the answer, whatever its status; rejects when none came in time
   */
  async post(body: string | Uint8Array): Promise<TransportResponse> {
    const plainBytes = Buffer.byteLength(body);
    if (plainBytes <= this.#compressFromBytes) return this.#exchange(body, { 'content-length': plainBytes });
    const zipped = await compress(body);
    return this.#exchange(zipped, { 'content-length': zipped.byteLength, 'content-encoding': 'gzip' });
  }

  /** Ends all connections, and with them the requests in flight. */
  close(): void {
    this.#isClosed = true;
    const error = new Error('the transport was closed');
    this.#connecting.destroy(error);
    for (const { request } of this.#running) request?.destroy(error);
    this.#lookup.close();
    this.#route?.agent.destroy();
  }

  async #exchange(body: string | Uint8Array, framing: Headers): Promise<TransportResponse> {
    const running: RunningRequest = {};
    const giveUp = () => running.request?.destroy(new Error(`no answer within ${this.#timeoutMillis} ms`));
    // After a blocked event loop, timers run first; the response may be there already.
    const deadline = unref(setTimeout(() => setImmediate(giveUp), this.#timeoutMillis));
    const beginMillis = monotonicMillis();
    const onProgress = (): void => {
      if (monotonicMillis() - beginMillis < this.#timeoutMillis * MAX_TIMEOUTS) deadline.refresh();
    };
    this.#running.add(running);
    try {
      const answer = await this.#request(running, body, framing, onProgress);
      const proxy = this.#route?.proxy;
      // The proxy's own response, as to `CONNECT`: the destination has not seen the request.
      if (proxy && answer.statusCode === PROXY_AUTHENTICATION_REQUIRED) throw new ProxyError(proxy, answer.statusCode);
      logRefusal(answer);
      return answer;
    } finally {
      clearTimeout(deadline);
      this.#running.delete(running);
    }
  }

  /** Sends the request, and once more for each kept connection that the server had closed. */
  async #request(
    running: RunningRequest,
    body: string | Uint8Array,
    framing: Headers,
    onProgress: () => void,
  ): Promise<TransportResponse> {
    const attempt = (): Promise<TransportResponse> => {
      running.request = this.#open(framing);
      return exchange(running.request, body, onProgress);
    };
    for (;;) {
      try {
        return await unobservedOutside(attempt);
      } catch (error) {
        if (this.#isClosed || !wasStale(running.request, error)) throw this.#explain(error);
      }
    }
  }

  #open(framing: Headers): http.ClientRequest {
    if (this.#isClosed) throw new Error('the transport was closed');
    if (this.#planRoute === undefined) throw new TypeError('the address of the destination is not a URL');
    this.#route ??= this.#planRoute();
    const { address, agent } = this.#route;
    const { protocol, hostname, port, path, auth } = address;
    const headers = { ...this.#headers, ...this.#route.headers, ...framing };
    const request = this.#httpRequest;
    // Written out, because Node copies the options, which takes longer for an object that was spread. The headers stay
    // an object, though a list would be faster: tools that wrap `http.request` add theirs as members.
    const opened = request({
      protocol,
      hostname,
      port,
      path,
      auth,
      method: 'POST',
      agent,
      headers,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    opened.on('socket', (socket) => this.#connecting.add(opened, socket));
    return opened;
  }

  /** The next connection needs a new lookup: the name may have moved to another server. */
  #explain(error: unknown): unknown {
    this.#lookup.expire();
    const proxy = this.#route?.proxy;
    return proxy && !this.#isClosed && !(error instanceof AbortedRequest) ? new ProxyError(proxy, error) : error;
  }
}

function logRefusal({ statusCode = 0, reason }: TransportResponse): void {
  if (reason) log.debug(`the destination answered ${statusCode}: ${reason}`);
}

/** What these say depends on the body of a request. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'transfer-encoding']);

/** The user's headers override ours. Those that would make every request fail are left out. */
function withValidHeaders(headers: unknown, own: Headers): Headers {
  const result = { ...own };
  for (const [name, value] of Object.entries(headers ?? {})) {
    const problem = FRAMING.has(name.toLowerCase()) ? 'is set by the SDK' : invalidityOf(name, value);
    if (problem === undefined) result[name.toLowerCase()] = value;
    else {
      const message = `${describe(name)} ${problem}; it is left out`;
      noteMistake({ owner: 'transportOptions.headers', problem: message });
    }
  }
  return result;
}

function invalidityOf(name: string, value: string): string | undefined {
  try {
    http.validateHeaderName(name);
    http.validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'is not a valid header';
  }
}
