import { type ClientRequest, ClientRequest as ClientRequestClass, type IncomingMessage } from 'node:http';
import { context as contextApi } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { getClient } from '../context/storage.js';
import { guard } from '../internal/guard.js';
import { readOptions } from '../internal/read-options.js';
import type { Integration } from '../model/contracts.js';
import { observeChannel } from './channel.js';
import { addRequestBreadcrumb, addTraceHeaders, joinUrl } from './outgoing-request.js';

/** Options of {@link httpClientIntegration}. */
export interface HttpClientOptions {
  /** @default true */
  breadcrumbs?: boolean | undefined;
}

/**
 * Adds trace headers to outgoing requests of `node:http` and `node:https`, and leaves a breadcrumb for each.
 *
 * Requests whose header block is fixed from the start get no headers: those with `headers` as an array, or with
 * `Expect`.
 */
export function httpClientIntegration(options?: HttpClientOptions): Integration {
  const { breadcrumbs = true } = readOptions(options, { breadcrumbs: 'boolean' });
  return {
    name: 'Http',
    setup(client) {
      const isCurrent = () => getClient() === client;
      const undo = [
        observeCreation((request) => {
          if (isCurrent() && isOpen(request)) addTraceHeaders(headersOf(request), urlOf(request));
        }),
      ];
      if (breadcrumbs && client.settings.maxBreadcrumbs > 0) {
        undo.push(
          observeOutcome((request, hint, statusCode) => {
            if (!isCurrent() || isTracingSuppressed(contextApi.active())) return;
            addRequestBreadcrumb({ url: urlOf(request), method: request.method, statusCode }, hint);
          }),
        );
      }
      return () => {
        for (const one of undo) one();
      };
    },
  };
}

/** Calls back while headers can still be set. Node announces new requests from 22.12 and 23.2 on. */
function observeCreation(observer: (request: ClientRequest) => void): () => void {
  return announcesRequests()
    ? observeChannel<{ request: ClientRequest }>('http.client.request.created', ({ request }) => observer(request))
    : observeHeaders(observer);
}

function announcesRequests(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 2) || (major === 22 && minor >= 12);
}

interface HeaderWriter {
  _implicitHeader(this: ClientRequest): void;
}

/**
 * Older versions: the method with which a request writes its header block at the first `write` or `end`. All requests
 * pass through it, however they were made; `http.request` in its place would be missed where a module took it before
 * `init`, and stood in the way of others who wrap and unwrap it. These versions change no more.
 */
function observeHeaders(observer: (request: ClientRequest) => void): () => void {
  const prototype = ClientRequestClass.prototype as unknown as HeaderWriter;
  const original = prototype._implicitHeader;
  let isStopped = false;
  const watched = function (this: ClientRequest): void {
    if (!isStopped) guard('trace headers of a request', () => observer(this), undefined);
    original.call(this);
  };
  prototype._implicitHeader = watched;
  return () => {
    isStopped = true;
    if (prototype._implicitHeader === watched) prototype._implicitHeader = original;
  };
}

type OutcomeObserver = (request: ClientRequest, hint: Record<string, unknown>, statusCode?: number) => void;

function observeOutcome(observer: OutcomeObserver): () => void {
  const undo = [
    observeChannel<{ request: ClientRequest; response: IncomingMessage }>('http.client.response.finish', (message) =>
      observer(message.request, { ...message }, message.response.statusCode),
    ),
    observeChannel<{ request: ClientRequest; error: unknown }>('http.client.request.error', (message) =>
      observer(message.request, { ...message }),
    ),
  ];
  return () => {
    for (const one of undo) one();
  };
}

/** A tunnel through a proxy is no request of the application, and what has left cannot change. */
function isOpen(request: ClientRequest): boolean {
  return !request.headersSent && request.method !== 'CONNECT';
}

function headersOf(request: ClientRequest) {
  return {
    get: (name: string) => request.getHeader(name) as string | string[] | undefined,
    set: (name: string, value: string) => void request.setHeader(name, value),
  };
}

function urlOf(request: ClientRequest): string {
  const host = request.getHeader('host') ?? request.host;
  return joinUrl(`${request.protocol}//${host}`, request.path);
}
