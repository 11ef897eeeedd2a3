import { readProperty } from '../internal/read.js';
import type { Event } from '../model/event.js';
import type { EventHint } from '../model/hint.js';
import { RequestSession } from '../model/request-session.js';
import type { Scope } from '../model/scope.js';
import { exceptionsOf, isUnhandled } from '../model/session.js';

/**
 * Tells the session of the request, if any, of an error that is captured in it: at once, because the request may be over
 * before the event is ready, and whether or not the event is sampled out, because its error happened all the same.
 *
 * @param event absent where it is made later, from the exception of the hint
 */
export function noteInRequest(isolation: Scope, event: Event | undefined, hint: EventHint): void {
  if (event?.type !== undefined) return;
  const { requestSession } = isolation.snapshot().sdkProcessingMetadata;
  if (!(requestSession instanceof RequestSession)) return;
  const exceptions = event ? exceptionsOf(event) : [];
  if (exceptions.length === 0 && !('originalException' in hint)) return;
  requestSession.note(![hint, readProperty(hint, 'data'), ...exceptions].some(isUnhandled));
}
