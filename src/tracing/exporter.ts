import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { getInnerClient } from '../context/current-scopes.js';
import { notify } from '../context/notify.js';
import { registerPart } from '../context/parts.js';
import { localRootOf, localRootOfClient } from '../context/trace/find-local-root.js';
import { isTracingEnabled } from '../context/trace/trace.js';
import { createLogger } from '../internal/diag.js';
import { guard, guardOwn } from '../internal/guard.js';
import { parseFlag } from '../internal/options/parse-flag.js';
import { isError } from '../internal/values/is-error.js';
import { isObject } from '../internal/values/read.js';
import type { Client } from '../model/contracts.js';
import { ONE_SPAN } from '../model/delivery/outcome.js';
import { type InnerClient, readClientOption } from '../model/inner-client.js';
import { isSpanId, isTraceId } from '../model/trace.js';
import { takeExceptions } from './exceptions/recorded-exceptions.js';
import { flushClient, flushClientAtShutdown } from './flush-client.js';
import { scopesOfRoot } from './segments/segment.js';
import { SpanBuffer } from './span-buffer/span-buffer.js';
import { mendSpan } from './spans/mend-span.js';

const log = createLogger('exporter');

/**
 * Makes transactions of the finished spans that the application's span processor exports, in any order and batches.
 *
 * The application's sampler has decided what is recorded. `tracesSampleRate` and `tracesSampler`, when set, make a second
 * decision for each local root; without them every exported span is sent. An exporter does not know the scopes of a span's
 * start: transactions and recorded exceptions carry the data of the global scope only, unless a {@link FaultlineSpanProcessor}
 * saw the start. When one of the two options is set, that processor sends the spans it saw, and the exporter skips them.
 *
 * A transaction is sent about two seconds after its root was exported, to wait for other batches, or at a flush.
 *
 * @see https://opentelemetry.io/docs/specs/otel/trace/sdk/#span-exporter
 */
export class FaultlineSpanExporter implements SpanExporter {
  readonly #client: InnerClient | undefined;
  /** The buffers that hold spans of this exporter. */
  readonly #buffers = new Set<SpanBuffer>();
  #shutdown: Promise<void> | undefined;
  #isShutDown = false;

  /** @param options `client`: the client that sends the transactions; default: the current one at each export */
  constructor(options?: { client?: Client | undefined }) {
    this.#client = readClientOption(options);
    registerPart(this, 'FaultlineSpanExporter', this.#client);
  }

  /**
   * Accepts spans; never throws.
   *
   * @param resultCallback called once, before `export` returns: with a failure after `shutdown`, else with success. By then
   *   the ledger has counted each span; without a client the spans are lost, and stderr says so
   */
  export(spans: ReadableSpan[], resultCallback: (result: ExportResult) => void): void {
    let result: ExportResult;
    try {
      this.#take(spans);
      result = { code: ExportResultCode.SUCCESS };
    } catch (error) {
      result = { code: ExportResultCode.FAILED, error: isError(error) ? error : undefined };
    }
    guard('the result callback of an export', () => resultCallback(result));
  }

  /**
   * Sends each exported root with the spans below it, and waits up to 10 seconds for the destination.
   *
   * @returns never rejects
   */
  async forceFlush(): Promise<void> {
    await this.#flushClients(flushClient);
  }

  /**
   * Sends everything, including spans without a root, and waits up to `shutdownTimeout` for the destination. The client
   * stays open.
   *
   * @returns the same promise at each call; never rejects
   */
  shutdown(): Promise<void> {
    this.#shutdown ??= this.#shutDown();
    return this.#shutdown;
  }

  async #shutDown(): Promise<void> {
    this.#isShutDown = true;
    for (const buffer of this.#buffers) buffer.sendAll();
    await this.#flushClients(flushClientAtShutdown);
    this.#buffers.clear();
  }

  async #flushClients(flush: typeof flushClient): Promise<void> {
    const flushes = Array.from(this.#buffers, async ({ client }) => {
      if (!(await flush(client))) log.warn('the flush timed out before everything was sent');
    });
    await Promise.allSettled(flushes);
  }

  #take(spans: readonly ReadableSpan[]): void {
    if (this.#isShutDown) throw new Error('FaultlineSpanExporter: it has been shut down');
    const client = this.#client ?? getInnerClient();
    if (!client) {
      // Not a failure: it would make the span processor's shutdown reject, and end an application that awaits it.
      reportLostSpans();
      return;
    }
    const buffer = client.settings.enabled ? this.#bufferOf(client) : undefined;
    for (const span of spans) this.#add(client, buffer?.isClosed ? undefined : buffer, span);
  }

  #add(client: InnerClient, buffer: SpanBuffer | undefined, span: ReadableSpan): void {
    if (!isObject(span)) {
      client.ledger.captureAndDiscard('internal_sdk_error', ONE_SPAN);
      return;
    }
    if (buffer && client.settings.captureRecordedExceptions) {
      guardOwn('exceptions of an exported span', () => takeExceptions(client, span, scopesOfRoot(span)));
    }
    try {
      if (this.#isProcessed(span)) return;
      if (buffer) {
        const whole = guardOwn('an exported span', () => isWhole(span), false) ? span : mendSpan(span);
        if (!whole) throw new TypeError('not a span of the OpenTelemetry SDK');
        buffer.add(whole);
      } else {
        client.ledger.captureAndDiscard('disabled', ONE_SPAN);
      }
    } catch (error) {
      log.error('a span that was exported cannot be sent', error);
      client.ledger.captureAndDiscard('internal_sdk_error', ONE_SPAN);
    }
  }

  #bufferOf(client: InnerClient): SpanBuffer {
    const buffer = client.stateOf(SpanBuffer);
    if (this.#buffers.has(buffer)) return buffer;
    for (const other of this.#buffers) {
      if (other.isClosed) this.#buffers.delete(other);
    }
    this.#buffers.add(buffer);
    return buffer;
  }

  /** Whether a span processor of the same client, or of the current one, sends the span. */
  #isProcessed(span: ReadableSpan): boolean {
    const root = this.#client ? localRootOfClient(span, this.#client) : localRootOf(span);
    return root !== undefined && isTracingEnabled(root.client);
  }
}

function reportLostSpans(): void {
  const message =
    'FaultlineSpanExporter: init was not called; spans are lost until it is. Call init({ dsn, skipOpenTelemetrySetup: true }) first, with enabled: false where nothing is to be sent';
  log.warn(message);
  notify('spans-without-client', message, { quiet: parseFlag(process.env['FAULTLINE_QUIET']) === true });
}

/**
 * Whether a span has the members that a transaction needs. Not every span is made by OTel's SDK. Others are copied at once:
 * their size cannot be estimated, and what has made them may use them again.
 */
function isWhole(span: ReadableSpan): boolean {
  const { attributes, status, startTime, endTime, events, links, resource } = span;
  const { traceId, spanId } = span.spanContext();
  return (
    isTraceId(traceId) &&
    isSpanId(spanId) &&
    isSpanId(span.parentSpanContext?.spanId ?? spanId) &&
    [startTime, endTime, events, links].every(Array.isArray) &&
    [attributes, status, resource.attributes].every(isObject)
  );
}
