import type { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { ReceivedMessage } from './incoming-request.js';

/** A request as a server announces it. */
export interface ReceivedRequest {
  readonly message: ReceivedMessage;
  /** Closes when the answer was sent or cut off; absent where the connection is handed over. */
  readonly response?: EventEmitter;
  /** What goes on emitting events of the request. */
  readonly emitters: readonly EventEmitter[];
}

type Emit = Server['emit'];
type Around = (request: ReceivedRequest, listeners: () => boolean) => boolean;

/** Servers of HTTP/1 and HTTP/2 whose listeners for requests run inside `around`. */
export class WrappedServers {
  /** What a server's `emit` was, where it had one of its own. */
  readonly #originals = new WeakMap<object, Emit | undefined>();
  readonly #servers = new Set<WeakRef<Server>>();
  readonly #emit: Emit;
  #isStopped = false;

  constructor(around: Around) {
    const wrapped = this;
    this.#emit = function emit(this: Server, event: string | symbol, ...args: unknown[]): boolean {
      // Asked each time: the prototype's may be wrapped later than the server's.
      const original: Emit = wrapped.#originals.get(this) ?? Object.getPrototypeOf(this).emit;
      const listeners = () => Reflect.apply(original, this, [event, ...args]);
      const request = wrapped.#isStopped ? undefined : readRequest(event, args);
      return request ? around(request, listeners) : listeners();
    };
  }

  /** @param server anything that accepts connections; what serves no HTTP is left alone */
  wrap(server: object | null | undefined): void {
    if (!server || this.#originals.has(server) || !isHttpServer(server)) return;
    this.#originals.set(server, Object.hasOwn(server, 'emit') ? server.emit : undefined);
    Object.defineProperty(server, 'emit', { value: this.#emit, configurable: true, writable: true });
    for (const one of this.#servers) {
      if (one.deref() === undefined) this.#servers.delete(one);
    }
    this.#servers.add(new WeakRef(server));
  }

  /** Puts each server's `emit` back; one that somebody else has wrapped since stays, and passes everything on. */
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

/** Told by their shapes: to ask for the classes would load `node:http2` and `node:https` into every process. */
function isHttpServer(server: object): server is Server {
  return 'headersTimeout' in server || 'updateSettings' in server;
}

function readRequest(event: string | symbol, [first, second]: readonly unknown[]): ReceivedRequest | undefined {
  switch (event) {
    case 'request':
    case 'checkContinue':
    case 'checkExpectation': {
      const message = first as ReceivedMessage & EventEmitter;
      const response = second as EventEmitter;
      return { message, response, emitters: [message, response] };
    }
    case 'upgrade':
    case 'connect':
      return { message: first as ReceivedMessage, emitters: [second as EventEmitter] };
    case 'stream': {
      const stream = first as ServerHttp2Stream;
      const message = messageOf(stream, second as ReceivedMessage['headers']);
      return { message, response: stream, emitters: [stream] };
    }
    default:
      return undefined;
  }
}

/** A request of HTTP/2, before anything has made an object in the style of HTTP/1 of it. */
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
