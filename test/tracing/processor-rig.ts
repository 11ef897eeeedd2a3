import { ROOT_CONTEXT, type Span, type SpanOptions, trace } from '@opentelemetry/api';
import { BasicTracerProvider, type Sampler } from '@opentelemetry/sdk-trace-base';
import type { Options } from '../../src/model/options.js';
import { FaultlineSampler } from '../../src/tracing/sampler.js';
import { FaultlineSpanProcessor } from '../../src/tracing/span-processor.js';
import { createRig, type Rig } from './export-rig.js';

export interface ProcessorRig extends Rig {
  /** Starts a root, or a span below the given one. */
  start(name: string, parent?: Span, options?: SpanOptions): Span;
  /** What left, each as the name of its root followed by those of its children. */
  names(): (string | undefined)[][];
}

/** A client with a sampler, a span processor and a tracer provider of its own, away from OTel's globals. */
export function createProcessorRig(options: Options = {}, sampler?: Sampler): ProcessorRig {
  const rig = createRig({ skipOpenTelemetrySetup: true, tracesSampleRate: 1, ...options });
  const { client, sent } = rig;
  const provider = new BasicTracerProvider({
    sampler: new FaultlineSampler(client, { sampler }),
    spanProcessors: [new FaultlineSpanProcessor({ client })],
  });
  const tracer = provider.getTracer('test');
  return {
    ...rig,
    start: (name, parent, spanOptions) =>
      tracer.startSpan(name, spanOptions, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT),
    names: () =>
      sent.map(({ transaction, spans = [] }) => [transaction, ...spans.map(({ description }) => description)]),
  };
}
