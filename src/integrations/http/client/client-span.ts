import { type Attributes, context as contextApi, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { CANCELLED } from '../../../context/request/injected-request.js';
import { outgoingTrace } from '../../../context/trace/outgoing.js';
import type { OutgoingTrace } from '../../../context/trace/outgoing-trace.js';
import { isRemoteSpan } from '../../../context/trace/trace.js';
import { readString } from '../../../internal/values/read.js';
import { ATTRIBUTE, type SpanOrigin } from '../../../model/event/span-json.js';
import { getTracer } from '../../../tracing/setup/tracer.js';
import { addMethod, addPeer, addServer, errorTypeOf } from '../network.js';
import { isRequestSpan } from '../span-creation.js';

/**
 * The span of an outgoing request, a child of the active span. It is never active: code that runs while the request is
 * under way belongs to its parent.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-client
 */
export class ClientSpan {
  readonly #span: Span;
  /** What the trace headers name. */
  readonly trace: OutgoingTrace | undefined;

  private constructor(span: Span) {
    this.#span = span;
    this.trace = outgoingTrace(trace.setSpan(contextApi.active(), span));
  }

  /**
   * Starts the span of a request.
   *
   * @param url full URL
   * @returns `undefined` if it would not be recorded, or if other instrumentation has made one
   */
  static start(method: string, url: string, origin: SpanOrigin): ClientSpan | undefined {
    const context = contextApi.active();
    if (isTracingSuppressed(context) || isRequestSpan(context, SpanKind.CLIENT)) return undefined;
    const parent = trace.getSpan(context);
    if (parent && !parent.isRecording() && !isRemoteSpan(parent)) return undefined;
    const attributes: Attributes = { [ATTRIBUTE.origin]: origin, 'url.full': url };
    const name = addMethod(attributes, method);
    const [, protocol = '', authority = ''] = /^(\w+):\/\/([^/?#]*)/.exec(url) ?? [];
    addServer(attributes, authority, protocol);
    const span = getTracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }, context);
    return span.isRecording() ? new ClientSpan(span) : undefined;
  }

  /** Notes the connection that the request is sent on. */
  connect(socket: Parameters<typeof addPeer>[1]): void {
    const attributes: Attributes = {};
    addPeer(attributes, socket);
    this.#span.setAttributes(attributes);
  }

  /** Notes the head of the response. */
  respond(statusCode: number, version?: string): void {
    this.#span.setAttribute('http.response.status_code', statusCode);
    if (version !== undefined) this.#span.setAttribute('network.protocol.version', version);
    if (statusCode >= 400) this.#fail(String(statusCode));
  }

  /** Ends the span of a request without a complete response. @param error absent if the application has cancelled it */
  endWith(error: unknown): void {
    const type = errorTypeOf(error);
    if (!this.isEnded()) this.#fail(type, type === CANCELLED || readString(error, 'name') === 'AbortError');
    this.end();
  }

  #fail(errorType: string, isCancelled = false): void {
    this.#span.setAttribute('error.type', errorType);
    this.#span.setStatus({ code: SpanStatusCode.ERROR, ...(isCancelled && { message: CANCELLED }) });
  }

  /** May be called twice; the first end counts. */
  end(): void {
    if (!this.isEnded()) this.#span.end();
  }

  isEnded(): boolean {
    return !this.#span.isRecording();
  }
}
