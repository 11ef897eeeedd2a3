// The baseline: the bare OpenTelemetry SDK with a batch processor whose exporter serializes to OTLP JSON.

import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';

const EXPORT_SUCCESS = { code: 0 };

export const title = 'bare OpenTelemetry SDK';

/** @returns {import('../measure.js').System} */
export function setup({ tracesSampleRate, spansPerOperation }) {
  const exporter = new CountingExporter(spansPerOperation);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // As in an application that has switched its tracing off.
  if (tracesSampleRate === undefined) {
    return { startSpan: createStartSpan(), flush: async () => {}, delivery: exporter };
  }
  const provider = new BasicTracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracesSampleRate) }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  trace.setGlobalTracerProvider(provider);
  return { startSpan: createStartSpan(), flush: () => provider.forceFlush(), delivery: exporter };
}

/** Spans through the OpenTelemetry API, whoever stands behind it. */
export function createStartSpan() {
  const tracer = trace.getTracer('bench');
  return (name, attributes, callback) =>
    tracer.startActiveSpan(name, { attributes }, (span) => {
      try {
        return callback();
      } finally {
        span.end();
      }
    });
}

export class CountingExporter {
  bytes = 0;
  samples = [];
  spans = 0;
  #spansPerOperation;

  constructor(spansPerOperation) {
    this.#spansPerOperation = spansPerOperation;
  }

  get count() {
    return this.spans / this.#spansPerOperation;
  }

  export(spans, done) {
    const payload = JsonTraceSerializer.serializeRequest(spans);
    // A batch holds many operations, and only the one of the first flush can be looked into; spans are counted exactly.
    if (spans.length === this.#spansPerOperation) this.samples = [payload];
    this.spans += spans.length;
    this.bytes += payload.byteLength;
    done(EXPORT_SUCCESS);
  }

  async forceFlush() {}
  async shutdown() {}
}
