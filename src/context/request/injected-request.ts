import type { IncomingHttpHeaders } from 'node:http';
import { guardOwn } from '../../internal/guard.js';
import { getInnerClient, getIsolationScope } from '../current-scopes.js';
import { receivedRequests } from './received-request.js';
import { requestIn } from './running-request.js';

/** A request that no server has received: an application handed it to its framework, as tests and serverless adapters do. */
export interface InjectedRequest {
  readonly message: { readonly method?: string; readonly url?: string; readonly headers: IncomingHttpHeaders };
  /** Calls back when the answer is complete or given up. */
  readonly onClose: (listener: (readState: () => ResponseState) => void) => void;
}

/** What became of a request. */
export interface ResponseState {
  /** Absent if no status was sent. */
  readonly statusCode?: number | undefined;
  /** The error that kept the response from being complete. */
  readonly errorType?: string | undefined;
}

/** The error of a request whose connection the client, or the server itself, has closed before the response was complete. */
export const CANCELLED = 'cancelled';

/** How a client runs injected requests; set by the integration of HTTP servers. */
export class InjectedRequests {
  run: (<T>(request: InjectedRequest, handle: () => T) => T) | undefined;
}

/**
 * Handles a request in its own isolation scope and trace, unless it is one of a server, which has these already.
 *
 * @param message as a server would have received it; without it, any request whose scope is current counts as this one
 */
export function runInjected<T>(describe: () => InjectedRequest, handle: () => T, message?: object): T {
  const isReceived =
    message === undefined ? requestIn(getIsolationScope()) !== undefined : receivedRequests.get(message) !== undefined;
  const run = isReceived ? undefined : getInnerClient()?.stateOf(InjectedRequests).run;
  const described = run && guardOwn('a request without a server', describe);
  return run && described ? run(described, handle) : handle();
}
