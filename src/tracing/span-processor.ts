import { type Context, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { getInnerClient, scopesIn } from '../context/current-scopes.js';
import { registerPart } from '../context/parts.js';
import { createRequestIsolation, startsRequest } from '../context/request/request-isolation.js';
import { localRootOwnedBy, setLocalRoot } from '../context/trace/find-local-root.js';
import type { LocalRoot } from '../context/trace/local-root.js';
import { isTracingEnabled, remoteParentOf } from '../context/trace/trace.js';
import { guardOwn, reportOwnFailure } from '../internal/guard.js';
import type { Client } from '../model/contracts.js';
import { type InnerClient, readClientOption } from '../model/inner-client.js';
import { sampleRandOf } from '../model/trace.js';
import { observeExceptions, scopesFor, takeExceptions } from './exceptions/recorded-exceptions.js';
import { flushClient, flushClientAtShutdown } from './flush-client.js';
import { decideAndCount } from './sampling/decide-root.js';
import { PendingDecision, type SegmentDecision } from './sampling/pending-decision.js';
import { scopesOfRoot } from './segments/segment.js';
import { SegmentStore } from './segments/segment-store.js';
import { keepCustomName } from './spans/custom-name.js';
import { localParentOf } from './spans/nested-server-span.js';

/** Opens a segment for each local root, adds its descendants, and passes them on as they end. */
export class FaultlineSpanProcessor implements SpanProcessor {
  readonly #client: InnerClient | undefined;

  /** @param options `client`: the client that sends the transactions; default: the current one when a root starts */
  constructor(options?: { client?: Client | undefined }) {
    this.#client = readClientOption(options);
    registerPart(this, 'FaultlineSpanProcessor', this.#client);
  }

  /** Never throws: OTel would pass it on to the code that starts the span. */
  onStart(span: Span, parentContext: Context): void {
    try {
      this.#start(span, parentContext);
    } catch (error) {
      reportOwnFailure('the start of a span', error);
    }
  }

  /** Never throws: OTel would pass it on to the code that ends the span. */
  onEnd(span: ReadableSpan): void {
    try {
      this.#end(span);
    } catch (error) {
      reportOwnFailure('the end of a span', error);
    }
  }

  #start(span: Span, parentContext: Context): void {
    // With `forceTransaction`, the parent is marked as remote, although it is a span of this process.
    const parent = localParentOf(parentContext);
    const root = parent && localRootOwnedBy(parent, this.#client);
    const segment = root ?? this.#openSegment(span, parentContext);
    if (segment) {
      setLocalRoot(span, segment);
      segment.begin();
    }
    if (this.#clientOf(segment)?.settings.captureRecordedExceptions) {
      observeExceptions(span, parentContext, this.#clientNow);
    }
    if (segment?.isRecorded && segment.client.listens('spanStart')) segment.client.emit('spanStart', span);
  }

  #end(span: ReadableSpan): void {
    const segment = localRootOwnedBy(span, this.#client);
    segment?.add(span);
    const client = this.#clientOf(segment);
    if (client?.settings.captureRecordedExceptions) {
      guardOwn('exceptions of an ended span', () =>
        takeExceptions(client, span, scopesFor(span as Span, scopesOfRoot(span))),
      );
    }
    // The same object that `spanStart` was called with.
    if (segment?.isRecorded && segment.client.listens('spanEnd')) segment.client.emit('spanEnd', span as Span);
  }

  /** Sends ended spans and waits for the destination, 10 seconds at most; never rejects. */
  async forceFlush(): Promise<void> {
    await flushClient(this.#clientNow());
  }

  /**
   * Sends ended spans and waits for the destination, `shutdownTimeout` at most: applications end their process after
   * the provider's shutdown. The client stays open; never rejects.
   */
  async shutdown(): Promise<void> {
    await flushClientAtShutdown(this.#clientNow());
  }

  readonly #clientNow = (): InnerClient | undefined => this.#client ?? getInnerClient();

  /** Saves the lookup if there is a segment. */
  #clientOf(root: LocalRoot | undefined): InnerClient | undefined {
    return root?.client ?? this.#clientNow();
  }

  #openSegment(span: Span, context: Context): LocalRoot | undefined {
    const client = this.#clientNow();
    if (!client?.settings.enabled) return undefined;
    const isTracing = isTracingEnabled(client);
    if (!isTracing && !startsRequest(span.kind)) return undefined;
    const { current, isolation } = scopesIn(context);
    const request = startsRequest(span.kind) ? createRequestIsolation(isolation) : undefined;
    const { traceId } = span.spanContext();
    const decision: SegmentDecision = isTracing
      ? (client.stateOf(PendingDecision).take(traceId) ?? this.#decide(client, span, context))
      : { verdict: 'drop', sampled: undefined, sampleRand: sampleRandOf(traceId) };
    const scopes = { current, isolation: request?.own ?? isolation };
    const segment = client.stateOf(SegmentStore).open(span, decision, scopes, this.#client, request);
    if (segment.isRecorded && span.kind === SpanKind.SERVER) keepCustomName(span, segment);
    return segment;
  }

  /** Without our sampler, only spans that the application's sampler recorded are decided here. */
  #decide(client: InnerClient, span: Span, context: Context) {
    // Spans that were not made by OTel's SDK may have none.
    const { name, kind, attributes = {} } = span;
    const { traceId } = span.spanContext();
    const remoteParent = remoteParentOf(context);
    const hasExistingSampler = true;
    return decideAndCount(client, { context, traceId, name, kind, attributes, remoteParent, hasExistingSampler });
  }
}
