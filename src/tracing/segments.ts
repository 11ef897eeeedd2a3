import { type Span, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { localRootOf } from '../context/find-local-root.js';
import type { LocalRoot, RequestIsolation } from '../context/local-root.js';
import type { Scopes } from '../context/scoped-context.js';
import { createLogger } from '../internal/diag.js';
import { quantitiesOf, type TransactionEvent } from '../model/event.js';
import type { InnerClient } from '../model/inner-client.js';
import type { Quantities } from '../model/outcome.js';
import { Scope } from '../model/scope.js';
import type { DynamicSamplingContext } from '../model/trace.js';
import { ROUTE } from './describe/describe-request.js';
import { describeSpan, type SpanDescription } from './describe/describe-span.js';
import { LargestFirst } from './largest-first.js';
import type { SegmentDecision } from './sampling/pending-decision.js';
import { estimateBytes, SpanBudget } from './span-budget.js';
import { createTransactionEvent, type SegmentFacts } from './transaction.js';

const log = createLogger('segments');

/** Children that one transaction carries at most; a root with more is sent in several. */
const MAX_CHILDREN = 1000;

/** How long spans wait for the end of their root at most; looked at when others begin to wait. */
const MAX_WAIT_MILLIS = 24 * 60 * 60 * 1000;

/** Finished segments that may wait for the end of the tick; beyond it the earlier ones leave at once. */
const MAX_READY_SEGMENTS = 100;

const ONE_SPAN: Quantities = [['span', 1]];

/** Most segments have no children: theirs is one list, which is never written to. */
const NO_SPANS: ReadableSpan[] = [];

/** A local root with the spans below it, from the root's start until its transaction has left. */
export class Segment implements SegmentFacts, LocalRoot {
  readonly isRecorded: boolean;
  readonly isRateInherited: boolean;
  readonly sampled: boolean | undefined;
  readonly sampleRate: number | undefined;
  readonly sampleRand: number;
  readonly incoming: DynamicSamplingContext | undefined;
  /** Ended children that wait for the root. */
  ended: ReadableSpan[] = NO_SPANS;
  waitingSinceMillis = 0;
  /** What they take, about. */
  bytes = 0;
  sizeClass: number | undefined;
  state: 'open' | 'ready' | 'sent' = 'open';
  #description: SpanDescription | undefined;
  /** Whether the client was closed before the root started. */
  readonly #isLate: boolean;

  constructor(
    readonly span: Span,
    decision: SegmentDecision,
    readonly current: Scope,
    readonly isolation: Scope,
    readonly store: SegmentStore,
    readonly owner: InnerClient | undefined,
    readonly request?: RequestIsolation,
  ) {
    this.isRecorded = decision.verdict !== 'drop';
    this.isRateInherited = decision.reason === 'parent';
    this.#isLate = store.isClosed;
    this.sampled = decision.sampled;
    this.sampleRate = decision.sampleRate;
    this.sampleRand = decision.sampleRand;
    this.incoming = decision.incoming;
  }

  get client(): InnerClient {
    return this.store.client;
  }

  /** Whether the client was closed while the segment was open. */
  get isAbandoned(): boolean {
    return this.store.isClosed && !this.#isLate;
  }

  begin(): void {
    if (this.isRecorded) this.store.begin(this);
  }

  add(span: ReadableSpan): void {
    if (this.isRecorded) this.store.end(this, span);
  }

  /** Inferred anew while the span runs, as it may still be renamed; once when it has ended. */
  describe(route?: string): SpanDescription {
    if (this.#description) return this.#description;
    const { name, kind, attributes, ended } = this.span as Span & ReadableSpan;
    const isRouteKnown = route === undefined || kind !== SpanKind.SERVER || attributes[ROUTE] !== undefined;
    const found = isRouteKnown ? attributes : { ...attributes, [ROUTE]: route };
    const description = describeSpan({ name, kind, attributes: found }, this.store.client.settings.sendDefaultPii);
    if (ended && found === attributes) this.#description = description;
    return description;
  }
}

/**
 * The segments of one client. Bounded in what all of them take, in the spans of each one, and in how long these wait; by counters and by the order of insertion, so that nothing ever walks what is buffered.
 */
export class SegmentStore {
  readonly #client: InnerClient;
  /** Those with children that wait for the root; the longest waiting first. Others are held by their spans alone. */
  readonly #waiting = new Set<Segment>();
  readonly #largest = new LargestFirst<Segment>();
  readonly #budget: SpanBudget;
  #ready: Segment[] = [];
  #scheduled = false;
  /** Recorded spans that have started and not ended, and how many of them are local roots. */
  #running = { spans: 0, roots: 0 };
  #isClosed = false;

  constructor(client: InnerClient) {
    this.#client = client;
    this.#budget = client.part(SpanBudget);
    client.on('flush', () => this.flush());
    client.on('close', () => this.#close());
  }

  get client(): InnerClient {
    return this.#client;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Opens a segment for a local root. One that is not recorded is known to its children, but collects nothing.
   *
   * @param owner the client that the part which saw the root was made for, if for any
   */
  open(
    span: Span,
    decision: SegmentDecision,
    { current, isolation }: Scopes,
    owner: InnerClient | undefined,
    request?: RequestIsolation,
  ): Segment {
    const segment = new Segment(span, decision, current, isolation, this, owner, request);
    if (segment.isRecorded && !this.#isClosed) this.#running.roots++;
    return segment;
  }

  /** Counts a span that has started: the root or one below it. */
  begin(segment: Segment): void {
    if (!segment.isAbandoned) this.#running.spans++;
  }

  /** Takes a span that has ended, and was counted by {@link begin}. */
  end(segment: Segment, span: ReadableSpan): void {
    // It was counted as lost when the client was closed.
    if (segment.isAbandoned) return;
    this.#running.spans--;
    if (isRootOf(segment, span)) this.#running.roots--;
    this.#client.ledger.capture(ONE_SPAN);
    this.add(segment, span);
  }

  /** Takes a span that has ended, and that the ledger knows as captured. */
  add(segment: Segment, span: ReadableSpan): void {
    if (segment.state === 'sent') {
      this.sendLate(segment, span);
    } else if (isRootOf(segment, span)) {
      this.#complete(segment);
    } else {
      if (segment.ended.length >= MAX_CHILDREN) this.#spill(segment);
      this.#keep(segment, span);
    }
  }

  #keep(segment: Segment, span: ReadableSpan): void {
    const bytes = estimateBytes(span);
    if (segment.ended === NO_SPANS) this.#beginWaiting(segment);
    segment.ended.push(span);
    segment.bytes += bytes;
    this.#budget.take(1, bytes);
    this.#largest.update(segment);
    while (this.#budget.isExceeded && this.#waiting.size > 0) this.#spill(this.#largest.first() ?? this.#oldest()!);
  }

  #beginWaiting(segment: Segment): void {
    const now = Date.now();
    const oldest = this.#oldest();
    if (oldest && now - oldest.waitingSinceMillis > MAX_WAIT_MILLIS) this.#spill(oldest);
    segment.ended = [];
    segment.waitingSinceMillis = now;
    this.#waiting.add(segment);
  }

  #oldest(): Segment | undefined {
    for (const oldest of this.#waiting) return oldest;
    return undefined;
  }

  /** @returns the ended children of a segment, which keeps none of them */
  #takeEnded(segment: Segment): readonly ReadableSpan[] {
    const { ended, bytes } = segment;
    segment.ended = NO_SPANS;
    segment.bytes = 0;
    this.#waiting.delete(segment);
    this.#largest.delete(segment);
    this.#budget.release(ended.length, bytes);
    return ended;
  }

  /** Sends a span whose root has left as a transaction of its own. */
  sendLate(segment: SegmentFacts, span: ReadableSpan): void {
    this.#send(segment, span, []);
  }

  /** Sends every segment whose root has ended, without waiting for the end of the tick. */
  flush(): void {
    const ready = this.#ready;
    this.#ready = [];
    for (const segment of ready) {
      segment.state = 'sent';
      this.#send(segment, segment.span as Span & ReadableSpan, this.#takeEnded(segment));
    }
  }

  #complete(segment: Segment): void {
    segment.state = 'ready';
    // Before this one comes in: even in a crowded tick its children must get to end after it.
    if (this.#ready.length >= MAX_READY_SEGMENTS) this.flush();
    this.#ready.push(segment);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    }).unref();
  }

  /** Sends what a root has collected so far: under its earliest span, which stands in for the root. */
  #spill(segment: Segment): void {
    const ended = this.#takeEnded(segment);
    if (ended.length === 0) return;
    const earliest = ended.reduce((first, span) => (startsBefore(span, first) ? span : first));
    this.#send(
      segment,
      earliest,
      ended.filter((span) => span !== earliest),
    );
  }

  /** The spans were counted when they ended; from here on they are counted with their transaction. */
  #send(segment: SegmentFacts, root: ReadableSpan, children: readonly ReadableSpan[]): void {
    this.#client.ledger.uncapture([['span', 1 + children.length]]);
    let event: TransactionEvent;
    try {
      event = createTransactionEvent(this.#client, segment, root, children);
    } catch (error) {
      log.error('no transaction can be made of a root and its spans', error);
      this.#client.ledger.captureAndDiscard(
        'internal_sdk_error',
        quantitiesOf({ type: 'transaction', spans: children }),
      );
      return;
    }
    this.#client.captureTransaction(event);
  }

  /** Spans that have not ended by now are lost: they are counted, and ignored when they do end. */
  #close(): void {
    for (const segment of this.#waiting) {
      if (!isEnded(segment.span)) this.#spill(segment);
    }
    const { roots, spans } = this.#running;
    this.#running = { roots: 0, spans: 0 };
    this.#isClosed = true;
    if (spans === 0) return;
    log.warn(`${spans} spans have not ended before the client was closed, and are not sent`);
    this.#client.ledger.captureAndDiscard('buffer_overflow', [
      ['transaction', roots],
      ['span', spans],
    ]);
  }
}

const NO_SCOPE = new Scope();

/** The scopes of a local root's start, where a span processor has seen it; else empty ones. */
export function scopesOfRoot(span: object): Scopes {
  return localRootOf(span) ?? { current: NO_SCOPE.clone(), isolation: NO_SCOPE.clone() };
}

function isEnded(span: Span): boolean {
  return (span as Span & ReadableSpan).ended;
}

function isRootOf(segment: Segment, span: ReadableSpan): boolean {
  return (segment.span as unknown) === span;
}

function startsBefore(a: ReadableSpan, b: ReadableSpan): boolean {
  return a.startTime[0] < b.startTime[0] || (a.startTime[0] === b.startTime[0] && a.startTime[1] < b.startTime[1]);
}
