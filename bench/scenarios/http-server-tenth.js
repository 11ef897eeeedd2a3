// The service of http-server.js where a tenth of the traces is kept.

import * as httpServer from './http-server.js';

export const setup = { ...httpServer.setup, tracesSampleRate: 0.1 };
export const { script, systems, warmUpOperations, operations, prepare, content } = httpServer;
