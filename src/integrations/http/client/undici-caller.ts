import { AsyncResource } from 'node:async_hooks';
import { isInstance, readProperty } from '../../../internal/values/read.js';

/** From the publisher of a channel to the function in which a connection sends the next request. */
const STACK_DEPTH = 30;
/**
 * When this event is emitted, a pool of undici 5 to 7 takes the next request out of its queue, a few frames before it creates
 * the request; version 8 restores the caller's context. Minified bundles lose names of functions, but not of Node's.
 */
const EVENT = /\.emit \(node:events/;
const MAX_FRAMES_TO_EVENT = 7;
const IN_CONTEXT_AGAIN = /\.runInAsyncScope \(/;
/** The same for a timer after which a request is sent once more. */
const TIMER = /listOnTimeout \(/;
const MAX_FRAMES_TO_TIMER = 9;
/** A response that redirects is handled in the context of its connection. */
const RESPONSE = /\b(?:onMessageComplete|onHeadersComplete)\b/;
const CREATION = /^\s*at new /;
const OF_NODE = /new Request \(node:internal/;

/** Whether a class of requests belongs to Node's own undici, whose pools have no limit, so that no request waits. */
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
  if (RESPONSE.test(stack)) return true;
  const frames = stack.split('\n');
  const before = frames.slice(frames.findIndex((frame) => CREATION.test(frame)) + 1);
  const event = before.findIndex((frame) => EVENT.test(frame));
  if (event >= 0 && event < MAX_FRAMES_TO_EVENT)
    return !before.slice(0, event).some((frame) => IN_CONTEXT_AGAIN.test(frame));
  return before.slice(0, MAX_FRAMES_TO_TIMER).some((frame) => TIMER.test(frame));
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
