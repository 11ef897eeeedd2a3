import { type Context, context as contextApi } from '@opentelemetry/api';
import { createPrivateSlot } from '../../internal/collections/private-slot.js';
import { isObject } from '../../internal/values/read.js';
import { getIsolationScope } from '../current-scopes.js';
import { processWide } from '../process-wide.js';
import { scopesOf } from '../scoped-context.js';
import { requestIn } from './running-request.js';

/** Requests that servers have received, with the context in which each is handled. */
export const receivedRequests = createPrivateSlot<Context>();

/**
 * Runs a function in the context of a request, unless the active one is of the same request. Callbacks of pooled connections
 * run in the context in which the connection was opened, which is that of another request or of none.
 *
 * @param message the request, if a server has received it
 */
export function inContextOfRequest<T>(message: unknown, run: () => T): T {
  const context = isObject(message) ? receivedRequests.get(message) : undefined;
  return context === undefined || isOfRequest(context) ? run() : contextApi.with(context, run);
}

function isOfRequest(context: Context): boolean {
  const own = scopesOf(context)?.isolation;
  const active = getIsolationScope();
  if (own === undefined || own === active) return true;
  // An isolation scope that the application has made for a part of its request may be without the request's data.
  const request = requestIn(active);
  return request === undefined ? active !== processWide().fallback.isolation : request === requestIn(own);
}
