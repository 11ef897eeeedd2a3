// The setup of otel.js with OpenTelemetry's instrumentation of `node:http`.

import { createRequire } from 'node:module';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import * as otel from './otel.js';

export const title = 'OpenTelemetry SDK + http';

/** @returns {import('../measure.js').System} */
export function setup(options) {
  const system = otel.setup(options);
  registerInstrumentations({ instrumentations: [new HttpInstrumentation()] });
  // It patches the prototypes when the module is required.
  createRequire(import.meta.url)('node:http');
  return system;
}
