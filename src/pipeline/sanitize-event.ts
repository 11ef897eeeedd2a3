import { currentTrace, toTraceContext } from '../context/trace.js';
import { copyOwn } from '../internal/guard.js';
import { readEventId } from '../internal/ids.js';
import { SDK_NAME, SDK_VERSION } from '../internal/version.js';
import type { Event } from '../model/event.js';
import { type EventHint, readAttachments } from '../model/hint.js';
import type { Capture } from './capture.js';
import { createEventSanitizer } from './event-sanitizer.js';
import { fillIn } from './fill-in.js';
import { jsonObject, spreadableObject } from './sanitizers.js';

/**
 * The border between user code and the pipeline. Events cross it here, and nowhere else:
 *
 * - in, when the application captures an event or a hint;
 * - back in, when user code had the event in its hands: event processors, integrations that came with the options,
 *   handlers of `preprocessEvent`, and the send hooks.
 *
 * What the SDK makes itself (of errors, messages and spans) skips it. Inside, this holds, so that no step has to check:
 * an event is a plain object; each member has the type that `Event` declares, at every depth, or is absent; reading a
 * member calls no user code. The values in `extra`, `user`, `tags`, contexts, and `data` are the exception: these
 * objects can be spread, but what is in them may be anything until normalization has replaced it. The hint stays
 * in the hands of user code until the end, so its members are read with care.
 */
const sanitize = createEventSanitizer(spreadableObject);
/** After normalization: attached data has to be JSON. */
const sanitizeFully = createEventSanitizer(jsonObject);

/** A copy of what user code calls an event. */
export function sanitizeEvent(given: unknown): Event {
  return (sanitize(given) ?? {}) as Event;
}

/** A copy of what the application calls a hint. */
export function sanitizeHint(given: unknown): EventHint {
  const hint = copyOwn(given) as EventHint;
  hint.event_id = readEventId(hint.event_id);
  if (hint.attachments) hint.attachments = readAttachments(hint);
  return hint;
}

/** Sanitizes an event that user code had after the scopes were merged into it. */
export function sanitizeReturned(given: Event, capture: Capture): Event {
  return complete(sanitizeEvent(given), capture);
}

/** As `sanitizeReturned`, for events that are normalized already: attached data becomes JSON, too. */
export function sanitizeForSending(given: Event, capture: Capture): Event {
  return complete((sanitizeFully(given) ?? {}) as Event, capture);
}

/** Restores what servers need of every event. */
function complete(event: Event, { client, scope, hint }: Capture): Event {
  fillIn(event, hint);
  event.sdk = { name: SDK_NAME, version: SDK_VERSION, ...event.sdk };
  if (!event.contexts?.trace) {
    event.contexts = { ...event.contexts, trace: toTraceContext(currentTrace(client, scope)) };
  }
  return event;
}
