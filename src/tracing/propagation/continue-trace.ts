import type { IncomingHttpHeaders } from 'node:http';
import { types } from 'node:util';
import { context as contextApi, trace } from '@opentelemetry/api';
import { getScopes } from '../../context/current-scopes.js';
import { isCallback } from '../../context/observed/report-mistakes.js';
import { processWide } from '../../context/process-wide.js';
import { withForkedScope } from '../../context/scope-span.js';
import { guardOwn } from '../../internal/guard.js';
import { copyOwn } from '../../internal/values/copy-own.js';
import { createPropagationContext } from '../../model/trace.js';
import { continueFrom, type IncomingHeaders } from './incoming-trace.js';

/**
 * Runs the callback in the trace that another service began: root spans started in it take over its trace id, parent
 * and decision. Starts no span itself; without a usable header the callback runs in the present context.
 *
 * @param headers those of the request, or what `getTraceData` has returned
 * @returns what the callback returns
 */
export function continueTrace<T>(headers: IncomingHeaders | IncomingHttpHeaders, callback: () => T): T {
  if (!isCallback('continueTrace', callback)) return undefined as T;
  const continued = guardOwn('reading the headers of a trace', () =>
    continueFrom(contextApi.active(), readHeaders(headers)),
  );
  return continued ? contextApi.with(continued, callback) : callback();
}

/** Brokers hand headers over as bytes. */
function readHeaders(headers: object): IncomingHeaders {
  const read: Record<string, unknown> = { ...copyOwn(headers) };
  for (const name in read) {
    const value = read[name];
    if (types.isUint8Array(value)) read[name] = Buffer.from(value).toString();
  }
  return read;
}

/**
 * Runs the callback in a new trace: events, outgoing requests and root spans in it have one trace id. Starts no span
 * itself. Beside an existing setup, the application's SDK chooses the trace ids of root spans.
 */
export function startNewTrace<T>(callback: () => T): T {
  if (!isCallback('startNewTrace', callback)) return undefined as T;
  const { current, isolation } = getScopes();
  const fork = current.clone().setPropagationContext(createPropagationContext());
  processWide().newTraces.add(fork.getPropagationContext());
  return contextApi.with(withForkedScope(trace.deleteSpan(contextApi.active()), fork, isolation), callback);
}
