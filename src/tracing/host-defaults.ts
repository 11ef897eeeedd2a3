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
import { createLogger } from '../internal/diag.js';

const log = createLogger('open-telemetry');

/** What OTel's SDK would sample with, if nobody had given it a sampler: told by `OTEL_TRACES_SAMPLER`. */
export function createHostSampler(): Sampler {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const root = createRootSampler(name.replace('parentbased_', ''));
  if (!root) log.warn(`OTEL_TRACES_SAMPLER: ${name} is unknown; parentbased_always_on is used instead`);
  return root && !name.startsWith('parentbased_')
    ? root
    : new ParentBasedSampler({ root: root ?? new AlwaysOnSampler() });
}

function createRootSampler(name: string): Sampler | undefined {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 1);
    default:
      return undefined;
  }
}

/** What OTel's SDK would propagate with, if nobody had given it a propagator: told by `OTEL_PROPAGATORS`. */
export function createHostPropagator(): TextMapPropagator {
  const names = getStringListFromEnv('OTEL_PROPAGATORS') ?? ['tracecontext', 'baggage'];
  return new CompositePropagator({ propagators: names.flatMap(createPropagator) });
}

function createPropagator(name: string): TextMapPropagator[] {
  switch (name) {
    case 'tracecontext':
      return [new W3CTraceContextPropagator()];
    case 'baggage':
      return [new W3CBaggagePropagator()];
    case 'none':
      return [];
    default:
      log.warn(`OTEL_PROPAGATORS: ${name} is not known here; pass it as openTelemetry({ propagator })`);
      return [];
  }
}
