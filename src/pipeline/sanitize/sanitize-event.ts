import { types } from 'node:util';
import { currentTrace, toTraceContext } from '../../context/trace/trace.js';
import { readEventId } from '../../internal/ids.js';
import { copyLimited } from '../../internal/values/copy-own.js';
import { countUnread, isArray, readList, readProperty } from '../../internal/values/read.js';
import { SDK_NAME, SDK_VERSION } from '../../internal/version.js';
import type { Event } from '../../model/event/event.js';
import type { Exception } from '../../model/event/exception.js';
import type { EventHint } from '../../model/hint.js';
import { readAttachments } from '../../model/scope/check-data.js';
import type { StepContext } from '../step.js';
import { fillIn } from '../steps/fill-in.js';
import { createEventSanitizer, sanitizeMechanism, sanitizeType } from './event-schema.js';
import { createBudget, jsonObject, spreadableObject } from './sanitizers.js';

/**
 * The boundary between user code and the pipeline. Events cross it only here:
 *
 * - when the application captures an event or a hint;
 * - after user code had access to the event: event processors, integrations passed in the options, handlers of
 *   `preprocessEvent`, and the send hooks.
 *
 * Events that the SDK creates itself (from errors, messages and spans) skip it. Inside the pipeline these invariants
 * hold, so that no step has to check them: an event is a plain object; each member has the type that `Event` declares,
 * at every depth, or is absent; reading a member calls no user code. Exceptions are `extra`, `user`, `tags`, contexts
 * and `data`: these objects can be spread, but their values may be anything until normalization replaces them. User
 * code keeps access to the hint until the end, so its members are read defensively.
 */
const sanitize = createEventSanitizer(spreadableObject);
/** After normalization: attached data has to be JSON. */
const sanitizeFully = createEventSanitizer(jsonObject);

/** Sanitizes an event that the application captures; returns a copy. */
export function sanitizeEvent(event: unknown): Event {
  return (sanitize(event) ?? {}) as Event;
}

/** The members that the ledger and sessions need of an event that is not sent. Reads no others. */
export function outlineOf(event: unknown): Event {
  const values = readProperty(readProperty(event, 'exception'), 'values');
  const type = sanitizeType(readProperty(event, 'type'));
  const spans = type === 'transaction' ? readList(readProperty(event, 'spans')) : [];
  const outline = { type, spans } as Event;
  if (isArray(values)) {
    const budget = createBudget();
    outline.exception = {
      values: readList(values).map((one) => ({
        mechanism: sanitizeMechanism(readProperty(one, 'mechanism'), budget),
      })) as Exception[],
    };
  }
  return outline;
}

/**
 * How many spans of a transaction are not in its sanitized form: those beyond the limit of a list, and those that are not
 * valid. The length of a proxy is not trusted.
 */
export function countCutSpans(event: unknown, { type, spans = [] }: Event): number {
  if (type !== 'transaction') return 0;
  const list = readProperty(event, 'spans');
  const length = isArray(list) && !types.isProxy(list) ? readProperty(list, 'length') : 0;
  return Number.isSafeInteger(length) ? Math.max((length as number) - spans.length, 0) : 0;
}

/**
 * Sanitizes a hint of the application.
 *
 * @returns a copy, and the number of attachments that are beyond the limit of a list
 */
export function sanitizeHint(value: unknown): { hint: EventHint; cutAttachments: number } {
  const hint: EventHint = value === undefined ? {} : copyLimited(value);
  hint.event_id = readEventId(hint.event_id);
  let cutAttachments = 0;
  if (hint.captureContext) cutAttachments += countUnread(readProperty(hint.captureContext, 'attachments'));
  if (hint.attachments) {
    cutAttachments += countUnread(hint.attachments);
    hint.attachments = readAttachments(hint.attachments);
  }
  return { hint, cutAttachments };
}

/** Sanitizes an event returned by user code after scopes were merged. */
export function sanitizeReturned(event: Event, context: StepContext): Event {
  return complete(sanitizeEvent(event), context);
}

/** Like `sanitizeReturned`, for normalized events: converts attached data to JSON, too. */
export function sanitizeForSending(event: Event, context: StepContext): Event {
  return complete((sanitizeFully(event) ?? {}) as Event, context);
}

/** Restores the members that servers require. */
function complete(event: Event, { client, scope, hint }: StepContext): Event {
  fillIn(event, hint);
  event.sdk = { name: SDK_NAME, version: SDK_VERSION, ...event.sdk };
  if (!event.contexts?.trace) {
    event.contexts = { ...event.contexts, trace: toTraceContext(currentTrace(client, scope)) };
  }
  return event;
}
