// Runs before the service: node --import ./instrument.js storefront.js
import { register } from 'node:module';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { init } from 'faultline';

// The exports of an ES module cannot be patched once it is linked. The loader hook lets the instrumentations patch
// `express` and `node:http` while these are imported, so that the services can be plain ES modules.
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);

init({
  dsn: process.env['FAULTLINE_DSN'],
  release: 'shop@1.0.0',
  serverName: process.env['SERVICE_NAME'],
  tracesSampleRate: 1,
});

// OpenTelemetry's own instrumentations, unchanged. They use the tracer provider that `init` has registered.
registerInstrumentations({
  instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation(), new UndiciInstrumentation()],
});
