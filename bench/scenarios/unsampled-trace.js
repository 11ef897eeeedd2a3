// The same trace as in sampled-trace.js, but not kept: what tracing costs the requests nobody will look at.

import * as sampledTrace from './sampled-trace.js';

export const title = 'a trace of 11 spans that is not sampled';
export const baseline = 'otel';
export const goal = { of: 'otel', max: 1.1 };
export const setup = { ...sampledTrace.setup, tracesSampleRate: 0 };
export const systems = [...sampledTrace.systems, 'faultline-beside-otel'];
export const { prepare } = sampledTrace;
export const warmUpOperations = 10000;
export const operations = 20000;
export const expectedDeliveries = 0;
export const content = [];
