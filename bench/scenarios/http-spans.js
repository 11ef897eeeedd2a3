// The service of http-server.js, where the SDK's own spans of `node:http` are compared with those of OpenTelemetry's
// instrumentation in the same SDK.

import * as httpServer from './http-server.js';

export const title = "the same request, compared with OpenTelemetry's instrumentation of `node:http` in this SDK";
export const baseline = 'otel-http-in-faultline';
export const goal = { of: 'otel', max: 1 };
export const systems = ['otel-http-in-faultline', 'faultline'];
export const { script, setup, warmUpOperations, operations, prepare, content } = httpServer;
