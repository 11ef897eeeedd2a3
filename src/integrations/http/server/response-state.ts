import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { CANCELLED, type ResponseState } from '../../../context/request/injected-request.js';
import { guardOwn } from '../../../internal/guard.js';
import { replaceMethod, undoAll } from '../../../internal/patching/replace-method.js';
import { errorTypeOf } from '../network.js';

export function stateOfResponse(response: ServerResponse): ResponseState {
  const statusCode = response.headersSent ? response.statusCode : undefined;
  const { errored } = response as { errored?: unknown };
  // Node takes a response for finished that was ended and then destroyed, or the other way round. It lets go of the socket when
  // all was sent.
  if (response.writableFinished && !errored && !response.socket?.destroyed) return { statusCode };
  return { statusCode, errorType: errorTypeOf(errored) };
}

export function stateOfStream(stream: ServerHttp2Stream): ResponseState {
  const statusCode = stream.sentHeaders?.[':status'] as number | undefined;
  const isComplete = statusCode !== undefined && stream.rstCode === 0 && !stream.aborted;
  return { statusCode, errorType: isComplete ? undefined : errorTypeOf(stream.errored) };
}

/**
 * Calls back with the answer to an `upgrade` or `connect`, which the application writes to the socket by itself: with the
 * status of the first line, or when the connection closes without one.
 */
export function observeHandshake(socket: Duplex, observer: (readState: () => ResponseState) => void): void {
  const restore = undoAll([observeWrites(socket, 'write', answer), observeWrites(socket, 'end', answer)]);
  const onClose = () => answer(undefined);
  socket.once('close', onClose);

  function answer(chunk: unknown): void {
    restore();
    socket.off('close', onClose);
    const statusCode = Number(/^HTTP\/1\.[01] (\d{3})/.exec(String(chunk).slice(0, 20))?.[1]);
    observer(() => (Number.isNaN(statusCode) ? { errorType: CANCELLED } : { statusCode }));
  }
}

/** Calls the observer before the method writes its first chunk. */
function observeWrites(socket: Duplex, method: 'write' | 'end', observer: (chunk: unknown) => void): () => void {
  const original = socket[method] as (...args: unknown[]) => unknown;
  return replaceMethod(socket, method, function (this: Duplex, ...args: unknown[]): unknown {
    guardOwn('the answer to an upgrade', () => observer(args[0]));
    return Reflect.apply(original, this, args);
  });
}
