// Runs before an application: OpenTelemetry's own SDK with every instrumentation that there is, and Faultline beside it.
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { init, openTelemetry } from 'faultline';

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);

init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });

/** The exporter of the existing setup: writes spans to the file that `SPANS` names, one a line. */
const exporter = {
  export: (spans, done) => {
    for (const span of spans) {
      const { name, kind, status, attributes } = span;
      const { traceId } = span.spanContext();
      appendFileSync(process.env.SPANS, `${JSON.stringify({ name, kind, status, attributes, traceId })}\n`);
    }
    done({ code: 0 });
  },
  shutdown: async () => {},
};
const spanProcessors = process.env.SPANS ? [new SimpleSpanProcessor(exporter)] : [];

const sdk = new NodeSDK({
  ...openTelemetry({ spanProcessors }),
  instrumentations: [getNodeAutoInstrumentations(), new FastifyOtelInstrumentation({ registerOnInitialization: true })],
  metricReaders: [],
  logRecordProcessors: [],
});
sdk.start();
