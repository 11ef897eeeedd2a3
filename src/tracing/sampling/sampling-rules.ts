import type { DecisionReason, TraceDecision } from '../../context/trace/local-root.js';
import type { DiscardReason } from '../../model/delivery/outcome.js';
import type { DynamicSamplingContext } from '../../model/trace.js';

/**
 * What becomes of the spans of a trace in this process. `send`: recorded, and sent when the root has ended. `drop`: not recorded
 * for us. `hold`: recorded, and sent only if it turns out to be wanted. No rule decides so yet: it is for a flight recorder, which
 * sends a trace only if an error follows.
 */
type Verdict = 'send' | 'hold' | 'drop';

/**
 * The decision for a local root: `verdict` is about this process, `sampled` is sent to services downstream.
 */
export interface RootDecision extends TraceDecision {
  readonly verdict: Verdict;
  readonly reason: DecisionReason;
  /** The reason to count; absent if the root is kept, or if an upstream service has counted it. */
  readonly discardReason?: DiscardReason | undefined;
}

/** The decision that was made before this root started. */
export interface Upstream {
  /** `undefined` leaves the decision to us. */
  readonly sampled?: boolean | undefined;
  /** The rate, if this process decided. */
  readonly sampleRate?: number | undefined;
  readonly sampleRand?: number | undefined;
  readonly dsc?: DynamicSamplingContext | undefined;
  /** Whether it was made in this process. */
  readonly isLocal?: boolean;
}

/** Input of a decision. */
export interface SamplingFacts {
  /** The trace's random number in [0, 1). */
  readonly sampleRand: number;
  /** Whether a `beforeSampling` handler wants the trace. */
  readonly isForced: boolean;
  /** What `tracesSampler` returned; `undefined` where there is none. */
  readonly samplerRate: number | undefined;
  /** `undefined` for a trace that begins here. */
  readonly upstream: Upstream | undefined;
  /** Whether the root is a side effect: an outgoing HTTP request without a parent, a DNS lookup, the start of a framework. */
  readonly isOrphan: boolean;
  /** Whether the root is about a preflight or a probe: OPTIONS or HEAD. */
  readonly isProbe: boolean;
  readonly tracesSampleRate: number | undefined;
}

/**
 * Decides about a local root, by the first rule that applies: a forced trace is kept; `tracesSampler` decides; an
 * orphan is dropped; upstream decides; a probe is dropped; `tracesSampleRate` decides.
 *
 * Pure: it calls, counts and logs nothing.
 */
export function applyRules(facts: SamplingFacts): RootDecision {
  const { sampleRand, upstream, samplerRate, tracesSampleRate = 0 } = facts;
  const incoming = upstream?.dsc;
  if (facts.isForced) return { verdict: 'send', reason: 'forced', sampled: true, sampleRate: 1, sampleRand, incoming };
  if (samplerRate !== undefined) return applyRate(facts, samplerRate, 'traces_sampler');
  if (facts.isOrphan) {
    const discardReason = 'no_parent_span';
    return { verdict: 'drop', reason: 'orphan', sampled: undefined, sampleRand, incoming, discardReason };
  }
  if (upstream?.sampled !== undefined) {
    const { sampled, sampleRate } = upstream;
    return { verdict: sampled ? 'send' : 'drop', reason: 'parent', sampled, sampleRate, sampleRand, incoming };
  }
  return facts.isProbe ? applyRate(facts, 0, 'probe') : applyRate(facts, tracesSampleRate, 'traces_sample_rate');
}

function applyRate({ sampleRand, upstream }: SamplingFacts, sampleRate: number, reason: DecisionReason): RootDecision {
  const sampled = sampleRand < sampleRate;
  const incoming = upstream?.dsc;
  if (sampled) return { verdict: 'send', reason, sampled, sampleRate, sampleRand, incoming };
  // An upstream service that dropped the trace has counted it.
  const discardReason = upstream?.sampled === false ? undefined : 'sample_rate';
  return { verdict: 'drop', reason, sampled, sampleRate, sampleRand, incoming, discardReason };
}
