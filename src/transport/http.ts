import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createLogger, describe } from '../internal/diag.js';
import { SDK_NAME, SDK_VERSION } from '../internal/version.js';
import type { TransportOptions, TransportResponse } from '../model/transport.js';
import { MAX_IN_FLIGHT } from './queue.js';
import { readReason } from './refusal.js';
import { unobserved } from './unobserved.js';

/** Bodies above this size are compressed. */
const GZIP_THRESHOLD_BYTES = 32 * 1024;
/** Up to this much of an answer's body is read, so that the connection can be kept. */
const MAX_DRAINED_BYTES = 64 * 1024;
/** Of the body of a refusal, which may say why; nothing of other bodies is used. */
const MAX_REASON_BYTES = 4 * 1024;
/**
 * A pending connect keeps the process alive even when its socket is unref'd (libuv counts it as work), so it gets less
 * time than the exchange as a whole.
 */
const CONNECT_TIMEOUT_MILLIS = 3000;
export const DEFAULT_TIMEOUT_MILLIS = 10_000;
/** The longest delay that timers can hold. */
const MAX_TIMER_MILLIS = 2 ** 31 - 1;

const log = createLogger('transport');
const compress = promisify(gzip);

type Headers = Record<string, string | number>;

export interface HttpPosterOptions extends Pick<TransportOptions, 'url' | 'headers' | 'timeoutMillis'> {
  /** Media type of the bodies. */
  readonly contentType: string;
  /** Longer bodies are compressed. @default 32 KiB */
  readonly compressFromBytes?: number;
}

/** Posts bodies to one URL. Connections are kept alive and reused; none of them keeps the process alive. */
export class HttpPoster {
  readonly #target: URL | undefined;
  readonly #agent: http.Agent;
  readonly #headers: Headers;
  readonly #timeoutMillis: number;
  readonly #compressFromBytes: number;
  #isClosed = false;

  constructor(options: HttpPosterOptions) {
    const { url, headers, timeoutMillis, contentType, compressFromBytes = GZIP_THRESHOLD_BYTES } = options;
    this.#compressFromBytes = compressFromBytes;
    this.#target = URL.canParse(url) ? new URL(url) : undefined;
    const settings = { keepAlive: true, maxSockets: MAX_IN_FLIGHT };
    this.#agent = this.#target?.protocol === 'https:' ? new https.Agent(settings) : new http.Agent(settings);
    this.#headers = withValidHeaders(headers, {
      'content-type': contentType,
      'user-agent': `${SDK_NAME}/${SDK_VERSION}`,
    });
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
    this.#agent.destroy();
  }

  #exchange(body: string | Uint8Array, framing: Headers): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      let request: http.ClientRequest | undefined;
      const giveUp = () => request?.destroy(new Error(`no answer within ${this.#timeoutMillis} ms`));
      const deadline = setTimeout(giveUp, this.#timeoutMillis).unref();
      const start = (): void => unobserved(attempt);
      const attempt = (): void => {
        request = this.#open(framing);
        follow(request, body, (answer, error) => {
          if (answer === undefined && !this.#isClosed && wasStale(request!, error)) return start();
          clearTimeout(deadline);
          if (answer === undefined) return reject(error);
          logRefusal(answer);
          resolve(answer);
        });
      };
      start();
    });
  }

  #open(framing: Headers): http.ClientRequest {
    if (this.#isClosed) throw new Error('the transport was closed');
    if (this.#target === undefined) throw new TypeError('the address of the destination is no URL');
    const { request } = this.#target.protocol === 'https:' ? https : http;
    return request(this.#target, { method: 'POST', agent: this.#agent, headers: { ...this.#headers, ...framing } });
  }
}

type Done = (answer: TransportResponse | undefined, error: unknown) => void;

/** Sends the body and calls `done` once, when the exchange has ended. */
function follow(request: http.ClientRequest, body: string | Uint8Array, done: Done): void {
  let answer: TransportResponse | undefined;
  let failure: unknown;
  let isDone = false;
  const finish = (): void => {
    if (isDone) return;
    isDone = true;
    done(answer, failure);
  };
  request.on('socket', releaseProcess);
  request.on('response', (response) => {
    const { statusCode = 0 } = response;
    const headers = headersOf(response);
    answer = { statusCode, headers };
    const body = drain(request, response, statusCode >= 300 ? MAX_REASON_BYTES : 0, () => {
      const reason = statusCode >= 300 ? readReason(headers, Buffer.concat(body).toString()) : undefined;
      if (reason) answer = { statusCode, headers, reason };
      finish();
    });
  });
  request.on('error', (error) => {
    failure = error;
  });
  // Always the last event. An answer that was cut off after its headers still counts as an answer.
  request.on('close', finish);
  request.end(body);

  function releaseProcess(socket: Socket): void {
    socket.unref();
    if (!socket.connecting) return;
    const giveUp = () => request.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MILLIS} ms`));
    const limit = setTimeout(giveUp, CONNECT_TIMEOUT_MILLIS).unref();
    socket.once('close', () => clearTimeout(limit));
    socket.once('connect', () => {
      clearTimeout(limit);
      // When Node tries the next of several addresses it makes a new handle, which is not unref'd.
      socket.unref();
    });
  }
}

/** @returns the beginning of the body: complete, or up to `maxKeptBytes`, when `finish` is called */
function drain(
  request: http.ClientRequest,
  response: http.IncomingMessage,
  maxKeptBytes: number,
  finish: () => void,
): readonly Buffer[] {
  const kept: Buffer[] = [];
  let drainedBytes = 0;
  response.on('data', (chunk: Buffer) => {
    if (drainedBytes < maxKeptBytes) kept.push(chunk.subarray(0, maxKeptBytes - drainedBytes));
    drainedBytes += chunk.byteLength;
    if (drainedBytes > MAX_DRAINED_BYTES) request.destroy();
  });
  response.on('error', () => undefined);
  response.on('end', () => {
    // When the server refused the body before all of it was written, the unwritten rest would block the connection.
    if (!request.writableFinished) request.destroy();
    finish();
  });
  return kept;
}

/** Whether the server closed an idle connection just when it was reused. Nothing was lost; another connection will do. */
function wasStale(request: http.ClientRequest, error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

function headersOf({ headers }: http.IncomingMessage): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name] = String(value);
  }
  return result;
}

function logRefusal({ statusCode = 0, reason }: TransportResponse): void {
  if (statusCode === 413) log.error('the destination refused an envelope as too large; what was in it is lost');
  if (reason) log.debug(`the destination answered ${statusCode}: ${reason}`);
}

/** The user's headers override ours. Headers that HTTP does not allow would fail every request, so they are left out. */
function withValidHeaders(headers: unknown, own: Headers): Headers {
  const result = { ...own };
  for (const [name, value] of Object.entries(headers ?? {})) {
    try {
      http.validateHeaderName(name);
      http.validateHeaderValue(name, value);
      result[name.toLowerCase()] = value;
    } catch {
      log.error(`transportOptions.headers: ${describe(name)} is not a valid header; it is left out`);
    }
  }
  return result;
}
