import type { Span } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { localRootOf } from '../context/find-local-root.js';
import type { LocalRoot, RequestIsolation, TraceDecision } from '../context/local-root.js';
import type { Scopes } from '../context/scoped-context.js';
import { createLogger } from '../internal/diag.js';
import { quantitiesOf, type TransactionEvent } from '../model/event.js';
import type { InnerClient } from '../model/inner-client.js';
import { Scope } from '../model/scope.js';
import type { DynamicSamplingContext } from '../model/trace.js';
import { describeSpan, type SpanDescription } from './describe/describe-span.js';
import type { SegmentDecision } from './sampling/pending-decision.js';
import { createTransactionEvent, type SegmentFacts } from './transaction.js';

const log = createLogger('segments');

/** Children that one transaction carries at most; a root with more is sent in several. */
const MAX_CHILDREN = 1000;

/** Roots that may be running at the same time; beyond it the oldest is given up. */
const MAX_OPEN_SEGMENTS = 10_000;

/** How long a root may run before its place may be given to others. */
const MAX_AGE_MILLIS = 24 * 60 * 60 * 1000;

/** Finished segments that may wait for the end of the tick; beyond it the earlier ones leave at once. */
const MAX_READY_SEGMENTS = 100;

/** A local root with the spans below it, from the root's start until its transaction has left. */
export class Segment implements SegmentFacts, LocalRoot {
  readonly isRecorded: boolean;
  readonly sampled: boolean | undefined;
  readonly sampleRate: number | undefined;
  readonly sampleRand: number;
  readonly incoming: DynamicSamplingContext | undefined;
  /** Ended children that wait for the root. */
  ended: ReadableSpan[] = [];
  state: 'open' | 'ready' | 'sent' = 'open';
  #description: SpanDescription | undefined;

  constructor(
    readonly span: Span,
    decision: SegmentDecision,
    readonly current: Scope,
    readonly isolation: Scope,
    readonly store: SegmentStore,
    readonly openedAtMillis: number,
    readonly owner: InnerClient | undefined,
    readonly request?: RequestIsolation,
  ) {
    this.isRecorded = decision.verdict !== 'drop';
    this.sampled = decision.sampled;
    this.sampleRate = decision.sampleRate;
    this.sampleRand = decision.sampleRand;
    this.incoming = decision.incoming;
  }

  get client(): InnerClient {
    return this.store.client;
  }

  add(span: ReadableSpan): void {
    if (this.isRecorded) this.store.add(this, span);
  }

  /** Inferred anew while the span runs, as it may still be renamed; once when it has ended. */
  describe(): SpanDescription {
    if (this.#description) return this.#description;
    const span = this.span as Span & ReadableSpan;
    const description = describeSpan(span, this.store.client.settings.sendDefaultPii);
    if (span.ended) this.#description = description;
    return description;
  }
}

/**
 * The segments of one client. Bounded in the number of roots, their age and the spans each one holds; all of it by
 * counters and by the order of insertion, so that nothing ever walks what is buffered.
 */
export class SegmentStore {
  readonly #client: InnerClient;
  readonly #open = new Set<Segment>();
  #ready: Segment[] = [];
  #scheduled = false;

  constructor(client: InnerClient) {
    this.#client = client;
    client.on('flush', () => this.flush());
    client.on('close', () => this.#giveUpAll());
  }

  get client(): InnerClient {
    return this.#client;
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
    const now = Date.now();
    const segment = new Segment(span, decision, current, isolation, this, now, owner, request);
    if (segment.isRecorded) {
      this.#makeRoom(now);
      this.#open.add(segment);
    }
    return segment;
  }

  /** Takes a span that has ended. */
  add(segment: Segment, span: ReadableSpan): void {
    if (segment.state === 'sent') {
      this.sendLate(segment, span);
    } else if (isRootOf(segment, span)) {
      this.#complete(segment);
    } else {
      if (segment.ended.length >= MAX_CHILDREN) this.#spill(segment);
      segment.ended.push(span);
    }
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
      this.#send(segment, segment.span as Span & ReadableSpan, segment.ended);
      segment.ended = [];
    }
  }

  #complete(segment: Segment): void {
    this.#open.delete(segment);
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
    const { ended } = segment;
    if (ended.length === 0) return;
    segment.ended = [];
    const earliest = ended.reduce((first, span) => (startsBefore(span, first) ? span : first));
    this.#send(
      segment,
      earliest,
      ended.filter((span) => span !== earliest),
    );
  }

  #send(segment: SegmentFacts, root: ReadableSpan, children: readonly ReadableSpan[]): void {
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

  #makeRoom(now: number): void {
    for (const oldest of this.#open) {
      if (this.#open.size < MAX_OPEN_SEGMENTS && now - oldest.openedAtMillis < MAX_AGE_MILLIS) return;
      log.warn('a root span that never ended was given up; its ended children are sent without it');
      this.#giveUp(oldest);
      return;
    }
  }

  /** From now on the root's spans leave one by one as they end. */
  #giveUp(segment: Segment): void {
    this.#open.delete(segment);
    this.#spill(segment);
    segment.state = 'sent';
  }

  #giveUpAll(): void {
    for (const segment of [...this.#open]) this.#giveUp(segment);
  }
}

const NO_SCOPE = new Scope();

/** The scopes of a local root's start, where a span processor has seen it; else empty ones. */
export function scopesOfRoot(span: object): Scopes {
  return localRootOf(span) ?? { current: NO_SCOPE.clone(), isolation: NO_SCOPE.clone() };
}

function isRootOf(segment: Segment, span: ReadableSpan): boolean {
  return (segment.span as unknown) === span;
}

function startsBefore(a: ReadableSpan, b: ReadableSpan): boolean {
  return a.startTime[0] < b.startTime[0] || (a.startTime[0] === b.startTime[0] && a.startTime[1] < b.startTime[1]);
}
