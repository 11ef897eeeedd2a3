import { describe, expect, it } from 'vitest';
import { applyRules, type RootDecision, type SamplingFacts } from '../../../src/tracing/sampling/sampling-rules.js';

const BEGINS_HERE: SamplingFacts = {
  sampleRand: 0.5,
  isForced: false,
  samplerRate: undefined,
  upstream: undefined,
  isOrphan: false,
  isProbe: false,
  tracesSampleRate: undefined,
};

const SENT = { sampled: true };
const NOT_SENT = { sampled: false };

interface Row {
  readonly title: string;
  readonly facts: Partial<SamplingFacts>;
  readonly decision: Partial<RootDecision>;
}

const ROWS: readonly Row[] = [
  {
    title: 'without any option, a trace that begins here is dropped',
    facts: {},
    decision: { verdict: 'drop', reason: 'traces_sample_rate', sampleRate: 0, discardReason: 'sample_rate' },
  },
  {
    title: 'a random number below tracesSampleRate is sent',
    facts: { tracesSampleRate: 0.6 },
    decision: { verdict: 'send', reason: 'traces_sample_rate', sampled: true, sampleRate: 0.6 },
  },
  {
    title: 'a random number equal to tracesSampleRate is dropped',
    facts: { tracesSampleRate: 0.5 },
    decision: { verdict: 'drop', sampled: false, sampleRate: 0.5, discardReason: 'sample_rate' },
  },
  {
    title: 'a random number of 0 is dropped at a rate of 0',
    facts: { sampleRand: 0, tracesSampleRate: 0 },
    decision: { verdict: 'drop', sampled: false },
  },
  {
    title: 'tracesSampler wins over tracesSampleRate',
    facts: { samplerRate: 0, tracesSampleRate: 1 },
    decision: { verdict: 'drop', reason: 'traces_sampler', sampleRate: 0, discardReason: 'sample_rate' },
  },
  {
    title: 'tracesSampler wins over upstream, and counts what only it drops',
    facts: { samplerRate: 0, upstream: SENT },
    decision: { verdict: 'drop', reason: 'traces_sampler', sampled: false, discardReason: 'sample_rate' },
  },
  {
    title: 'upstream has counted what it has dropped, too',
    facts: { samplerRate: 0, upstream: NOT_SENT },
    decision: { verdict: 'drop', reason: 'traces_sampler', sampled: false, discardReason: undefined },
  },
  {
    title: 'tracesSampler may keep what upstream has dropped',
    facts: { samplerRate: 1, upstream: NOT_SENT },
    decision: { verdict: 'send', reason: 'traces_sampler', sampled: true, sampleRate: 1 },
  },
  {
    title: 'tracesSampler may keep an orphaned outgoing request, and a probe',
    facts: { samplerRate: 1, isOrphan: true, isProbe: true },
    decision: { verdict: 'send', reason: 'traces_sampler' },
  },
  {
    title: 'upstream wins over tracesSampleRate',
    facts: { upstream: SENT, tracesSampleRate: 0 },
    decision: { verdict: 'send', reason: 'parent', sampled: true, sampleRate: undefined },
  },
  {
    title: 'what upstream has dropped is not counted again',
    facts: { upstream: NOT_SENT, tracesSampleRate: 1 },
    decision: { verdict: 'drop', reason: 'parent', sampled: false, discardReason: undefined },
  },
  {
    title: 'the rate of a root in this process is inherited with its decision',
    facts: { upstream: { sampled: true, sampleRate: 0.25 }, tracesSampleRate: 1 },
    decision: { verdict: 'send', reason: 'parent', sampleRate: 0.25 },
  },
  {
    title: 'an upstream that left the decision open leaves it to tracesSampleRate',
    facts: { upstream: { sampled: undefined }, tracesSampleRate: 0.1 },
    decision: { verdict: 'drop', reason: 'traces_sample_rate', sampleRate: 0.1, discardReason: 'sample_rate' },
  },
  {
    title: 'the dynamic sampling context of upstream is passed on',
    facts: { upstream: { sampled: true, dsc: { trace_id: 'a' } } },
    decision: { verdict: 'send', incoming: { trace_id: 'a' } },
  },
  {
    title: 'an orphaned outgoing request is dropped, and its decision left to services downstream',
    facts: { isOrphan: true, tracesSampleRate: 1 },
    decision: { verdict: 'drop', reason: 'orphan', sampled: undefined, discardReason: 'no_parent_span' },
  },
  {
    title: 'a probe is dropped at any rate',
    facts: { isProbe: true, tracesSampleRate: 1 },
    decision: { verdict: 'drop', reason: 'probe', sampled: false, sampleRate: 0, discardReason: 'sample_rate' },
  },
  {
    title: 'a probe that upstream samples is sent',
    facts: { isProbe: true, upstream: SENT },
    decision: { verdict: 'send', reason: 'parent' },
  },
  {
    title: 'a forced trace is sent against every other rule, at a rate of 1',
    facts: { isForced: true, upstream: NOT_SENT, isOrphan: true, isProbe: true, tracesSampleRate: 0 },
    decision: { verdict: 'send', reason: 'forced', sampled: true, sampleRate: 1, discardReason: undefined },
  },
];

describe('the decision about a local root', () => {
  it.each(ROWS)('$title', ({ facts, decision }) => {
    const made = applyRules({ ...BEGINS_HERE, ...facts });
    expect({ ...made, ...decision }).toEqual(made);
  });

  it('carries the random number of the trace', () => {
    for (const { facts } of ROWS)
      expect(applyRules({ ...BEGINS_HERE, ...facts }).sampleRand).toBe(facts.sampleRand ?? 0.5);
  });

  it('is the same each time', () => {
    for (const { facts } of ROWS) {
      const all = { ...BEGINS_HERE, ...facts };
      expect(applyRules(all)).toEqual(applyRules(all));
    }
  });
});
