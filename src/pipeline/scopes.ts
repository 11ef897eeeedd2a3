import { mergeScopes } from '../context/merge.js';
import { currentTrace, toTraceContext } from '../context/trace.js';
import type { Step } from './capture.js';

/** Merges the scopes in, then says which trace the event belongs to unless it says so itself. */
export const applyScopes: Step = (event, { client, hint, scope, states, defaultLevel }) => {
  mergeScopes(event, hint, states, client.settings.maxBreadcrumbs);
  event.level ??= defaultLevel;
  if (event.contexts?.trace) return event;
  const trace = currentTrace(client, scope);
  event.contexts = { ...event.contexts, trace: toTraceContext(trace) };
  if (!event.sdkProcessingMetadata?.dynamicSamplingContext) {
    event.sdkProcessingMetadata = { ...event.sdkProcessingMetadata, dynamicSamplingContext: trace.dsc() };
  }
  return event;
};
