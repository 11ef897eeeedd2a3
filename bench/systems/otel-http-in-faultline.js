// Faultline with its default integrations, where OpenTelemetry's instrumentation makes the spans of `node:http`.

import { createRequire } from 'node:module';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import * as faultline from './faultline.js';

export const title = "faultline, with OpenTelemetry's spans of node:http";

/** @returns {import('../measure.js').System} */
export function setup(options) {
  const system = faultline.setup(options);
  registerInstrumentations({ instrumentations: [new HttpInstrumentation()] });
  // It patches the prototypes when the module is required.
  createRequire(import.meta.url)('node:http');
  return system;
}
