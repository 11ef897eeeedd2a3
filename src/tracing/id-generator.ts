import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import { getInnerClient, getScopes } from '../context/current-scopes.js';
import { processWide } from '../context/process-wide.js';
import type { Scopes } from '../context/scoped-context.js';
import { isTracingEnabled } from '../context/trace.js';
import { drawSeededHex } from '../internal/randomness.js';

const random = new RandomIdGenerator();

/**
 * Random ids. Root spans inside `startNewTrace` get the id of that trace; with tracing off, those of a request or task
 * get the id of its errors.
 */
export const idGenerator: IdGenerator = {
  generateTraceId() {
    const scopes = getScopes();
    const propagation = scopes.current.snapshot().propagation.context;
    if (propagation && processWide().newTraces.has(propagation)) return propagation.traceId;
    if (isInUntracedTask(scopes)) return scopes.current.getPropagationContext().traceId;
    return drawSeededHex(32) ?? random.generateTraceId();
  },
  generateSpanId: () => drawSeededHex(16) ?? random.generateSpanId(),
};

/**
 * Whether tracing is off, and the code runs in a request or task that no other request has begun in. The isolation scope
 * of a request whose root does not record is found by its trace id, so that further requests need ids of their own.
 */
function isInUntracedTask({ isolation }: Scopes): boolean {
  const client = getInnerClient();
  if (!client?.settings.enabled || isTracingEnabled(client)) return false;
  const { fallback, outermostScopes } = processWide();
  return isolation !== fallback.isolation && !outermostScopes.has(isolation);
}
