import type { IncomingHttpHeaders } from 'node:http';
import { getInnerClient, getIsolationScope } from '../current-scopes.js';
import { requestIn } from './request-route.js';

/** A request that no server has received: an application handed it to its framework, as tests and serverless adapters do. */
export interface InjectedRequest {
  readonly message: { readonly method?: string; readonly url?: string; readonly headers: IncomingHttpHeaders };
  /** Calls back when the answer is complete or given up. */
  readonly onClose: (listener: (readState: () => { statusCode?: number | undefined }) => void) => void;
}

/** Of one client: set by the integration that does the same for requests of servers. */
export class InjectedRequests {
  run: (<T>(request: InjectedRequest, handle: () => T) => T) | undefined;
}

/**
 * Handles a request in an isolation scope and a trace of its own, unless it is one of a server, which has these already, or
 * is handed over while such a request is handled.
 */
export function runInjected<T>(describe: () => InjectedRequest, handle: () => T): T {
  const isReceived = requestIn(getIsolationScope()) !== undefined;
  const run = isReceived ? undefined : getInnerClient()?.part(InjectedRequests).run;
  return run ? run(describe(), handle) : handle();
}
