import type { Socket } from 'node:net';
import { type Context, context as contextApi } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { getClient } from '../../../context/current-scopes.js';
import { whileCreating } from '../../../context/trace/outgoing.js';
import type { RequestInCreation } from '../../../context/trace/outgoing-trace.js';
import { SENTRY_TRACE } from '../../../context/trace/trace-headers.js';
import { createPrivateSlot } from '../../../internal/collections/private-slot.js';
import { guardOwn } from '../../../internal/guard.js';
import { observeChannel, observeChannelAround } from '../../../internal/node/diagnostics-channel.js';
import { readOptions } from '../../../internal/options/read-options.js';
import { undoAll } from '../../../internal/patching/replace-method.js';
import type { Integration } from '../../../model/contracts.js';
import { valuesIn, without } from '../header-list.js';
import { makesSpans } from '../span-creation.js';
import { ClientSpan } from './client-span.js';
import { addRequestBreadcrumb, addTraceHeaders, joinUrl, type OutgoingHeaders } from './outgoing-request.js';
import { runAsCaller } from './undici-caller.js';

/** Options of {@link fetchIntegration}. */
export interface FetchOptions {
  /** @default true */
  breadcrumbs?: boolean | undefined;
  /**
   * Makes a span for each request inside another span, unless OTel's undici instrumentation does. @default true if `init`
   * has set OpenTelemetry up, false beside an existing setup
   */
  spans?: boolean | undefined;
}

/** A request as published on undici's channels. */
interface UndiciRequest {
  readonly origin?: string | URL;
  readonly path: string;
  readonly method: string;
  /** A flat list of names and values; in undici 5 one string with one line per header. */
  headers: unknown[] | string;
  addHeader(name: string, value: string): unknown;
  /** Set for WebSockets; undici publishes no response to an upgrade. */
  readonly upgrade?: unknown;
}

/** What is published; each channel has some of the members beside the request. */
interface Message {
  readonly request: UndiciRequest;
  readonly response: { readonly statusCode: number };
  readonly socket: Socket;
  readonly error: unknown;
}

/**
 * Adds trace headers to requests of `fetch` and of the undici package, and a breadcrumb and a span for each.
 *
 * If other instrumentation starts a span for a request, the headers name that span. They are added once, after all
 * instrumentation has run.
 */
export function fetchIntegration(options?: FetchOptions): Integration {
  const { breadcrumbs, spans } = readOptions('fetchIntegration', options, { breadcrumbs: true }, { spans: 'boolean' });
  return {
    name: 'NodeFetch',
    setup(client) {
      const leavesBreadcrumbs = breadcrumbs && client.settings.maxBreadcrumbs > 0;
      const areSpansMade = makesSpans(client, spans);
      /** Until the breadcrumb is left: responses arrive in the connection's context, which several requests share. */
      const contexts = createPrivateSlot<Context | undefined>();
      const running = createPrivateSlot<ClientSpan>();
      const begin = (request: UndiciRequest, headers: OutgoingHeaders, created: RequestInCreation) => {
        const active = contextApi.active();
        if (isTracingSuppressed(active)) return;
        if (leavesBreadcrumbs) contexts.set(request, active);
        const url = urlOf(request);
        const span =
          areSpansMade && !created.isInstrumented && !request.upgrade
            ? ClientSpan.start(request.method, url, 'auto.http.undici')
            : undefined;
        if (span) running.set(request, span);
        addTraceHeaders(headers, url, span?.trace ?? created.trace);
      };
      const leaveBreadcrumb = (message: Message, statusCode?: number) => {
        const { request } = message;
        const context = contexts.get(request);
        if (!context) return;
        contexts.set(request, undefined);
        const outcome = { url: urlOf(request), method: request.method, statusCode };
        contextApi.with(context, () => addRequestBreadcrumb(outcome, { ...message }));
      };
      const undo = [
        observeChannelAround<Message>('undici:request:create', ({ request }, publish) => {
          if (getClient() !== client || request.method === 'CONNECT') return;
          const headers = headersOf(request);
          const created: RequestInCreation = { hasTrace: headers.get(SENTRY_TRACE) !== undefined };
          whileCreating(created, publish);
          runAsCaller(request, () => begin(request, headers, created));
        }),
        observeChannel<Message>('undici:request:headers', (message) => {
          const { statusCode } = message.response;
          running.get(message.request)?.respond(statusCode);
          leaveBreadcrumb(message, statusCode);
        }),
        observeChannel<Message>('undici:request:error', (message) => {
          const span = running.get(message.request);
          if (span) guardOwn('the end of a request', () => span.endWith(message.error));
          leaveBreadcrumb(message);
        }),
      ];
      if (areSpansMade)
        undo.push(
          observeChannel<Message>('undici:client:sendHeaders', ({ request, socket }) =>
            running.get(request)?.connect(socket),
          ),
          // If nobody reads the body of a response, its span ends with the connection.
          observeChannel<Message>('undici:request:trailers', ({ request }) => running.get(request)?.end()),
        );
      return undoAll(undo);
    },
  };
}

function urlOf({ origin, path }: UndiciRequest): string {
  return joinUrl(String(origin ?? '').replace(/\/$/, ''), path);
}

function headersOf(request: UndiciRequest): OutgoingHeaders {
  return {
    get(name) {
      if (Array.isArray(request.headers)) return valuesIn(request.headers, name);
      const values = [...request.headers.matchAll(linesOf(name))].map(([, value]) => value!);
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
