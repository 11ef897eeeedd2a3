import type { TraceDecision } from '../../context/trace/local-root.js';
import type { RootDecision } from './sampling-rules.js';

/** What the span processor needs of a decision. */
export type SegmentDecision = TraceDecision & Pick<RootDecision, 'verdict'>;

/**
 * Passes the sampler's decision to the span processor of the same client. OTel calls the processor right after the sampler,
 * but nothing that it passes on stays private: attributes reach other exporters, the trace state becomes a header, and
 * several roots may start in one context. So the decision waits here for the root of its trace. Another processor that is called
 * before ours may start its own root meanwhile.
 */
export class PendingDecision {
  #traceId: string | undefined;
  #decision: SegmentDecision | undefined;
  /** The decision for an outer root, if another processor started this root while the outer one was starting. */
  #outerTraceId: string | undefined;
  #outerDecision: SegmentDecision | undefined;

  /** Called by the sampler when the root is about to start. */
  put(traceId: string, decision: SegmentDecision): void {
    this.#outerTraceId = this.#traceId;
    this.#outerDecision = this.#decision;
    this.#traceId = traceId;
    this.#decision = decision;
  }

  /** Called by the span processor when a root has started; `undefined` when no sampler of ours was asked about it. */
  take(traceId: string): SegmentDecision | undefined {
    const decision = this.#traceId === traceId ? this.#decision : undefined;
    this.#traceId = this.#outerTraceId;
    this.#decision = this.#outerDecision;
    this.#outerTraceId = this.#outerDecision = undefined;
    return decision;
  }
}
