import { AsyncResource } from 'node:async_hooks';
import { guardOwn } from '../../internal/guard.js';
import { processWide } from '../process-wide.js';

/**
 * Runs listeners of a request. When an exception leaves them, their context is remembered, because nothing else connects an
 * uncaught exception with its request. The exception is not caught here: Node prints the line that threw last.
 */
export function runRequestListeners<T>(listeners: () => T): T {
  let hasThrown = true;
  try {
    const result = listeners();
    hasThrown = false;
    return result;
  } finally {
    if (hasThrown) guardOwn('the context of an exception', rememberContext);
  }
}

/** Runs a callback in the context of the request whose listeners have just thrown, if any. */
export function runInThrowingRequest(callback: () => void): void {
  const shared = processWide();
  const { throwingRequest } = shared;
  shared.throwingRequest = undefined;
  if (throwingRequest) throwingRequest.runInAsyncScope(callback);
  else callback();
}

/** The innermost listeners throw first, and their context stays. If the application catches the exception, a microtask clears it. */
function rememberContext(): void {
  const shared = processWide();
  shared.throwingRequest ??= new AsyncResource('FaultlineRequest');
  queueMicrotask(() => {
    shared.throwingRequest = undefined;
  });
}
