import { addLateBreadcrumb } from '../../../capture.js';
import { getClient } from '../../../context/current-scopes.js';
import { isPropagationTarget, outgoingTrace } from '../../../context/trace/outgoing.js';
import type { OutgoingTrace } from '../../../context/trace/outgoing-trace.js';
import { BAGGAGE, mergeBaggage, SENTRY_TRACE, TRACEPARENT } from '../../../context/trace/trace-headers.js';
import { nowSeconds } from '../../../internal/clock.js';
import type { BreadcrumbHint } from '../../../model/event/breadcrumb.js';
import type { SeverityLevel } from '../../../model/event/severity.js';
import { sensitiveNames } from '../../../scrubbing/sensitive-names.js';
import { splitUrl } from '../../../scrubbing/urls.js';
import { isolatedRequest } from '../server/incoming-request.js';

/** Headers of a request that has not been sent yet. Names are in lower case. */
export interface OutgoingHeaders {
  get(name: string): string | readonly string[] | undefined;
  set(name: string, value: string): void;
}

/**
 * Adds trace headers to a request. A request that already has a `sentry-trace` header, from the application or other
 * instrumentation, is not changed, unless a proxy has passed on that of the request which it serves. Baggage members of other
 * vendors stay.
 *
 * @param url full URL, matched against `tracePropagationTargets`
 * @param trace that of the request's own span; default: the current trace
 */
export function addTraceHeaders(headers: OutgoingHeaders, url: string, trace?: OutgoingTrace): void {
  const present = headers.get(SENTRY_TRACE);
  const isPassedOn = trace !== undefined && present !== undefined && isOfServedRequest(String(present));
  if ((present !== undefined && !isPassedOn) || !isPropagationTarget(url)) return;
  const outgoing = trace ?? outgoingTrace();
  if (!outgoing) return;
  headers.set(SENTRY_TRACE, outgoing.sentryTrace);
  const baggage = outgoing.dsc && mergeBaggage(headers.get(BAGGAGE), outgoing.dsc);
  if (baggage) headers.set(BAGGAGE, baggage);
  if (outgoing.traceparent && (isPassedOn || headers.get(TRACEPARENT) === undefined))
    headers.set(TRACEPARENT, outgoing.traceparent);
}

/** Whether the request that is served has come with this header. */
function isOfServedRequest(sentryTrace: string): boolean {
  return isolatedRequest()?.message.headers[SENTRY_TRACE] === sentryTrace;
}

interface RequestOutcome {
  readonly url: string;
  readonly method: string;
  /** Absent without a response. */
  readonly statusCode?: number;
}

export function addRequestBreadcrumb({ url: fullUrl, method, statusCode }: RequestOutcome, hint: BreadcrumbHint): void {
  const settings = getClient()?.settings;
  const timestamp = nowSeconds();
  addLateBreadcrumb(() => {
    const names = sensitiveNames(settings?.sendDefaultPii === true, settings?.scrubbing);
    const { url, query, fragment } = splitUrl(fullUrl, names);
    const data = {
      url,
      'http.method': method,
      ...(statusCode !== undefined && { status_code: statusCode }),
      ...(query && { 'http.query': `?${query}` }),
      ...(fragment && { 'http.fragment': `#${fragment}` }),
    };
    return { timestamp, type: 'http', category: 'http', level: levelOf(statusCode), data };
  }, hint);
}

function levelOf(statusCode: number | undefined): SeverityLevel | undefined {
  if (statusCode === undefined || statusCode >= 500) return 'error';
  return statusCode >= 400 ? 'warning' : undefined;
}

/**
 * Builds the full URL of a request.
 *
 * @param origin scheme and authority
 * @param target path and query, or a full URL when the request goes to a proxy
 */
export function joinUrl(origin: string, target: string): string {
  return target.startsWith('/') || !target.includes('://') ? origin + target : target;
}
