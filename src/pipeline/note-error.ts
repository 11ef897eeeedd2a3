import { processWide } from '../context/process-wide.js';
import { noteRequestError } from '../context/request/running-request.js';
import { readProperty } from '../internal/values/read.js';
import { type Event, exceptionsOf } from '../model/event/event.js';
import type { EventHint } from '../model/hint.js';
import { RequestSession } from '../model/request-session.js';
import type { Scope } from '../model/scope/scope.js';
import { isCrash } from '../model/session.js';

/** Whether an unhandled error is captured. Without an event, the hint decides. */
export function capturesCrash(event: Event | undefined, hint: EventHint): boolean {
  return [hint, readProperty(hint, 'data'), ...(event ? exceptionsOf(event) : [])].some(isCrash);
}

/** Whether an error is captured, rather than a message or another type of event. */
export function capturesError(event: Event | undefined, hint: EventHint): boolean {
  if (event?.type !== undefined) return false;
  return 'originalException' in hint || (event !== undefined && exceptionsOf(event).length > 0);
}

/**
 * Notes an error in its request and in the session of the request, or counts it if it happened outside of requests and jobs.
 * Done at capture, because the request may end before the event is ready; also for duplicates and for events that are sampled
 * out.
 *
 * @param event absent if it is created later, from the hint's exception
 */
export function noteInRequest(isolation: Scope, event: Event | undefined, hint: EventHint): void {
  // A message may also say why a request has failed.
  if (event?.type === undefined) noteRequestError(isolation, hint.originalException);
  if (!capturesError(event, hint)) return;
  const { observed, fallback } = processWide();
  // Not an error of a job, which has its own isolation scope.
  if (isolation === fallback.isolation) observed.errors += 1;
  const { requestSession } = isolation.snapshot().sdkProcessingMetadata;
  if (requestSession instanceof RequestSession) requestSession.note(!capturesCrash(event, hint));
}
