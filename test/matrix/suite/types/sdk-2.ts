// How an application of SDK 2 is written; compiled, not run.
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { FaultlineSampler, FaultlineSpanExporter, FaultlineSpanProcessor, init, openTelemetry } from 'faultline';

const exporter = new InMemorySpanExporter();
const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(0.1) });
const parts = openTelemetry({ sampler, spanProcessors: [new BatchSpanProcessor(exporter)] });

init({ tracesSampleRate: 1, openTelemetrySpanProcessors: [new SimpleSpanProcessor(exporter)] });
new NodeSDK({ ...parts }).start();
new NodeTracerProvider(parts).register({ contextManager: parts.contextManager, propagator: parts.textMapPropagator });
new BasicTracerProvider({
  sampler: new FaultlineSampler(undefined, { sampler }),
  spanProcessors: [new FaultlineSpanProcessor(), new BatchSpanProcessor(new FaultlineSpanExporter())],
});
