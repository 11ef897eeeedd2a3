import { copyOwn } from '../internal/guard.js';
import { readList } from '../internal/read.js';
import type { Attachment } from './attachment.js';
import type { Event } from './event.js';
import type { Mechanism } from './exception.js';
import type { Optional } from './optional.js';
import type { Quantities } from './outcome.js';
import type { Scope } from './scope.js';
import type { ScopeContext } from './scope-data.js';

/** What is known about an event beside the event itself; handed to processors and hooks. */
export interface EventHint {
  /** Id the event gets, 32 hex characters. */
  event_id?: string | undefined;
  /** Data for this one event. */
  captureContext?: CaptureContext | undefined;
  /** Merged into the mechanism of the captured exception. */
  mechanism?: Optional<Mechanism> | undefined;
  /** Made where the capture was called, for thrown values without a stack. */
  syntheticException?: Error | null | undefined;
  /** The thrown value itself. */
  originalException?: unknown;
  /** Files that leave with the event; those of the scopes are added. */
  attachments?: Attachment[] | undefined;
  /** Whatever the one who captures wants processors and hooks to know. */
  data?: unknown;
  /** Names added to `sdk.integrations` of the event. */
  integrations?: string[] | undefined;
}

/**
 * Data for one event: a scope, some of a scope's members, or a function that gets a copy of the current scope and may
 * change it, or return another. Loses to what the event says itself, and wins over all scopes.
 */
export type CaptureContext = Scope | Optional<ScopeContext> | ((scope: Scope) => Scope | Optional<ScopeContext> | void);

/**
 * Looks at an event before it is sent.
 *
 * @returns the event, changed or not; `null` drops it (`event_processor`). A processor that throws or returns no event
 *   drops it too.
 */
export type EventProcessor = (event: Event, hint: EventHint) => Event | null | PromiseLike<Event | null>;

/** A copy of a hint with a stack for values that have none, unless the caller brings one. */
export function withStack(hint: EventHint | undefined, syntheticException: Error | undefined): EventHint {
  const copy = copyOwn(hint) as EventHint;
  if (copy.syntheticException === undefined) copy.syntheticException = syntheticException;
  return copy;
}

/** The files that a caller gives, those that can be any. */
export function readAttachments({ attachments }: EventHint): Attachment[] {
  return readList(attachments).filter((one): one is Attachment => typeof one === 'object' && one !== null);
}

/** The files that go with an event now. */
export function attachmentsOf({ attachments }: EventHint): readonly Attachment[] {
  return Array.isArray(attachments) ? attachments : [];
}

/** The quantities of an event together with the attachments that go with it now. */
export function withAttachments(quantities: Quantities, hint: EventHint): Quantities {
  const { length } = attachmentsOf(hint);
  return length === 0 ? quantities : [...quantities.filter(([one]) => one !== 'attachment'), ['attachment', length]];
}
