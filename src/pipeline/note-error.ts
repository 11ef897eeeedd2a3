import { readProperty } from '../internal/read.js';
import type { Event } from '../model/event.js';
import type { EventHint } from '../model/hint.js';
import { RequestSession } from '../model/request-session.js';
import type { Scope } from '../model/scope.js';
import { exceptionsOf, isCrash } from '../model/session.js';

/** Whether a capture is one of an error that nobody handled. Without an event, the hint has what is known. */
export function capturesCrash(event: Event | undefined, hint: EventHint): boolean {
  return [hint, readProperty(hint, 'data'), ...(event ? exceptionsOf(event) : [])].some(isCrash);
}

/** Whether a capture is one of an error, rather than of a message or of another kind of event. */
export function capturesError(event: Event | undefined, hint: EventHint): boolean {
  if (event?.type !== undefined) return false;
  return 'originalException' in hint || (event !== undefined && exceptionsOf(event).length > 0);
}

/**
 * Counts an error in the session of its request, if there is one: at the capture, because the request may be over before
 * the event is ready, and also for duplicates and for events that are sampled out.
 *
 * @param event absent when it is created later, from the exception of the hint
 */
export function noteInRequest(isolation: Scope, event: Event | undefined, hint: EventHint): void {
  if (!capturesError(event, hint)) return;
  const { requestSession } = isolation.snapshot().sdkProcessingMetadata;
  if (requestSession instanceof RequestSession) requestSession.note(!capturesCrash(event, hint));
}
