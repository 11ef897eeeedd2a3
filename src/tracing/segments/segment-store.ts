import { AsyncResource } from 'node:async_hooks';
import type { ReadableSpan, Span } from '@opentelemetry/sdk-trace-base';
import { getIsolationScope } from '../../context/current-scopes.js';
import { requestIn } from '../../context/request/running-request.js';
import type { Scopes } from '../../context/scoped-context.js';
import type { RequestIsolation } from '../../context/trace/local-root.js';
import { monotonicMillis } from '../../internal/clock.js';
import { LinkedSet } from '../../internal/collections/linked-set.js';
import { onBeforeExit } from '../../internal/node/before-exit.js';
import { outsideOfRequests } from '../../internal/node/outside-of-requests.js';
import { setImmediate } from '../../internal/patching/originals.js';
import { unref } from '../../internal/unref.js';
import { ONE_SPAN } from '../../model/delivery/outcome.js';
import type { InnerClient } from '../../model/inner-client.js';
import { routeOfFramework } from '../describe/describe-request.js';
import { LargestFirst } from '../limits/largest-first.js';
import { RunningSpans } from '../limits/running-spans.js';
import { estimateSpanBytes, estimateSpanLength, measureSpanLength, SpanBudget } from '../limits/span-budget.js';
import type { SegmentDecision } from '../sampling/pending-decision.js';
import { NO_SPANS, Segment } from './segment.js';
import { createTransactionOrMend, type SegmentFacts } from './transaction.js';

/** Maximum number of children per transaction; a root with more is sent as several transactions. */
const MAX_CHILDREN = 1000;
/**
 * About how many bytes of JSON the children of one transaction may take. Servers refuse more than 1 MiB; a name may be written
 * twice, and beyond 512 KiB normalization cuts attributes.
 */
const MAX_LENGTH = 500_000;
/**
 * Up to here, characters are counted, which takes less time than counting bytes. Even if all are escaped and written twice, they
 * are less than `MAX_LENGTH`.
 */
const MAX_CHARACTERS = MAX_LENGTH / 16;

/** Maximum number of segments with waiting children; beyond it, the children of the longest waiting one are sent. */
const MAX_WAITING_SEGMENTS = 1000;

/** About how long spans wait for their root to end; then they are sent without it. A root may run for hours, or never end. */
const MAX_WAIT_MILLIS = 10 * 60 * 1000;
const WAIT_CHECK_MILLIS = 60 * 1000;

/** Finished segments that may wait for the end of the tick; beyond that, the oldest are sent at once. */
const MAX_READY_SEGMENTS = 100;

/**
 * The segments of one client. Limits their total size, the spans per segment and how long these wait. Uses counters and
 * insertion order, so that no operation iterates over the buffered spans.
 */
export class SegmentStore {
  readonly client: InnerClient;
  /** Whether the client has been closed. */
  isClosed: boolean;
  /**
   * Segments whose children wait for the root, longest waiting first. Other segments are referenced only by their
   * spans.
   */
  readonly #waiting = new LinkedSet<Segment>();
  readonly #largest = new LargestFirst<Segment>();
  readonly #budget: SpanBudget;
  #waitCheck: NodeJS.Timeout | undefined;
  #ready: Segment[] = [];
  #isScheduled = false;
  readonly #running = new RunningSpans();
  #stopWaiting: () => void = () => undefined;

  constructor(client: InnerClient) {
    this.client = client;
    this.#budget = client.stateOf(SpanBudget);
    this.isClosed = client.isClosed;
    client.on('flush', () => {
      this.flush();
      // A flush does not split traces, unless so many segments wait that their roots probably never end.
      if (client.isEnding || this.#waiting.size >= MAX_WAITING_SEGMENTS) this.#spillAll();
      if (client.isEnding && !this.isClosed) this.#running.countLost(client.ledger, 'the process ended');
    });
    if (this.isClosed) return;
    client.on('close', () => this.#close());
    // No further root will end.
    this.#stopWaiting = onBeforeExit(this.#spillAll);
  }

  /**
   * Opens a segment for a local root. If the root is not recorded, its children know the segment, but it collects
   * nothing.
   *
   * @param owner the client that the calling part was created for, if any
   */
  open(
    span: Span,
    decision: SegmentDecision,
    { current, isolation }: Scopes,
    owner: InnerClient | undefined,
    request?: RequestIsolation,
  ): Segment {
    const segment = new Segment(span, decision, current, isolation, this, owner, request);
    if (segment.isRecorded && !this.isClosed) this.#running.openRoot();
    return segment;
  }

  /** Counts a started span: the root or a descendant. */
  begin(segment: Segment): void {
    if (segment.isAbandoned) this.client.ledger.captureAndDiscard('disabled', ONE_SPAN);
    else this.#running.begin();
  }

  /** Adds an ended span that {@link begin} has counted. */
  end(segment: Segment, span: ReadableSpan): void {
    // It was counted when the client was closed, or when it started.
    if (segment.isAbandoned) return;
    this.#running.end(isRootOf(segment, span));
    // An exit listener has ended it, after it was counted as lost.
    if (this.#running.hasLost && !this.isClosed) this.#running.countLost(this.client.ledger);
    this.client.ledger.capture(ONE_SPAN);
    // Its root will be discarded as well, if it ever ends.
    if (this.isClosed && !isRootOf(segment, span)) this.client.ledger.discard('disabled', ONE_SPAN);
    else this.add(segment, span);
  }

  /** Adds an ended span that the ledger has counted as captured. */
  add(segment: Segment, span: ReadableSpan): void {
    if (segment.state === 'sent') {
      this.sendLate(segment, span);
    } else if (isRootOf(segment, span)) {
      this.#complete(segment);
    } else {
      if (segment.request) adoptRoute(segment.request, span);
      this.#keep(segment, span);
    }
  }

  #keep(segment: Segment, span: ReadableSpan): void {
    const bytes = estimateSpanBytes(span);
    let length = estimateSpanLength(span, bytes);
    // A span that exceeds the limit by itself is sent alone in any case.
    if (segment.length + length > MAX_CHARACTERS && length <= MAX_LENGTH) length = measureSpanLength(span);
    if (segment.ended.length >= MAX_CHILDREN || segment.length + length > MAX_LENGTH) this.#spill(segment);
    if (segment.ended === NO_SPANS) this.#beginWaiting(segment);
    segment.ended.push(span);
    segment.bytes += bytes;
    segment.length += length;
    this.#budget.take(bytes);
    this.#largest.update(segment);
    if (this.client.isEnding && !segment.span.ended) this.#spill(segment);
    while (this.#budget.isExceeded && this.#waiting.size > 0)
      this.#spill(this.#largest.first() ?? this.#waiting.first!);
  }

  #beginWaiting(segment: Segment): void {
    if (this.#waiting.size >= MAX_WAITING_SEGMENTS) this.#spill(this.#waiting.first!);
    segment.ended = [];
    segment.waitingSinceMillis = monotonicMillis();
    this.#keepContext(segment);
    this.#waiting.add(segment);
    this.#scheduleWaitCheck();
  }

  /** Segments are sent together, and by one another; hooks of the application must not see the data of another request. */
  #keepContext(segment: Segment): void {
    // A span may end in the context of a connection that another request has opened.
    if (!this.client.showsEvents() || getIsolationScope() !== segment.isolation) return;
    segment.asyncContext = new AsyncResource('faultline.transaction');
  }

  #inContextOf(segment: Segment, send: () => void): void {
    if (this.client.showsEvents()) (segment.asyncContext ?? outsideOfRequests).runInAsyncScope(send);
    else send();
  }

  /** There is no timer for each segment, because most wait for milliseconds. */
  #scheduleWaitCheck(): void {
    this.#waitCheck ??= unref(
      setTimeout(() => {
        this.#waitCheck = undefined;
        const latest = monotonicMillis() - MAX_WAIT_MILLIS;
        for (const segment of this.#waiting) {
          if (segment.waitingSinceMillis > latest) break;
          this.#spill(segment);
        }
        if (this.#waiting.size > 0) this.#scheduleWaitCheck();
      }, WAIT_CHECK_MILLIS),
    );
  }

  /** Removes and returns the ended children of a segment. */
  #takeEnded(segment: Segment): readonly ReadableSpan[] {
    const { ended, bytes } = segment;
    segment.ended = NO_SPANS;
    segment.bytes = 0;
    segment.length = 0;
    this.#waiting.delete(segment);
    this.#largest.delete(segment);
    this.#budget.release(ended.length, bytes);
    return ended;
  }

  /** Sends a span as its own transaction, because its root has already been sent. */
  sendLate(segment: SegmentFacts, span: ReadableSpan): void {
    this.#send(segment, span, []);
  }

  /** Sends all segments whose root has ended, without waiting for the end of the tick. */
  flush(): void {
    const ready = this.#ready;
    this.#ready = [];
    for (const segment of ready) {
      segment.state = 'sent';
      const ended = this.#takeEnded(segment);
      this.#inContextOf(segment, () => this.#send(segment, segment.span, ended));
      segment.asyncContext = undefined;
    }
  }

  #complete(segment: Segment): void {
    segment.state = 'ready';
    this.#keepContext(segment);
    // Before adding this one: its children must be able to end after it, even in a crowded tick.
    if (this.#ready.length >= MAX_READY_SEGMENTS) this.flush();
    this.#ready.push(segment);
    // In an exit listener there is no next tick.
    if (this.client.isEnding) this.flush();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    unref(
      setImmediate(() => {
        this.#isScheduled = false;
        this.flush();
      }),
    );
  }

  /** Sends the children collected so far; the earliest one stands in for the root. */
  #spill(segment: Segment): void {
    const ended = this.#takeEnded(segment);
    if (ended.length === 0) return;
    this.#inContextOf(segment, () => this.#send(segment, undefined, ended));
  }

  readonly #spillAll = (): void => {
    for (const segment of this.#waiting) {
      if (!segment.span.ended) this.#spill(segment);
    }
  };

  /**
   * The spans were counted when they ended; from here on, they are counted with their transaction.
   *
   * @param root `undefined` for a part, in which the earliest of the spans stands in for the root
   */
  #send(segment: SegmentFacts, root: ReadableSpan | undefined, spans: readonly ReadableSpan[]): void {
    this.client.ledger.uncapture([['span', spans.length + (root ? 1 : 0)]]);
    const event = createTransactionOrMend(this.client, segment, root, spans);
    if (event) this.client.captureTransaction(event);
  }

  /** Counts running spans as lost; they are ignored when they end. */
  #close(): void {
    clearTimeout(this.#waitCheck);
    this.#stopWaiting();
    this.#spillAll();
    this.#running.countLost(this.client.ledger, 'the client was closed');
    this.isClosed = true;
  }
}

/** Only the spans of some frameworks know the route of the request; the first one counts. */
function adoptRoute({ own }: RequestIsolation, span: ReadableSpan): void {
  const route = routeOfFramework(span);
  const request = route === undefined ? undefined : requestIn(own);
  if (request) request.readRoute ??= () => route;
}

function isRootOf(segment: Segment, span: ReadableSpan): boolean {
  return segment.span === span;
}
