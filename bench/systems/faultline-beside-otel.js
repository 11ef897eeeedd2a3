// Faultline beside the setup of otel.js, in one line: both sides decide by themselves. Delivery is the other side's.

import { context, propagation, trace } from '@opentelemetry/api';
import { BasicTracerProvider, ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import * as Faultline from '../../dist/index.mjs';
import * as faultline from './faultline.js';
import { createStartSpan } from './otel.js';

export const title = 'faultline beside OTel';

/** @returns {import('../measure.js').System} */
export function setup(options) {
  const system = faultline.setup({ ...options, skipOpenTelemetrySetup: true });
  const { sampler, spanProcessors, contextManager, textMapPropagator } = Faultline.openTelemetry({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.tracesSampleRate) }),
  });
  context.setGlobalContextManager(contextManager.enable());
  propagation.setGlobalPropagator(textMapPropagator);
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler, spanProcessors }));
  return { ...system, startSpan: createStartSpan() };
}
