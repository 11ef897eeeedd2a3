import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Listeners of responses that wait for earlier responses of their connection. One listener per connection calls them all,
 * because Node warns about many.
 */
const queues = new WeakMap<object, Set<() => void>>();

/**
 * Calls the listener once, when the response was sent or its connection is gone. When the connection of pipelined requests
 * closes, Node emits `close` for the first response only.
 */
export function observeClose(
  response: ServerResponse,
  socket: EventEmitter | null | undefined,
  listener: () => void,
): void {
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
