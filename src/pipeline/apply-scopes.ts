import { mergeScopes, processorsOf } from '../context/merge.js';
import { currentTrace, toTraceContext } from '../context/trace.js';
import type { Event, TraceContext } from '../model/event.js';
import type { Settings } from '../model/options.js';
import { hasSendHooks } from '../model/send-hooks.js';
import type { Capture, Step } from './capture.js';
import { sanitizeTraceContext } from './event-sanitizer.js';

/** Merges the scopes into the event, then adds the current trace unless the event has one. */
export function createScoping(settings: Settings): Step {
  const { integrations, defaultIntegrations, maxBreadcrumbs } = settings;
  const hasHooks = hasSendHooks(settings) || integrations !== undefined || Array.isArray(defaultIntegrations);
  return (event, capture) => {
    const { hint, states, client } = capture;
    // User code may change the event, but must not change the scopes' breadcrumbs.
    const copies = hasHooks || client.eventProcessors.length > 0 || processorsOf(states).length > 0;
    mergeScopes(event, hint, states, maxBreadcrumbs, copies);
    return applyTrace(event, capture);
  };
}

function applyTrace(event: Event, { client, scope, defaultLevel }: Capture): Event {
  event.level ??= defaultLevel;
  const ofEvent = event.contexts?.trace;
  const sanitized = ofEvent && (sanitizeTraceContext(ofEvent) as TraceContext | undefined);
  if (sanitized) {
    if (sanitized !== ofEvent) event.contexts = { ...event.contexts, trace: sanitized };
    return event;
  }
  const trace = currentTrace(client, scope);
  event.contexts = { ...event.contexts, trace: toTraceContext(trace) };
  if (!event.sdkProcessingMetadata?.dynamicSamplingContext) {
    event.sdkProcessingMetadata = { ...event.sdkProcessingMetadata, dynamicSamplingContext: trace.dsc() };
  }
  return event;
}
