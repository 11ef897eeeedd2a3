import type { IdGenerator } from '@opentelemetry/sdk-trace-base';
import { getInnerClient, getScopes } from '../../context/current-scopes.js';
import { processWide } from '../../context/process-wide.js';
import type { Scopes } from '../../context/scoped-context.js';
import { isTracingEnabled } from '../../context/trace/trace.js';
import { createSpanId, createTraceId } from '../../internal/ids.js';

/**
 * Random ids. Root spans inside `startNewTrace` get the id of that trace. With tracing off, the root spans of a request or
 * task get the trace id of its errors.
 */
export const idGenerator: IdGenerator = {
  generateTraceId() {
    const scopes = getScopes();
    const propagation = scopes.current.snapshot().propagation.context;
    if (propagation && processWide().newTraces.has(propagation)) return propagation.traceId;
    if (isInUntracedTask(scopes)) return scopes.current.getPropagationContext().traceId;
    return createTraceId();
  },
  generateSpanId: createSpanId,
};

/**
 * Whether tracing is off and the code runs in the outermost request or task. Requests inside it need trace ids of their
 * own, because the isolation scope of a request whose root does not record is found by its trace id.
 */
function isInUntracedTask({ isolation }: Scopes): boolean {
  const client = getInnerClient();
  if (!client?.settings.enabled || isTracingEnabled(client)) return false;
  const { fallback, outermostScopes } = processWide();
  return isolation !== fallback.isolation && !outermostScopes.get(isolation);
}
