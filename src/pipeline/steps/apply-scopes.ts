import { currentTrace, toTraceContext } from '../../context/trace/trace.js';
import { mergeOwn } from '../../internal/values/merge-own.js';
import type { Event, TraceContext } from '../../model/event/event.js';
import type { Settings } from '../../model/options.js';
import { isSpanId, isTraceId } from '../../model/trace.js';
import { sanitizeTraceContext } from '../sanitize/event-schema.js';
import type { Step, StepContext } from '../step.js';
import { isShown, mergeScopes } from './merge-scopes.js';

/** Merges the scopes into the event, then adds the current trace unless the event has one. */
export function createApplyScopes({ maxBreadcrumbs }: Settings): Step {
  return (event, context) => {
    const { hint, states, client } = context;
    const own = event.contexts?.trace;
    // User code may change the event, but must not change the scopes' breadcrumbs.
    mergeScopes(event, hint, states, maxBreadcrumbs, isShown(client, states));
    event.level ??= context.defaultLevel;
    // The event's own members are sanitized already.
    return own && hasValidIds(own) ? event : applyTrace(event, context);
  };
}

/** Ids of spans may come from a generator of the application. */
function hasValidIds({ trace_id, span_id, parent_span_id }: TraceContext): boolean {
  return isTraceId(trace_id) && isSpanId(span_id) && (parent_span_id === undefined || isSpanId(parent_span_id));
}

function applyTrace(event: Event, { client, scope }: StepContext): Event {
  const ofEvent = event.contexts?.trace;
  const sanitized = ofEvent && (sanitizeTraceContext(ofEvent) as TraceContext | undefined);
  if (sanitized) {
    event.contexts = { ...event.contexts, trace: sanitized };
    return event;
  }
  const trace = currentTrace(client, scope);
  event.contexts = mergeOwn(event.contexts, { trace: toTraceContext(trace) });
  if (!event.sdkProcessingMetadata?.dynamicSamplingContext) {
    event.sdkProcessingMetadata = mergeOwn(event.sdkProcessingMetadata, { dynamicSamplingContext: trace.dsc() });
  }
  return event;
}
