import type { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { ResponseState } from '../../../context/request/injected-request.js';
import { replaceMethod } from '../../../internal/patching/replace-method.js';
import { isObject } from '../../../internal/values/read.js';
import type { ReceivedMessage } from './incoming-request.js';
import { stateOfResponse, stateOfStream } from './response-state.js';

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

interface WrappedServer {
  /** The `emit` of the server itself; `undefined` if it was inherited. */
  readonly ownEmit: Emit | undefined;
  readonly restore: () => void;
}

/** Wraps `emit` of HTTP/1 and HTTP/2 servers, so that listeners for requests run inside `around`. It gets the wrapped `emit`. */
export class WrappedServers {
  readonly #wrapped = new WeakMap<object, WrappedServer>();
  readonly #servers = new Set<WeakRef<Server>>();
  readonly #emit: Emit;
  #isStopped = false;

  constructor(around: Around) {
    const self = this;
    this.#emit = function emit(this: Server, ...args: unknown[]): boolean {
      // Read on each call, because other code may wrap the prototype's `emit` later.
      const original: Emit = self.#wrapped.get(this)?.ownEmit ?? Object.getPrototypeOf(this).emit;
      const request = self.#isStopped ? undefined : readRequest(args);
      if (!request) return Reflect.apply(original, this, args);
      return around(request, () => Reflect.apply(original, this, args), original);
    };
  }

  /** @param server any server; only HTTP servers are wrapped */
  wrap(server: object | null | undefined): void {
    if (!server || this.#wrapped.has(server) || !isHttpServer(server)) return;
    const ownEmit = Object.hasOwn(server, 'emit') ? server.emit : undefined;
    this.#wrapped.set(server, { ownEmit, restore: replaceMethod(server, 'emit', this.#emit) });
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
      if (server) this.#wrapped.get(server)?.restore();
    }
    this.#servers.clear();
  }
}

/** Detected by properties: `instanceof` would load `node:http2` and `node:https` into every process. */
function isHttpServer(server: object): server is Server {
  return 'headersTimeout' in server || 'updateSettings' in server;
}

function readRequest([event, first, second]: readonly unknown[]): ReceivedRequest | undefined {
  // Applications emit events of their own, also by these names.
  if (!isObject(first) || !isObject(second)) return undefined;
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
      const message = messageOfStream(stream, second as ReceivedMessage['headers']);
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
function messageOfStream(stream: ServerHttp2Stream, headers: ReceivedMessage['headers']): ReceivedMessage {
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

/**
 * Listeners of responses that wait for earlier responses of their connection. One listener per connection calls them all,
 * because Node warns about many.
 */
const queues = new WeakMap<object, Set<() => void>>();

/**
 * Calls the listener once, when the response was sent or its connection is gone. When the connection of pipelined requests
 * closes, Node emits `close` for the first response only.
 */
function observeClose(response: ServerResponse, socket: EventEmitter | null | undefined, listener: () => void): void {
  if (response.socket || !socket) {
    response.once('close', listener);
    return;
  }
  const queue = queues.get(socket) ?? createQueue(socket);
  queue.add(listener);
  response.once('close', () => {
    if (queue.delete(listener)) listener();
  });
}

function createQueue(socket: EventEmitter): Set<() => void> {
  const queue = new Set<() => void>();
  queues.set(socket, queue);
  socket.once('close', () => {
    for (const listener of queue) {
      queue.delete(listener);
      listener();
    }
  });
  return queue;
}
