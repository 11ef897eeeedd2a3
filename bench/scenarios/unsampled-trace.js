// The same trace as in sampled-trace.js, but not kept: what tracing costs the requests nobody will look at.

import * as sampledTrace from './sampled-trace.js';

export const setup = { ...sampledTrace.setup, tracesSampleRate: 0 };
export const { systems, prepare } = sampledTrace;
export const warmUpOperations = 5000;
export const operations = 10_000;
export const expectedDeliveries = 0;
export const content = [];
