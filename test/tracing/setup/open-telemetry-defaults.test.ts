import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDefaultPropagator, createDefaultSampler } from '../../../src/tracing/setup/open-telemetry-defaults.js';

afterEach(() => vi.unstubAllEnvs());

const parentBased = (root: string) => expect.stringMatching(new RegExp(`^ParentBased\\{root=${root}[,{]`));

describe('without an existing sampler', () => {
  it.each([
    [undefined, undefined, parentBased('AlwaysOnSampler')],
    ['', undefined, parentBased('AlwaysOnSampler')],
    ['always_on', undefined, 'AlwaysOnSampler'],
    ['always_off', undefined, 'AlwaysOffSampler'],
    ['parentbased_always_on', undefined, parentBased('AlwaysOnSampler')],
    ['parentbased_always_off', undefined, parentBased('AlwaysOffSampler')],
    ['traceidratio', '0.25', 'TraceIdRatioBased{0.25}'],
    ['traceidratio', undefined, 'TraceIdRatioBased{1}'],
    ['traceidratio', 'often', 'TraceIdRatioBased{1}'],
    ['traceidratio', '-0.5', 'TraceIdRatioBased{1}'],
    ['traceidratio', '7', 'TraceIdRatioBased{1}'],
    ['parentbased_traceidratio', '0', parentBased('TraceIdRatioBased\\{0\\}')],
    ['jaeger_remote', undefined, parentBased('AlwaysOnSampler')],
    ['parentbased_', undefined, parentBased('AlwaysOnSampler')],
  ])('OTEL_TRACES_SAMPLER=%s with an argument of %s makes what OTel’s SDK makes of it', (name, argument, expected) => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', name);
    vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', argument);
    expect(createDefaultSampler().toString()).toEqual(expected);
  });
});

describe('without an existing propagator', () => {
  it.each([
    [undefined, ['traceparent', 'tracestate', 'baggage']],
    ['', ['traceparent', 'tracestate', 'baggage']],
    ['tracecontext', ['traceparent', 'tracestate']],
    ['baggage, tracecontext,baggage', ['baggage', 'traceparent', 'tracestate']],
    ['none', []],
    ['tracecontext,none', []],
    ['b3', []],
  ])('OTEL_PROPAGATORS=%s makes what OTel’s SDK makes of it, as far as it is known here', (names, fields) => {
    vi.stubEnv('OTEL_PROPAGATORS', names);
    expect(createDefaultPropagator().fields()).toEqual(fields);
  });
});
