// Faultline beside the setup of otel.js: both sides decide by themselves and get the same spans. Delivery is the other side's.

import { context, propagation, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import * as Faultline from '../../dist/index.mjs';
import * as faultline from './faultline.js';
import { CountingExporter, createStartSpan } from './otel.js';

export const title = 'faultline beside OTel';

/** @returns {import('../measure.js').System} */
export function setup(options) {
  const system = faultline.setup({ ...options, skipOpenTelemetrySetup: true });
  const theirs = new CountingExporter(options.spansPerOperation);
  const { sampler, spanProcessors, contextManager, textMapPropagator } = Faultline.openTelemetry({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.tracesSampleRate) }),
    spanProcessors: [new BatchSpanProcessor(theirs)],
  });
  context.setGlobalContextManager(contextManager.enable());
  propagation.setGlobalPropagator(textMapPropagator);
  const provider = new BasicTracerProvider({ sampler, spanProcessors });
  trace.setGlobalTracerProvider(provider);
  const flush = async () => {
    await provider.forceFlush();
    await system.flush();
    // What only one side got is a wrong measurement.
    if (theirs.count !== system.delivery.count) throw new Error(`${theirs.count} there, ${system.delivery.count} here`);
  };
  return { ...system, startSpan: createStartSpan(), flush };
}
