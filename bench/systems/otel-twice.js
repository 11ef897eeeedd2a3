// The setup of otel.js with a second batch processor and exporter, as for a second destination.

import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { CountingExporter, createStartSpan } from './otel.js';

export const title = 'OpenTelemetry SDK, twice';

/** @returns {import('../measure.js').System} */
export function setup({ tracesSampleRate, spansPerOperation }) {
  const [delivery, second] = [new CountingExporter(spansPerOperation), new CountingExporter(spansPerOperation)];
  const provider = new BasicTracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracesSampleRate) }),
    spanProcessors: [new BatchSpanProcessor(delivery), new BatchSpanProcessor(second)],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return { startSpan: createStartSpan(), flush: () => provider.forceFlush(), delivery };
}
