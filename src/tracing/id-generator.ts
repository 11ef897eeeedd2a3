import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import { getScopes } from '../context/current-scopes.js';
import { processWide } from '../context/process-wide.js';

const random = new RandomIdGenerator();

/** Random ids; root spans inside `startNewTrace` get the id of that trace. */
export const idGenerator: IdGenerator = {
  generateTraceId() {
    const propagation = getScopes().current.snapshot().propagation.context;
    return propagation && processWide().newTraces.has(propagation) ? propagation.traceId : random.generateTraceId();
  },
  generateSpanId: random.generateSpanId,
};
