// What every OpenTelemetry setup has at least: a provider, a batch processor, the context manager and the propagator.

import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const EXPORT_SUCCESS = { code: 0 };

export const title = 'OpenTelemetry SDK alone';

export function setup() {
  const exporter = { export: (_, done) => done(EXPORT_SUCCESS), shutdown: async () => {} };
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
}
