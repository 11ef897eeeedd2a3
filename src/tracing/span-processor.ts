import { type Context, isSpanContextValid, trace } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { scopesOf } from '../context/scoped-context.js';
import { getClient, getScopes } from '../context/storage.js';
import { isTracingEnabled, localRootOf, setLocalRoot } from '../context/trace.js';
import { beginsUnit, createUnit } from '../context/unit-of-work.js';
import { readProperty } from '../internal/read.js';
import { type Client, isClient } from '../model/contracts.js';
import { sampleRandOf } from '../model/trace.js';
import { notePart } from './health/own-parts.js';
import { decideRoot } from './root-decision.js';
import { Segment, segmentsOf } from './segments.js';

/** How long `forceFlush` waits for the destination. */
const FLUSH_TIMEOUT_MILLIS = 10_000;

/** Opens a segment for each local root, lets its descendants join, and hands them over as they end. */
export class FaultlineSpanProcessor implements SpanProcessor {
  readonly #client: Client | undefined;

  /** @param options `client`: whose transactions the spans become; without it, the current one when a root starts */
  constructor(options?: { client?: Client | undefined }) {
    const client = readProperty(options, 'client');
    this.#client = isClient(client) ? client : undefined;
    notePart(this, this.#client);
  }

  onStart(span: Span, parentContext: Context): void {
    const parent = trace.getSpan(parentContext);
    // One of this process may be given as a parent of elsewhere, to begin another transaction below it.
    const root = parent && !parent.spanContext().isRemote ? localRootOf(parent) : undefined;
    const segment = root ?? this.#openSegment(span, parentContext);
    if (segment) setLocalRoot(span, segment);
  }

  onEnd(span: ReadableSpan): void {
    const segment = localRootOf(span);
    if (segment instanceof Segment && segment.sampled) segment.store.add(segment, span);
  }

  /** Sends what has ended, and waits for the destination, 10 seconds at most; never rejects. */
  async forceFlush(): Promise<void> {
    await (this.#client ?? getClient())?.flush(FLUSH_TIMEOUT_MILLIS);
  }

  /**
   * Sends what has ended, and waits for the destination, `shutdownTimeout` at most: hosts end their process when their
   * provider has shut down. The client stays open; never rejects.
   */
  async shutdown(): Promise<void> {
    const client = this.#client ?? getClient();
    // 0 would mean without a limit.
    await client?.flush(Math.max(client.settings.shutdownTimeout, 1));
  }

  #openSegment(span: Span, context: Context): Segment | undefined {
    const client = this.#client ?? getClient();
    if (!client?.settings.enabled) return undefined;
    const isTracing = isTracingEnabled(client);
    const unit = beginsUnit(span.kind) ? createUnit(context) : undefined;
    if (!isTracing && !unit) return undefined;
    const { traceId } = span.spanContext();
    const store = segmentsOf(client);
    const decision = isTracing
      ? (store.takeDecision(traceId) ?? this.#decide(client, span, context))
      : { sampled: undefined, sampleRand: sampleRandOf(traceId) };
    const { current, isolation } = scopesOf(context) ?? getScopes();
    return store.open(span, decision, current, unit?.own ?? isolation, unit);
  }

  /** Without our sampler the decision is made now, among the spans that the host's sampler records. */
  #decide(client: Client, span: Span, context: Context) {
    const { name, kind, attributes } = span;
    const { traceId } = span.spanContext();
    const parentContext = trace.getSpanContext(context);
    const remoteParent =
      parentContext && isSpanContextValid(parentContext) && parentContext.isRemote ? parentContext : undefined;
    return decideRoot(client, { context, traceId, name, kind, attributes, remoteParent, isHostFlag: true });
  }
}
