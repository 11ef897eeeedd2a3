// The same trace as in sampled-trace.js without a sample rate: what the calls cost an application that only sends errors.

import * as sampledTrace from './sampled-trace.js';

export const title = 'a trace of 11 spans without a sample rate';
export const baseline = 'otel';
export const goal = { of: 'otel', max: 1.5 };
export const setup = { spansPerOperation: sampledTrace.setup.spansPerOperation };
export const { prepare, systems } = sampledTrace;
export const warmUpOperations = 20_000;
export const operations = 100_000;
export const expectedDeliveries = 0;
export const content = [];
