import type { IncomingMessage, ServerResponse } from 'node:http';
import { callObserved, createErrorReporter, type ErrorHandlerOptions } from './capture-framework-error.js';

/** What `shouldHandleError` gets beside the error. */
export type NodeHttpArgs = readonly [request: IncomingMessage, response: ServerResponse];

/** Options of {@link wrapRequestHandler}; `shouldHandleError` also gets the request and the response. */
export type RequestHandlerOptions = ErrorHandlerOptions<NodeHttpArgs>;

/**
 * Captures what a request handler of `node:http`, `node:https` or `node:http2` throws or rejects with. Node still gets the
 * error, which ends the process unless something listens for it.
 */
export function wrapRequestHandler<Handler extends (...args: never[]) => unknown>(
  handler: Handler,
  options?: RequestHandlerOptions,
): Handler {
  if (typeof handler !== 'function') return handler;
  const report = createErrorReporter('auto.middleware.node_http', options);
  return function (this: unknown, ...args: never[]) {
    const [request, response] = args as readonly unknown[] as NodeHttpArgs;
    return callObserved(
      () => handler.apply(this, args),
      (error) => report({ error, args: [request, response], unit: request }),
    );
  } as Handler;
}
