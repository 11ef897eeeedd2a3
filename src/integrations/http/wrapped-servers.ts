import type { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { ReceivedMessage } from './incoming-request.js';
import { observeClose } from './response-close.js';
import { type ResponseState, stateOfResponse, stateOfStream } from './response-state.js';

/** A request as a server emits it. */
export interface ReceivedRequest {
  readonly message: ReceivedMessage;
  /** Calls back when the response was sent or aborted; absent for `upgrade` and `connect`. */
  readonly onClose?: (listener: (readState: () => ResponseState) => void) => void;
  /** To which the application writes its answer to `upgrade` and `connect`. */
  readonly socket?: Duplex;
  /** Emitters of the request's later events. */
  readonly emitters: readonly EventEmitter[];
}

type Emit = Server['emit'];
type Around = (request: ReceivedRequest, listeners: () => boolean, emit: Emit) => boolean;

/** Wraps `emit` of HTTP/1 and HTTP/2 servers, so that listeners for requests run inside `around`, which also gets the wrapped `emit`. */
export class WrappedServers {
  /** The original `emit` of each server; `undefined` if it was inherited. */
  readonly #originals = new WeakMap<object, Emit | undefined>();
  readonly #servers = new Set<WeakRef<Server>>();
  readonly #emit: Emit;
  #isStopped = false;

  constructor(around: Around) {
    const wrapped = this;
    this.#emit = function emit(this: Server, ...args: unknown[]): boolean {
      // Read on each call, because other code may wrap the prototype's `emit` later.
      const original: Emit = wrapped.#originals.get(this) ?? Object.getPrototypeOf(this).emit;
      const request = wrapped.#isStopped ? undefined : readRequest(args);
      if (!request) return Reflect.apply(original, this, args);
      return around(request, () => Reflect.apply(original, this, args), original);
    };
  }

  /** @param server any server; only HTTP servers are wrapped */
  wrap(server: object | null | undefined): void {
    if (!server || this.#originals.has(server) || !isHttpServer(server)) return;
    this.#originals.set(server, Object.hasOwn(server, 'emit') ? server.emit : undefined);
    Object.defineProperty(server, 'emit', { value: this.#emit, configurable: true, writable: true });
    for (const one of this.#servers) {
      if (one.deref() === undefined) this.#servers.delete(one);
    }
    this.#servers.add(new WeakRef(server));
  }

  /** Restores each server's `emit`. If other code has wrapped it since, our wrapper stays and only forwards calls. */
  unwrapAll(): void {
    this.#isStopped = true;
    for (const reference of this.#servers) {
      const server = reference.deref();
      if (server?.emit === this.#emit) this.#unwrap(server);
    }
    this.#servers.clear();
  }

  #unwrap(server: Server): void {
    const original = this.#originals.get(server);
    if (original) Object.defineProperty(server, 'emit', { value: original, configurable: true, writable: true });
    else Reflect.deleteProperty(server, 'emit');
  }
}

/** Detected by properties: `instanceof` would load `node:http2` and `node:https` into every process. */
function isHttpServer(server: object): server is Server {
  return 'headersTimeout' in server || 'updateSettings' in server;
}

function readRequest([event, first, second]: readonly unknown[]): ReceivedRequest | undefined {
  switch (event) {
    case 'request':
    case 'checkContinue':
    case 'checkExpectation': {
      const message = first as ReceivedMessage & EventEmitter & { readonly socket?: Duplex | null };
      const response = second as ServerResponse;
      return {
        message,
        onClose: (listener) => observeClose(response, message.socket, () => listener(() => stateOfResponse(response))),
        emitters: [message, response],
      };
    }
    case 'upgrade':
    case 'connect':
      return { message: first as ReceivedMessage, socket: second as Duplex, emitters: [second as EventEmitter] };
    case 'stream': {
      const stream = first as ServerHttp2Stream;
      const message = messageOf(stream, second as ReceivedMessage['headers']);
      return {
        message,
        onClose: (listener) => stream.once('close', () => listener(() => stateOfStream(stream))),
        emitters: [stream],
      };
    }
    default:
      return undefined;
  }
}

/** An HTTP/2 request that is still only a stream, without the objects of the compatibility API. */
function messageOf(stream: ServerHttp2Stream, headers: ReceivedMessage['headers']): ReceivedMessage {
  return {
    method: headers[':method'] as string | undefined,
    url: headers[':path'] as string | undefined,
    headers,
    stream,
    get socket() {
      return stream.session?.socket;
    },
  };
}
