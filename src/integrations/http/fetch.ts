import { type Context, context as contextApi } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { getClient } from '../../context/current-scopes.js';
import { whileCreating } from '../../context/outgoing.js';
import type { CreatedRequest } from '../../context/outgoing-trace.js';
import { observeChannel, observeChannelAround } from '../../internal/diagnostics-channel.js';
import { readOptions } from '../../internal/read-options.js';
import type { Integration } from '../../model/contracts.js';
import { valuesIn, without } from './header-list.js';
import {
  addRequestBreadcrumb,
  addTraceHeaders,
  joinUrl,
  type OutgoingHeaders,
  SENTRY_TRACE,
} from './outgoing-request.js';

/** Options of {@link fetchIntegration}. */
export interface FetchOptions {
  /** @default true */
  breadcrumbs?: boolean | undefined;
}

/** A request as published on undici's channels. */
interface UndiciRequest {
  readonly origin?: string | URL;
  readonly path: string;
  readonly method: string;
  /** A flat list of names and values; in undici 5 one string with one line per header. */
  headers: unknown[] | string;
  addHeader(name: string, value: string): unknown;
}

/**
 * Adds trace headers to requests of `fetch` and of the undici package, and a breadcrumb for each.
 *
 * If other instrumentation starts a span for a request, the headers name that span. They are added once, after all
 * instrumentation has run.
 */
export function fetchIntegration(options?: FetchOptions): Integration {
  const { breadcrumbs = true } = readOptions(options, { breadcrumbs: 'boolean' });
  return {
    name: 'NodeFetch',
    setup(client) {
      const leavesBreadcrumbs = breadcrumbs && client.settings.maxBreadcrumbs > 0;
      // Responses arrive in the connection's context, which several requests share.
      const contexts = new WeakMap<UndiciRequest, Context>();
      const undo = [
        observeChannelAround<{ request: UndiciRequest }>('undici:request:create', ({ request }, publish) => {
          const active = contextApi.active();
          if (getClient() !== client || request.method === 'CONNECT' || isTracingSuppressed(active)) return;
          if (leavesBreadcrumbs) contexts.set(request, active);
          const headers = headersOf(request);
          const created: CreatedRequest = { hasTrace: headers.get(SENTRY_TRACE) !== undefined };
          whileCreating(created, publish);
          addTraceHeaders(headers, urlOf(request), created.trace);
        }),
      ];
      const leaveBreadcrumb = (request: UndiciRequest, hint: Record<string, unknown>, statusCode?: number) => {
        const context = contexts.get(request);
        if (!context) return;
        contexts.delete(request);
        const outcome = { url: urlOf(request), method: request.method, statusCode };
        contextApi.with(context, () => addRequestBreadcrumb(outcome, hint));
      };
      if (leavesBreadcrumbs) {
        undo.push(
          observeChannel<{ request: UndiciRequest; response: { statusCode: number } }>(
            'undici:request:headers',
            (message) => leaveBreadcrumb(message.request, { ...message }, message.response.statusCode),
          ),
          observeChannel<{ request: UndiciRequest; error: unknown }>('undici:request:error', (message) =>
            leaveBreadcrumb(message.request, { ...message }),
          ),
        );
      }
      return () => {
        for (const one of undo) one();
      };
    },
  };
}

function urlOf({ origin, path }: UndiciRequest): string {
  return joinUrl(String(origin ?? '').replace(/\/$/, ''), path);
}

function headersOf(request: UndiciRequest): OutgoingHeaders {
  return {
    get(name) {
      const values = Array.isArray(request.headers)
        ? valuesIn(request.headers, name)
        : [...request.headers.matchAll(linesOf(name))].map(([, value]) => value!);
      return values.length > 0 ? values : undefined;
    },
    set(name, value) {
      request.headers = Array.isArray(request.headers)
        ? without(request.headers, name)
        : request.headers.replace(linesOf(name), '');
      request.addHeader(name, value);
    },
  };
}

function linesOf(name: string): RegExp {
  return new RegExp(`^${name}: ?(.*)\\r\\n`, 'gim');
}
