// How an application of SDK 3 is written; compiled, not run.
import { NodeSDK, startNodeSdk } from '@opentelemetry/sdk-node';
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { FaultlineSampler, FaultlineSpanExporter, FaultlineSpanProcessor, init, openTelemetry } from 'faultline';

const exporter = new InMemorySpanExporter();
const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(0.1) });
const parts = openTelemetry({ sampler, spanProcessors: [new BatchSpanProcessor({ exporter })] });

init({ tracesSampleRate: 1, openTelemetrySpanProcessors: [new SimpleSpanProcessor({ exporter })] });
new NodeSDK({ ...parts }).start();
startNodeSdk({ ...parts, propagators: [parts.textMapPropagator] });
new TracerProvider({
  sampler: new FaultlineSampler(undefined, { sampler }),
  spanProcessors: [new FaultlineSpanProcessor(), new BatchSpanProcessor({ exporter: new FaultlineSpanExporter() })],
});
