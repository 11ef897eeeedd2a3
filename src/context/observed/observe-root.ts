import { type Context, SpanKind } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import { processWide } from '../process-wide.js';

const MAX_CALL_SITES = 20;
const NOT_APPLICATION = /^(?:node:|native|<anonymous>)|[\\/]@opentelemetry[\\/]/;

/**
 * Called when a root is about to start. A root of kind CLIENT or INTERNAL that starts during a request has lost the
 * request's context, unless that context still has the RPC metadata of the server's span: then the application removed the
 * parent on purpose.
 */
export function observeRoot(context: Context, kind: SpanKind, hasRemoteParent: boolean): void {
  const { observed } = processWide();
  observed.hasRoots = true;
  const request = observed.openRequest?.getStore();
  if (!request) return;
  if (kind === SpanKind.SERVER) request.hasSpan = true;
  if (!request.hasSpan || !request.isOpen || hasRemoteParent) return;
  const isPartOfRequest = kind === SpanKind.CLIENT || kind === SpanKind.INTERNAL;
  if (isPartOfRequest && getRPCMetadata(context) === undefined) countLostRoot(observed.lostRoots);
}

function countLostRoot(lostRoots: Map<string, number>): void {
  const site = findCallSite();
  const count = lostRoots.get(site);
  if (count !== undefined || lostRoots.size < MAX_CALL_SITES) lostRoots.set(site, (count ?? 0) + 1);
}

/** Where the application, or a package that it uses, started the span. */
function findCallSite(): string {
  const [own = '', ...locations] = (new Error().stack ?? '').split('\n').slice(1).map(locationOf);
  const file = own.replace(/:\d+:\d+$/, '');
  return locations.find((location) => !location.startsWith(file) && !NOT_APPLICATION.test(location)) ?? 'unknown';
}

/** `at work (/app/db.js:12:5)` → `/app/db.js:12:5`. */
function locationOf(line: string): string {
  return line.trim().replace(/^at (?:async )?(?:.*\()?(.*?)\)?$/, '$1');
}
