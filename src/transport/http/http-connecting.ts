import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { guardOwn } from '../../internal/guard.js';
import { unref } from '../../internal/unref.js';
import { AbortedRequest } from '../aborted-request.js';
import type { NameLookup } from './lookup.js';

const TIMEOUT_MILLIS = 3000;
const IDLE_CHECK_MILLIS = 50;
/** How many attempts in a row are ended early. Node does not list all work, so the process may only seem idle. */
const MAX_GIVEN_UP = 3;
/** Open streams, which keep the process alive only while somebody reads from them. */
const STREAMS: ReadonlySet<string> = new Set(['PipeWrap', 'TTYWrap', 'CloseReq']);
/** Node's name for an attempt to connect. */
const ATTEMPT = 'ConnectWrap';

/** Attempts of all clients. */
let attempts = 0;

/**
 * Requests that wait for a connection. Looking up a name and connecting keep the process alive even if the socket is unref'd
 * (libuv counts them as work). They therefore have a shorter timeout than the exchange as a whole, and are aborted when nothing
 * else keeps the process alive; the flush at the end of the process tries once more, within `shutdownTimeout`.
 */
export class Connecting {
  readonly #requests = new Set<ClientRequest>();
  readonly #lookup: Pick<NameLookup, 'cancel' | 'extraMillis'>;
  #timer: NodeJS.Timeout | undefined;
  #givenUp = 0;

  /** @param lookup cancelled when no request waits any more */
  constructor(lookup: Pick<NameLookup, 'cancel' | 'extraMillis'>) {
    this.#lookup = lookup;
  }

  /** Adds a request as soon as it has a socket. */
  add(request: ClientRequest, socket: Socket): void {
    socket.unref();
    if (!socket.connecting) return;
    const timeoutMillis = TIMEOUT_MILLIS + this.#lookup.extraMillis;
    const giveUp = () => {
      if (this.#requests.has(request)) request.destroy(new Error(`no connection within ${timeoutMillis} ms`));
    };
    // After a blocked event loop, timers run first; the connection may be there already.
    const limit = unref(setTimeout(() => setImmediate(giveUp), timeoutMillis));
    const remove = (): void => {
      clearTimeout(limit);
      this.#remove(request);
    };
    socket.once('close', remove);
    socket.once('connect', () => {
      // A kept-alive connection would keep the request, and its body, in memory.
      socket.off('close', remove);
      remove();
      this.#givenUp = 0;
      // When Node tries the next of several addresses it makes a new handle, which is not unref'd.
      socket.unref();
    });
    this.#requests.add(request);
    attempts += 1;
    // The application may have replaced what is called there.
    const check = () => guardOwn('connecting', () => this.#yieldToEnd());
    this.#timer ??= unref(setInterval(() => setImmediate(check), IDLE_CHECK_MILLIS));
  }

  /** Ends all attempts. */
  destroy(error: Error): void {
    for (const request of this.#requests) request.destroy(error);
  }

  #remove(request: ClientRequest): void {
    this.#requests.delete(request);
    attempts -= 1;
    if (this.#requests.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#lookup.cancel();
  }

  #yieldToEnd(): void {
    if (this.#givenUp >= MAX_GIVEN_UP || !isProcessIdle()) return;
    this.#givenUp += 1;
    this.destroy(new AbortedRequest('no connection before the process had nothing else to do'));
  }
}

function isProcessIdle(): boolean {
  let connecting = 0;
  for (const type of process.getActiveResourcesInfo()) {
    if (STREAMS.has(type)) continue;
    if (type !== ATTEMPT) return false;
    connecting += 1;
  }
  return connecting <= attempts;
}
