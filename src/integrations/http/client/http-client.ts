import { type ClientRequest, ClientRequest as ClientRequestClass, type IncomingMessage } from 'node:http';
import { context as contextApi } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { getClient } from '../../../context/current-scopes.js';
import { createPrivateSlot } from '../../../internal/collections/private-slot.js';
import { guardOwn } from '../../../internal/guard.js';
import { observeChannel } from '../../../internal/node/diagnostics-channel.js';
import { readOptions } from '../../../internal/options/read-options.js';
import { replaceMethod, undoAll } from '../../../internal/patching/replace-method.js';
import type { Integration } from '../../../model/contracts.js';
import { valuesIn, without } from '../header-list.js';
import { isInstrumented, makesSpans } from '../span-creation.js';
import { ClientSpan } from './client-span.js';
import { addRequestBreadcrumb, addTraceHeaders, joinUrl, type OutgoingHeaders } from './outgoing-request.js';

const SWITCHING_PROTOCOLS = 101;

/** Options of {@link httpClientIntegration}. */
export interface HttpClientOptions {
  /** @default true */
  breadcrumbs?: boolean | undefined;
  /**
   * Makes a span for each request inside another span, unless OTel's HTTP instrumentation does. @default true if `init`
   * has set OpenTelemetry up, false beside an existing setup
   */
  spans?: boolean | undefined;
}

/** What Node publishes; each channel has one of the members beside the request. */
interface Outcome {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
  readonly error: unknown;
}

/**
 * Adds trace headers to outgoing requests of `node:http` and `node:https`, and a breadcrumb and a span for each.
 */
export function httpClientIntegration(options?: HttpClientOptions): Integration {
  const { breadcrumbs, spans } = readOptions(
    'httpClientIntegration',
    options,
    { breadcrumbs: true },
    { spans: 'boolean' },
  );
  return {
    name: 'Http',
    setup(client) {
      const isCurrent = () => getClient() === client;
      const leavesBreadcrumbs = breadcrumbs && client.settings.maxBreadcrumbs > 0;
      const areSpansMade = makesSpans(client, spans);
      const running = createPrivateSlot<ClientSpan>();
      const leaveBreadcrumb = (message: Outcome, statusCode?: number) => {
        if (!leavesBreadcrumbs || !isCurrent() || isTracingSuppressed(contextApi.active())) return;
        const { request } = message;
        addRequestBreadcrumb({ url: urlOf(request), method: request.method, statusCode }, { ...message });
      };
      return undoAll([
        observeCreation((request, headers) => {
          if (!isCurrent() || !isOpen(request)) return;
          const url = urlOf(request, headers);
          const span = areSpansMade && !isInstrumentedRequest(request) ? startSpan(request, url) : undefined;
          if (span) running.set(request, span);
          addTraceHeaders(headers, url, span?.trace);
        }),
        observeChannel<Outcome>('http.client.response.finish', (message) => {
          const { request, response } = message;
          const span = running.get(request);
          if (span) response.once('end', () => endSpan(request, span));
          leaveBreadcrumb(message, response.statusCode);
        }),
        observeChannel<Outcome>('http.client.request.error', (message) => {
          const span = running.get(message.request);
          // User code gets both, and what it does with one must not cost the other.
          if (span) guardOwn('the end of a request', () => span.endWith(message.error));
          leaveBreadcrumb(message);
        }),
      ]);
    },
  };
}

/** OTel's instrumentation replaces the functions that make requests, which is seen in the module itself only. */
function isInstrumentedRequest({ protocol }: ClientRequest): boolean {
  return isInstrumented(process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http').request);
}

/** Ends with the request's `close`, which comes after every outcome, if not before. */
function startSpan(request: ClientRequest, url: string): ClientSpan | undefined {
  const span = ClientSpan.start(request.method, url, 'auto.http.client');
  if (!span) return undefined;
  request.once('close', () => endSpan(request, span));
  return span;
}

/** May be called twice; the first end counts. */
function endSpan(request: ClientRequest, span: ClientSpan): void {
  if (span.isEnded()) return;
  guardOwn('the end of a request', () => describeEnd(request, span));
}

function describeEnd(request: ClientRequest, span: ClientSpan): void {
  // Not public, but the only way to the response to an upgrade.
  const { res } = request as ClientRequest & { res?: IncomingMessage | null };
  if (res?.statusCode !== undefined) {
    span.connect(request.socket);
    span.respond(res.statusCode, res.httpVersion);
    if (!res.complete && res.statusCode !== SWITCHING_PROTOCOLS) {
      span.endWith(res.errored);
      return;
    }
  }
  span.end();
}

type CreationObserver = (request: ClientRequest, headers: OutgoingHeaders) => void;

/**
 * Calls the observer while headers can still be set. Node 22.12 and 23.2 publish new requests on a channel, but too
 * late for requests that write their header block in the constructor.
 */
function observeCreation(observer: CreationObserver): () => void {
  if (!announcesRequests()) return observeHeaderBlocks(observer);
  return undoAll([
    observeChannel<{ request: ClientRequest }>('http.client.request.created', ({ request }) =>
      observer(request, headersOf(request)),
    ),
    observeHeaderBlocks(observer, (request, block) => Array.isArray(block) || request.hasHeader('expect')),
  ]);
}

function announcesRequests(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 2) || (major === 22 && minor >= 12);
}

/**
 * A request's headers, as Node writes them. If the caller passed an array: pairs, or a flat list of names and values.
 */
type HeaderBlock = readonly unknown[] | object | null;

interface HeaderWriter {
  _storeHeader?(this: ClientRequest, firstLine: string, block: HeaderBlock): void;
}

/**
 * Wraps `_storeHeader`, which writes a request's header block: at the first `write` or `end`, or in the constructor if
 * the headers are an array or contain `expect`. Every request calls it. Wrapping `http.request` would miss modules that
 * imported it before `init`, and would disturb others that wrap and unwrap it. If Node removes `_storeHeader`, requests
 * are sent without trace headers.
 */
function observeHeaderBlocks(
  observer: CreationObserver,
  isObserved: (request: ClientRequest, block: HeaderBlock) => boolean = () => true,
): () => void {
  const prototype = ClientRequestClass.prototype as unknown as HeaderWriter;
  const original = prototype._storeHeader;
  if (typeof original !== 'function') return () => undefined;
  let isStopped = false;
  const watched = function (this: ClientRequest, firstLine: string, block: HeaderBlock): void {
    const observe = () => (isObserved(this, block) ? observeBlock(observer, this, block) : block);
    original.call(this, firstLine, isStopped ? block : guardOwn('trace headers of a request', observe, block));
  };
  const restore = replaceMethod(prototype, '_storeHeader', watched);
  return () => {
    isStopped = true;
    restore();
  };
}

/** @returns the headers to send; never mutates the caller's array */
function observeBlock(observer: CreationObserver, request: ClientRequest, block: HeaderBlock): HeaderBlock {
  if (!Array.isArray(block)) {
    observer(request, headersOf(request));
    return block;
  }
  let list: unknown[] = Array.isArray(block[0]) ? block.flat() : [...block];
  observer(request, {
    get: (name) => valuesIn(list, name),
    set(name, value) {
      list = [...without(list, name), name, value];
    },
  });
  return list;
}

/** Whether trace headers can be added: not to `CONNECT`, which only opens a tunnel, and not once headers are sent. */
function isOpen(request: ClientRequest): boolean {
  return !request.headersSent && request.method !== 'CONNECT';
}

function headersOf(request: ClientRequest): OutgoingHeaders {
  return {
    get: (name: string) => request.getHeader(name) as string | string[] | undefined,
    set: (name: string, value: string) => {
      request.setHeader(name, value);
    },
  };
}

function urlOf(request: ClientRequest, headers = headersOf(request)): string {
  const host = headers.get('host') ?? request.host;
  return joinUrl(`${request.protocol}//${host}`, request.path);
}
