// Runs before an application: OpenTelemetry's own SDK with every instrumentation that there is, and Faultline beside it.
import { register } from 'node:module';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { init, openTelemetry } from 'faultline';

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);

init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });

const sdk = new NodeSDK({
  ...openTelemetry(),
  instrumentations: [getNodeAutoInstrumentations(), new FastifyOtelInstrumentation({ registerOnInitialization: true })],
  metricReaders: [],
  logRecordProcessors: [],
});
sdk.start();
