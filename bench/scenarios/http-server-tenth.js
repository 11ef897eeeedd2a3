// The service of http-server.js where a tenth of the traces is kept.

import * as httpServer from './http-server.js';

export const title = 'an HTTP request with 3 spans, with a sample rate of 0.1';
export const baseline = 'otel-http';
export const goal = { of: 'otel', max: 1.1 };
export const setup = { ...httpServer.setup, tracesSampleRate: 0.1 };
export const systems = httpServer.systems.filter((system) => system !== 'no-sdk');
/** With a tenth of them kept, that many are necessary until what sends transactions is compiled. */
export const warmUpOperations = 50_000;
export const { script, operations, prepare, content } = httpServer;
