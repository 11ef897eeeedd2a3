import { AsyncResource } from 'node:async_hooks';
import { isInstance, readProperty } from '../../../internal/values/read.js';

/** From the publisher of a channel to the function in which a connection sends the next request. */
const STACK_DEPTH = 30;
/**
 * A pool of undici 5 to 7, which takes the next request out of its queue, and handlers that send a request once more, after a
 * redirect or a failure. Version 8 goes back to the caller's context by itself for the queue.
 */
const FROM_CONNECTION = /\b(?:onDrain|onMessageComplete|onHeadersComplete|RetryHandler\.\w+)\b/;
const IN_CONTEXT_AGAIN = /runInAsyncScope[\s\S]*\bonDrain\b/;
const OF_NODE = /new Request \(node:internal/;

/** Of the classes of requests that are known: whether it is Node's own, whose pools have no limit and so no queue. */
const ofNode = new WeakMap<object, boolean>();
/** The key of undici's handlers, one in each copy of undici. */
const keys = new WeakMap<object, symbol | undefined>();

/**
 * Runs a function in the context in which a request of undici was made. One that had to wait in a pool is created when a
 * connection becomes free, in the context of the request that had it before.
 *
 * Without the context, as for `fetch` in a pool with limited connections, and for redirects and retries, nothing runs: what
 * belongs to nobody must not become a part of another request.
 */
export function runAsCaller(request: object, run: () => void): void {
  const key = handlerKeyOf(request);
  const handler = key && readProperty(request, key);
  if (isInstance(handler, AsyncResource)) (handler as AsyncResource).runInAsyncScope(run);
  else if (!isFromConnection(request)) run();
}

function handlerKeyOf(request: object): symbol | undefined {
  const RequestClass = request.constructor;
  if (!keys.has(RequestClass)) {
    const key = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'handler');
    keys.set(RequestClass, key);
  }
  return keys.get(RequestClass);
}

function isFromConnection(request: object): boolean {
  const RequestClass = request.constructor;
  if (ofNode.get(RequestClass)) return false;
  const stack = currentStack();
  if (!ofNode.has(RequestClass)) ofNode.set(RequestClass, OF_NODE.test(stack));
  return FROM_CONNECTION.test(stack) && !IN_CONTEXT_AGAIN.test(stack);
}

function currentStack(): string {
  const { stackTraceLimit } = Error;
  try {
    Reflect.set(Error, 'stackTraceLimit', STACK_DEPTH);
    return String(new Error('here').stack);
  } catch {
    // User code formats stacks.
    return '';
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  }
}
