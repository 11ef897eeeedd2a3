import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type RPCMetadata, RPCType, setRPCMetadata } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { CANCELLED, type ResponseState } from '../../../context/request/injected-request.js';
import { requestIn } from '../../../context/request/running-request.js';
import { guardOwn } from '../../../internal/guard.js';
import { ATTRIBUTE } from '../../../model/event/span-json.js';
import type { Scope } from '../../../model/scope/scope.js';
import { ROUTE } from '../../../tracing/describe/attribute-text.js';
import { getTracer } from '../../../tracing/setup/tracer.js';
import { addMethod, addPeer, addServer, errorTypeOf } from '../network.js';
import type { IncomingRequest } from './incoming-request.js';

/**
 * The span of a request that a server handles: it begins before the first listener, and ends when the response was sent
 * or the connection is gone.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server
 */
export class ServerSpan {
  /** In which the request is handled. */
  readonly context: Context;
  readonly #span: Span;
  readonly #name: string;
  readonly #metadata: RPCMetadata;
  readonly #isolation: Scope;

  /**
   * @param parent has the remote parent, if any
   * @param isolation the isolation scope of the request
   */
  constructor(parent: Context, request: IncomingRequest, isolation: Scope) {
    const attributes: Attributes = { [ATTRIBUTE.origin]: 'auto.http.server' };
    this.#name = addMethod(attributes, request.method);
    addRequest(attributes, request);
    this.#span = getTracer().startSpan(this.#name, { kind: SpanKind.SERVER, attributes }, parent);
    this.#isolation = isolation;
    this.#metadata = new RouteMetadata(this.#span, isolation);
    this.context = setRPCMetadata(trace.setSpan(parent, this.#span), this.#metadata);
  }

  get isRecording(): boolean {
    return this.#span.isRecording();
  }

  end(readState: () => ResponseState): void {
    if (!this.isRecording) return;
    guardOwn('the end of a request', () => this.#describe(readState()));
    this.#span.end();
  }

  #describe(state: ResponseState): void {
    const span = this.#span;
    const { statusCode } = state;
    const { brokenBy } = requestIn(this.#isolation) ?? {};
    const isBroken = state.errorType === CANCELLED && brokenBy !== undefined;
    const errorType = isBroken ? errorTypeOf(brokenBy, '_OTHER') : state.errorType;
    const { route } = this.#metadata;
    if (route !== undefined) {
      span.setAttribute(ROUTE, route);
      // Not when the application has renamed it.
      if ((span as Span & ReadableSpan).name === this.#name) span.updateName(`${this.#name} ${route}`);
    }
    if (statusCode !== undefined) span.setAttribute('http.response.status_code', statusCode);
    const error = errorType ?? (statusCode !== undefined && statusCode >= 500 ? String(statusCode) : undefined);
    if (error === undefined) return;
    span.setAttribute('error.type', error);
    // A message is needed: without one, the status would follow from the response code, which may be 200.
    const message = error === CANCELLED ? error : 'internal_error';
    span.setStatus({ code: SpanStatusCode.ERROR, ...(errorType !== undefined && { message }) });
  }
}

/**
 * Where instrumentations of frameworks write the route of a request, and where the SDK looks for it. Until one has, it is
 * the route that the framework itself knows.
 */
class RouteMetadata implements RPCMetadata {
  readonly type = RPCType.HTTP;
  readonly span: Span;
  readonly #isolation: Scope;
  #route: string | undefined;

  constructor(span: Span, isolation: Scope) {
    this.span = span;
    this.#isolation = isolation;
  }

  get route(): string | undefined {
    return this.#route ?? requestIn(this.#isolation)?.route;
  }

  set route(route: string | undefined) {
    this.#route = route;
  }
}

function addRequest(attributes: Attributes, request: IncomingRequest): void {
  const { message, authority, protocol, query_string: query } = request;
  attributes['url.scheme'] = protocol;
  attributes['url.path'] = request.path;
  if (query !== '') attributes['url.query'] = query;
  if (authority !== undefined) addServer(attributes, authority, protocol);
  const userAgent = message.headers['user-agent'];
  if (userAgent) attributes['user_agent.original'] = userAgent;
  addPeer(attributes, message.socket);
  attributes['network.protocol.version'] = message.stream ? '2' : (message.httpVersion ?? '1.1');
}
