import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { monotonicMillis } from '../../internal/clock.js';
import { RecentMap } from '../../internal/collections/recent-map.js';
import { createLogger } from '../../internal/diag.js';
import { onBeforeExit } from '../../internal/node/before-exit.js';
import { unref } from '../../internal/unref.js';
import { ONE_SPAN } from '../../model/delivery/outcome.js';
import type { InnerClient } from '../../model/inner-client.js';
import { SpanBudget } from '../limits/span-budget.js';
import { decideExported } from '../sampling/decide-exported.js';
import { countDiscardedRoot } from '../sampling/decide-root.js';
import { Segment, scopesOfRoot } from '../segments/segment.js';
import { SegmentStore } from '../segments/segment-store.js';
import { BufferedRoot, BufferedSpan, BufferedTrace, SentRoot } from './buffered-trace.js';
import { DelayQueue } from './delay-queue.js';

const log = createLogger('span-buffer');

/** How long a root waits for spans that are exported after it. */
const GRACE_MILLIS = 2000;

/** How much longer it waits while spans of its trace wait for an ancestor. */
const INCOMPLETE_MILLIS = 10_000;

/** How long a span waits for its parent. */
const MAX_WAIT_MILLIS = 300_000;

/** Maximum number of buffered spans; beyond it, the oldest are sent early. */
const MAX_SPANS = 50_000;

/** How many ids of sent spans are remembered at least, for late children and duplicates; at most twice as many. */
const MIN_SENT_SPANS = 10_000;

/** How often expired items are looked for, while anything is buffered. */
const TICK_MILLIS = 500;

/**
 * Puts exported spans back together, which arrive in any order, in any batches and more than once: each local root
 * becomes a segment with all spans below it. One buffer serves one client. Counters and the order of arrival limit number
 * and age of the spans, so that no operation iterates over all of them.
 *
 * A span waits until its parent is known. A root waits a moment for spans that are exported after it, and longer while
 * spans of its trace wait for an ancestor. If no other root of the trace arrives, those spans are sent with this one.
 */
export class SpanBuffer {
  readonly client: InnerClient;
  /** Whether it takes no more spans. Not `client.isClosed`: other listeners of `close`, which come first, may export the last. */
  isClosed: boolean;
  readonly #segments: SegmentStore;
  readonly #budget: SpanBudget;
  readonly #traces = new Map<string, BufferedTrace>();
  readonly #sent = new RecentMap<string, SentRoot>(MIN_SENT_SPANS);
  readonly #inGrace = new DelayQueue<BufferedRoot>(GRACE_MILLIS);
  readonly #ofIncomplete = new DelayQueue<BufferedRoot>(INCOMPLETE_MILLIS);
  readonly #waiting = new DelayQueue<BufferedSpan>(MAX_WAIT_MILLIS);
  #spanCount = 0;
  #hasOverflowed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: InnerClient) {
    this.client = client;
    this.#segments = client.stateOf(SegmentStore);
    this.#budget = client.stateOf(SpanBudget);
    this.isClosed = client.isClosed;
    if (this.isClosed) return;
    const sendAll = () => this.sendAll();
    client.on('flush', () => (client.isEnding ? sendAll() : this.flush()));
    client.on('close', () => {
      this.isClosed = true;
      stopWaiting();
      this.sendAll();
    });
    // No further spans will end. The flush that follows finds these in the pipeline.
    const stopWaiting = onBeforeExit(sendAll);
  }

  /** Adds a finished span; duplicates are ignored. */
  add(finished: ReadableSpan): void {
    const { traceId } = finished.spanContext();
    const trace = this.#traces.get(traceId) ?? new BufferedTrace(traceId);
    const span = new BufferedSpan(finished, trace);
    if (trace.has(span.spanId) || this.#sent.get(traceId + span.spanId)) return;
    this.client.ledger.capture(ONE_SPAN);
    if (span.parentSpanId === undefined) this.#addRoot(span);
    else this.#addChild(span, span.parentSpanId);
    if (trace.incompleteRoot && !trace.isIncomplete) this.#sendRoot(trace.incompleteRoot);
    if (!trace.isEmpty) this.#keep(trace);
    while (this.#spanCount > 0 && (this.#spanCount > MAX_SPANS || this.#budget.isExceeded)) this.#relieve();
  }

  /** Sends every buffered root with the spans below it. */
  flush(): void {
    for (let root = this.#firstRoot(); root; root = this.#firstRoot()) this.#sendRoot(root);
    this.#segments.flush();
  }

  /** Sends everything; spans whose parent is missing become separate transactions. */
  sendAll(): void {
    this.flush();
    for (let span = this.#waiting.first(); span; span = this.#waiting.first()) this.#sendWithoutRoot(span);
    this.#segments.flush();
  }

  #addRoot(span: BufferedSpan): void {
    const root = this.#createRoot(span);
    span.trace.roots++;
    this.#inGrace.add(root, monotonicMillis());
    this.#join(root, span);
  }

  #addChild(span: BufferedSpan, parentSpanId: string): void {
    const { trace } = span;
    const root = trace.members.get(parentSpanId) ?? this.#sent.get(trace.traceId + parentSpanId);
    if (root) {
      this.#join(root, span);
      return;
    }
    trace.addWaiting(span);
    this.#budget.take(span.bytes);
    this.#waiting.add(span, monotonicMillis());
    this.#spanCount++;
  }

  #createRoot(root: BufferedSpan): BufferedRoot {
    const decision = decideExported(this.client, root.span);
    if (decision.discardReason) {
      this.client.ledger.uncapture(ONE_SPAN);
      countDiscardedRoot(this.client.ledger, decision.discardReason);
    }
    const { current, isolation } = scopesOfRoot(root.span);
    const span = root.span as Segment['span'];
    const segment = new Segment(span, decision, current, isolation, this.#segments, undefined);
    return new BufferedRoot(root, segment, decision.discardReason);
  }

  /** Adds a span to a root, along with all spans that waited for it. */
  #join(root: BufferedRoot | SentRoot, first: BufferedSpan): void {
    const spans = [first];
    for (let span = spans.pop(); span; span = spans.pop()) {
      const { spanId, trace } = span;
      // User hooks may flush while spans are being sent.
      const present = root instanceof BufferedRoot ? (root.sent ?? root) : root;
      if (present instanceof BufferedRoot) {
        trace.members.set(spanId, present);
        present.spanIds.push(spanId);
        this.#spanCount++;
      } else {
        this.#sent.set(trace.traceId + spanId, present);
      }
      for (const child of trace.waitingFor(spanId)) {
        if (this.#stopWaiting(child)) spans.push(child);
      }
      this.#collect(present, span);
    }
  }

  #collect(root: BufferedRoot | SentRoot, span: BufferedSpan): void {
    if (root instanceof BufferedRoot && root.root === span) return;
    if (root.discardReason) this.client.ledger.discard(root.discardReason, ONE_SPAN);
    else if (root instanceof BufferedRoot) this.#segments.add(root.segment, span.span);
    else {
      const { current, isolation } = scopesOfRoot(span.span);
      this.#segments.sendLate({ ...root.facts, current, isolation }, span.span);
    }
  }

  /** @returns whether the span was waiting */
  #stopWaiting(span: BufferedSpan): boolean {
    if (!span.trace.deleteWaiting(span)) return false;
    this.#budget.release(1, span.bytes);
    this.#waiting.delete(span);
    this.#spanCount--;
    return true;
  }

  #firstRoot(): BufferedRoot | undefined {
    return this.#ofIncomplete.first() ?? this.#inGrace.first();
  }

  #sendRoot(root: BufferedRoot): void {
    const { trace } = root.root;
    this.#inGrace.delete(root);
    this.#ofIncomplete.delete(root);
    if (trace.incompleteRoot === root) trace.incompleteRoot = undefined;
    if (trace.isIncomplete) {
      for (const span of trace.waiting()) {
        if (this.#stopWaiting(span)) this.#join(root, span);
      }
    }
    root.sent ??= new SentRoot(root);
    for (const spanId of root.spanIds) {
      trace.members.delete(spanId);
      this.#sent.set(trace.traceId + spanId, root.sent);
    }
    this.#spanCount -= root.spanIds.length;
    if (trace.isEmpty) this.#traces.delete(trace.traceId);
    if (!root.discardReason) this.#segments.add(root.segment, root.root.span);
  }

  /** Sends the topmost waiting ancestor of a span in place of the missing root. */
  #sendWithoutRoot(span: BufferedSpan): void {
    const top = span.trace.topOf(span);
    this.#stopWaiting(top);
    const root = this.#createRoot(top);
    this.#join(root, top);
    this.#sendRoot(root);
  }

  #relieve(): void {
    if (!this.#hasOverflowed)
      log.warn('too many spans wait for others of their trace; the oldest are sent without them');
    this.#hasOverflowed = true;
    const root = this.#firstRoot();
    if (root) this.#sendRoot(root);
    else this.#sendWithoutRoot(this.#waiting.first()!);
    this.#segments.flush();
  }

  /** Keeps a trace with buffered spans, and starts the timer that sends them. */
  #keep(trace: BufferedTrace): void {
    this.#traces.set(trace.traceId, trace);
    this.#timer ??= unref(setTimeout(() => this.#tick(), TICK_MILLIS));
  }

  #tick(): void {
    const now = monotonicMillis();
    for (let root = this.#ofIncomplete.first(now); root; root = this.#ofIncomplete.first(now)) this.#sendRoot(root);
    for (let root = this.#inGrace.first(now); root; root = this.#inGrace.first(now)) this.#endGrace(root, now);
    for (let span = this.#waiting.first(now); span; span = this.#waiting.first(now)) this.#endWait(span, now);
    // Sent at once: the wait for related spans is over.
    this.#segments.flush();
    this.#timer = this.#spanCount > 0 ? unref(setTimeout(() => this.#tick(), TICK_MILLIS)) : undefined;
  }

  /** Sends a span whose wait is over, unless its root has just arrived and will send it. */
  #endWait(span: BufferedSpan, nowMillis: number): void {
    if (!span.trace.isIncomplete) {
      this.#sendWithoutRoot(span);
      return;
    }
    this.#waiting.delete(span);
    this.#waiting.add(span, nowMillis);
  }

  #endGrace(root: BufferedRoot, nowMillis: number): void {
    const { trace } = root.root;
    if (!trace.isIncomplete) {
      this.#sendRoot(root);
      return;
    }
    this.#inGrace.delete(root);
    this.#ofIncomplete.add(root, nowMillis);
    trace.incompleteRoot = root;
  }
}
