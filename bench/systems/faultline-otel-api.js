// Faultline with its default integrations, spans through the OpenTelemetry API.

import * as faultline from './faultline.js';
import { createStartSpan } from './otel.js';

export const title = 'faultline (OTel API)';

/** @returns {import('../measure.js').System} */
export function setup(options) {
  return { ...faultline.setup(options), startSpan: createStartSpan() };
}
