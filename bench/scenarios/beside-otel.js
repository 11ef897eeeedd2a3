// The trace of sampled-trace.js for two destinations: bare OpenTelemetry with two batch processors, and with one and Faultline.

import * as sampledTrace from './sampled-trace.js';

export const title = 'a sampled trace of 11 spans, for OpenTelemetry and a second destination';
export const baseline = 'otel-twice';
export const goal = { of: 'otel', max: 1.5 };
export const systems = ['otel-twice', 'faultline-beside-otel'];
export const { prepare, setup, warmUpOperations, operations, expectedDeliveries } = sampledTrace;
/** One payload is OTLP, the other an envelope; what `otel` and `faultline` deliver is checked by sampled-trace.js. */
export const content = [];
