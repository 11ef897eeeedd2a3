import { INVALID_SPANID, trace as traceApi } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { parentOf } from '../../context/trace/span-parent.js';
import type { DiscardReason } from '../../model/delivery/outcome.js';
import { UNKNOWN_SPAN } from '../describe/describe-span.js';
import { estimateSpanBytes } from '../limits/span-budget.js';
import type { Segment } from '../segments/segment.js';
import type { SegmentFacts } from '../segments/transaction.js';
import type { Delayed } from './delay-queue.js';

// These types refer to each other in a circle, which files must not.

/** An exported span, with its ids read once. */
export class BufferedSpan implements Delayed<BufferedSpan> {
  dueMillis = 0;
  readonly spanId: string;
  /** Approximate size. */
  readonly bytes: number;
  /** Absent for a local root: a span without a parent in this process. */
  readonly parentSpanId: string | undefined;

  constructor(
    readonly span: ReadableSpan,
    readonly trace: BufferedTrace,
  ) {
    this.spanId = span.spanContext().spanId;
    this.bytes = estimateSpanBytes(span);
    const parent = parentOf(span);
    const hasLocalParent = parent && !parent.isRemote && parent.spanId !== INVALID_SPANID;
    this.parentSpanId = hasLocalParent ? parent.spanId : undefined;
  }
}

/** An exported local root, or a span that stands in for one, with the spans below it, until they are sent. */
export class BufferedRoot implements Delayed<BufferedRoot> {
  dueMillis = 0;
  /** Ids of the root and of the exported spans below it. */
  readonly spanIds: string[] = [];
  /** Set once the root was sent. */
  sent: SentRoot | undefined;

  /** @param discardReason counted for its spans; `undefined` if they are sent */
  constructor(
    readonly root: BufferedSpan,
    readonly segment: Segment,
    readonly discardReason: DiscardReason | undefined,
  ) {}
}

/** What is kept of a root that was sent, for spans that are exported later. Does not keep the root's span alive. */
export class SentRoot {
  /** Without scopes, which may hold the data of a whole request. */
  readonly facts: Omit<SegmentFacts, 'current' | 'isolation'>;
  readonly discardReason: DiscardReason | undefined;

  constructor({ root, segment, discardReason }: BufferedRoot) {
    const description = discardReason ? UNKNOWN_SPAN : segment.describe();
    const span = traceApi.wrapSpanContext({ traceId: root.trace.traceId, spanId: root.spanId, traceFlags: 0 });
    // Only its ids are read: a root that was sent becomes no transaction again.
    this.facts = { decision: segment.decision, span: span as SegmentFacts['span'], describe: () => description };
    this.discardReason = discardReason;
  }
}

/** The buffered spans of one trace: those below a known root, and those that wait for an ancestor. */
export class BufferedTrace {
  /** From the id of a span to its root; the root itself included. */
  readonly members = new Map<string, BufferedRoot>();
  /** Local roots exported so far; starts again once the trace has left the buffer. */
  roots = 0;
  /** A root that is not sent yet only because of waiting spans. */
  incompleteRoot: BufferedRoot | undefined;
  readonly #waiting = new Map<string, BufferedSpan>();
  readonly #waitingByParent = new Map<string, Set<BufferedSpan>>();

  constructor(readonly traceId: string) {}

  has(spanId: string): boolean {
    return this.members.has(spanId) || this.#waiting.has(spanId);
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.#waiting.size === 0;
  }

  /** Whether spans wait that may belong to the only root so far, or to one that is exported later. */
  get isIncomplete(): boolean {
    return this.roots === 1 && this.#waiting.size > 0;
  }

  waiting(): BufferedSpan[] {
    return [...this.#waiting.values()];
  }

  /** The spans that wait for this parent. */
  waitingFor(spanId: string): Iterable<BufferedSpan> {
    return this.#waitingByParent.get(spanId) ?? [];
  }

  addWaiting(span: BufferedSpan): void {
    const parentSpanId = span.parentSpanId!;
    this.#waiting.set(span.spanId, span);
    const siblings = this.#waitingByParent.get(parentSpanId);
    if (siblings) siblings.add(span);
    else this.#waitingByParent.set(parentSpanId, new Set([span]));
  }

  /** @returns whether the span was waiting */
  deleteWaiting(span: BufferedSpan): boolean {
    const parentSpanId = span.parentSpanId!;
    const siblings = this.#waitingByParent.get(parentSpanId);
    if (!siblings?.delete(span)) return false;
    if (siblings.size === 0) this.#waitingByParent.delete(parentSpanId);
    return this.#waiting.delete(span.spanId);
  }

  /** The topmost waiting ancestor of a waiting span, or the span itself. */
  topOf(span: BufferedSpan): BufferedSpan {
    // Forged parent ids may form a cycle.
    const passed = new Set([span]);
    let top = span;
    for (;;) {
      const parent = this.#waiting.get(top.parentSpanId!);
      if (parent === undefined || passed.has(parent)) return top;
      passed.add(parent);
      top = parent;
    }
  }
}
