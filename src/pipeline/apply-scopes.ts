import { mergeScopes } from '../context/merge.js';
import { currentTrace, toTraceContext } from '../context/trace.js';
import type { Event, TraceContext } from '../model/event.js';
import type { Capture, Step } from './capture.js';
import { sanitizeTraceContext } from './event-sanitizer.js';
import type { UserCodeCheck } from './user-code.js';

/** Merges the scopes in, then says which trace the event belongs to unless it says so itself. */
export function createScoping(hasAccess: UserCodeCheck): Step {
  return (event, capture) => {
    const { hint, states, client } = capture;
    mergeScopes(event, hint, states, client.settings.maxBreadcrumbs, hasAccess(capture));
    return applyTrace(event, capture);
  };
}

function applyTrace(event: Event, { client, scope, defaultLevel }: Capture): Event {
  event.level ??= defaultLevel;
  const given = event.contexts?.trace;
  const own = given && (sanitizeTraceContext(given) as TraceContext | undefined);
  if (own) {
    if (own !== given) event.contexts = { ...event.contexts, trace: own };
    return event;
  }
  const trace = currentTrace(client, scope);
  event.contexts = { ...event.contexts, trace: toTraceContext(trace) };
  if (!event.sdkProcessingMetadata?.dynamicSamplingContext) {
    event.sdkProcessingMetadata = { ...event.sdkProcessingMetadata, dynamicSamplingContext: trace.dsc() };
  }
  return event;
}
