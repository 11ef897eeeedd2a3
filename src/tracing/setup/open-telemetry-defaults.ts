import type { TextMapPropagator } from '@opentelemetry/api';
import {
  CompositePropagator,
  getNumberFromEnv,
  getStringFromEnv,
  getStringListFromEnv,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { createLogger } from '../../internal/diag.js';
import { noteMistake } from '../../internal/options/mistakes.js';

const log = createLogger('open-telemetry');

const PARENT_BASED = /^parentbased_/;

/** The sampler that OTel's SDK would use by default, as `OTEL_TRACES_SAMPLER` names it. */
export function createDefaultSampler(): Sampler {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const root = SAMPLERS.get(name.replace(PARENT_BASED, ''))?.();
  if (!root) log.warn(`OTEL_TRACES_SAMPLER: ${name} is unknown; parentbased_always_on is used instead`);
  return root && !PARENT_BASED.test(name) ? root : new ParentBasedSampler({ root: root ?? new AlwaysOnSampler() });
}

const SAMPLERS = new Map<string, () => Sampler>([
  ['always_on', () => new AlwaysOnSampler()],
  ['always_off', () => new AlwaysOffSampler()],
  ['traceidratio', () => new TraceIdRatioBasedSampler(readRatio())],
]);

function readRatio(): number {
  const ratio = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 1;
  if (ratio >= 0 && ratio <= 1) return ratio;
  log.warn(`OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1, but is ${ratio}; 1 is used instead`);
  return 1;
}

/** The propagator that OTel's SDK would use by default, as `OTEL_PROPAGATORS` names it. */
export function createDefaultPropagator(): TextMapPropagator {
  const names = new Set(getStringListFromEnv('OTEL_PROPAGATORS') ?? ['tracecontext', 'baggage']);
  const known = names.has('none') ? [] : [...names];
  const propagators = known.flatMap((name) => PROPAGATORS.get(name)?.() ?? []);
  const unknown = known.filter((name) => !PROPAGATORS.has(name)).join(', ');
  // NodeSDK would have made them, if it had not been given this one.
  if (unknown) {
    const problem = `OTEL_PROPAGATORS names ${unknown}, which Faultline cannot make: its propagator neither reads nor writes these headers. Pass objects for all that it names: openTelemetry({ propagator: new CompositePropagator({ propagators }) })`;
    noteMistake({ owner: 'openTelemetry', problem });
  }
  return new CompositePropagator({ propagators });
}

const PROPAGATORS = new Map<string, () => TextMapPropagator>([
  ['tracecontext', () => new W3CTraceContextPropagator()],
  ['baggage', () => new W3CBaggagePropagator()],
]);
