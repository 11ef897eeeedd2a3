import { currentTrace, toTraceContext } from '../context/trace.js';
import { copyGiven, copyOwn, toSpreadable } from '../internal/guard.js';
import { SDK_NAME, SDK_VERSION } from '../internal/version.js';
import type { Event } from '../model/event.js';
import type { Capture, Step } from './capture.js';
import { createEventSanitizer } from './event-sanitizer.js';
import { fillIn } from './fill-in.js';
import { anyObject, object } from './sanitizers.js';
import type { UserCodeCheck } from './user-code.js';

/** Processors get to see what the host has attached; it is normalized later. */
const GIVEN = createEventSanitizer(anyObject);
const FINAL = createEventSanitizer(object);

/** An event that the host made, as far as it can be one. A copy, for the pipeline to change. */
export function sanitizeEvent(given: unknown): Event {
  const event: Event = copyOwn(GIVEN(copyOwn(given)));
  // Later steps spread these, which not everything bears that can be read.
  if (event.contexts) event.contexts = toSpreadable(event.contexts);
  if (event.user) event.user = toSpreadable(event.user);
  if (event.sdkProcessingMetadata) event.sdkProcessingMetadata = copyOwn(event.sdkProcessingMetadata);
  return event;
}

/**
 * Whatever the host has made of an event, it is one. What cannot be sent is left out, and what every event
 * must have is filled in again. What came in through scopes and `captureEvent` was read there; only events that code of
 * the host may have changed since are looked at as a whole.
 */
export function createResanitizing(hasAccess: UserCodeCheck): Step {
  return (given, capture) => (hasAccess(capture) ? mend(given, capture) : given);
}

function mend(given: Event, { client, scope, hint }: Capture): Event {
  const event: Event = copyOwn(FINAL(given));
  fillIn(event, hint);
  event.sdk = { name: SDK_NAME, version: SDK_VERSION, ...copyGiven(event.sdk) };
  if (!event.contexts?.trace) {
    event.contexts = { ...copyOwn(event.contexts), trace: toTraceContext(currentTrace(client, scope)) };
  }
  return event;
}
