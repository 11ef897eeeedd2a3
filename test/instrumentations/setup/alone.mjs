// Runs before an application: Faultline sets OpenTelemetry up, and every instrumentation that there is joins.
import { register } from 'node:module';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { init } from 'faultline';

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);

init({ dsn: process.env.DSN, tracesSampleRate: 1 });

registerInstrumentations({
  instrumentations: [getNodeAutoInstrumentations(), new FastifyOtelInstrumentation({ registerOnInitialization: true })],
});
