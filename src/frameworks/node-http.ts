import type { IncomingMessage, ServerResponse } from 'node:http';
import { likeOriginal } from '../internal/patching/wrapped.js';
import { callObserved, createErrorReporter, type ErrorHandlerOptions } from './shared/capture-framework-error.js';
import { isHandler } from './shared/check-arguments.js';

/** What `shouldHandleError` gets beside the error. */
export type NodeHttpArgs = readonly [request: IncomingMessage, response: ServerResponse];

/** Options of {@link wrapRequestHandler}; `shouldHandleError` also gets the request and the response. */
export type RequestHandlerOptions = ErrorHandlerOptions<NodeHttpArgs>;

type RequestHandler<Result> = (
  request: IncomingMessage,
  response: ServerResponse<IncomingMessage> & { req: IncomingMessage },
) => Result;

/**
 * Captures what a request handler of `node:http`, `node:https` or `node:http2` throws or rejects with. Node still gets the
 * error, which ends the process unless something listens for it.
 */
export function wrapRequestHandler<Result>(
  handler: RequestHandler<Result>,
  options?: RequestHandlerOptions,
): RequestHandler<Result>;
export function wrapRequestHandler<Args extends unknown[], Result>(
  handler: (...args: Args) => Result,
  options?: RequestHandlerOptions,
): (...args: Args) => Result;
export function wrapRequestHandler<Args extends unknown[], Result>(
  handler: (...args: Args) => Result,
  options?: RequestHandlerOptions,
): (...args: Args) => Result {
  if (!isHandler('wrapRequestHandler', handler)) return handler;
  const report = createErrorReporter('wrapRequestHandler', 'auto.middleware.node_http', options);
  const wrapper = function (this: unknown, ...args: Args): Result {
    const [request, response] = args as unknown[] as [IncomingMessage, ServerResponse];
    return callObserved(
      () => handler.apply(this, args),
      (error) => report({ error, args: [request, response], unit: request }),
    );
  };
  return likeOriginal(wrapper, handler);
}
