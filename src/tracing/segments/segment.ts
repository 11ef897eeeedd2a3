import type { AsyncResource } from 'node:async_hooks';
import { SpanKind } from '@opentelemetry/api';
import type { ReadableSpan, Span } from '@opentelemetry/sdk-trace-base';
import type { Scopes } from '../../context/scoped-context.js';
import { localRootOf } from '../../context/trace/find-local-root.js';
import type { LocalRoot, RequestIsolation } from '../../context/trace/local-root.js';
import type { Linkable } from '../../internal/collections/linked-set.js';
import { ATTRIBUTE } from '../../model/event/span-json.js';
import type { InnerClient } from '../../model/inner-client.js';
import { Scope } from '../../model/scope/scope.js';
import { namesOf } from '../../scrubbing/sensitive-names.js';
import { ROUTE } from '../describe/attribute-text.js';
import { describeSpan, type SpanDescription, UNKNOWN_SPAN } from '../describe/describe-span.js';
import { scopeOf } from '../describe/instrumentation.js';
import type { SegmentDecision } from '../sampling/pending-decision.js';
import { mendSpan } from '../spans/mend-span.js';
import type { SegmentFacts } from './transaction.js';

/** Shared by segments without children, which are the majority; never mutated. */
export const NO_SPANS: ReadableSpan[] = [];

/** What a segment reports its spans to: the store of its client. */
interface SpanCollector {
  readonly client: InnerClient;
  readonly isClosed: boolean;
  begin(segment: Segment): void;
  end(segment: Segment, span: ReadableSpan): void;
}

/** A local root with the spans below it, from the root's start until its transaction is sent. */
export class Segment implements SegmentFacts, LocalRoot, Linkable<Segment> {
  link: Linkable<Segment>['link'];
  /** Ended children that wait for the root to end. */
  ended: ReadableSpan[] = NO_SPANS;
  waitingSinceMillis = 0;
  /** Approximate size of the ended children. */
  bytes = 0;
  /** About how many bytes of JSON they are. */
  length = 0;
  sizeClass: number | undefined;
  state: 'open' | 'ready' | 'sent' = 'open';
  /** The async context in which its root or a child has ended, for the application's hooks; absent if there are none. */
  asyncContext: AsyncResource | undefined;
  /** See `keepCustomName`. */
  customName: string | undefined;
  #description: SpanDescription | undefined;
  /** Whether the client was closed before the root started. */
  readonly #isLate: boolean;

  constructor(
    readonly span: Span,
    readonly decision: SegmentDecision,
    readonly current: Scope,
    readonly isolation: Scope,
    readonly store: SpanCollector,
    readonly owner: InnerClient | undefined,
    readonly request?: RequestIsolation,
  ) {
    this.#isLate = store.isClosed;
  }

  get client(): InnerClient {
    return this.store.client;
  }

  get isRecorded(): boolean {
    return this.decision.verdict !== 'drop';
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

  /** Inferred on each call while the span runs, because it may be renamed; cached once it has ended. */
  describe(route?: string): SpanDescription {
    if (this.#description) return this.#description;
    try {
      return this.#describe(this.span, route);
    } catch {
      const mended = mendSpan(this.span);
      return mended ? this.#describe(mended, route) : UNKNOWN_SPAN;
    }
  }

  #describe(root: ReadableSpan, route: string | undefined): SpanDescription {
    const { name, kind, attributes, ended } = root;
    const isRouteKnown = route === undefined || kind !== SpanKind.SERVER || attributes[ROUTE] !== undefined;
    const found = isRouteKnown ? attributes : { ...attributes, [ROUTE]: route };
    const kept = attributes[ATTRIBUTE.source] === 'custom' ? this.customName : undefined;
    const span = { name: kept ?? name, kind, attributes: found, instrumentationScope: scopeOf(root) };
    const description = describeSpan(span, namesOf(this.store.client.settings));
    if (ended && found === attributes) this.#description = description;
    return description;
  }
}

const NO_SCOPE = new Scope();

/** The scopes at the start of the local root, if a span processor has seen it; else empty scopes. */
export function scopesOfRoot(span: object): Scopes {
  return localRootOf(span) ?? { current: NO_SCOPE.clone(), isolation: NO_SCOPE.clone() };
}
