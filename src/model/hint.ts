import type { Attachment } from './attachment.js';
import type { Event } from './event.js';
import type { Mechanism } from './exception.js';
import type { Scope, ScopeContext } from './scope.js';

/** What is known about an event beside the event itself; handed to processors and hooks. */
export interface EventHint {
  /** Id the event gets, 32 hex characters. */
  event_id?: string;
  /** Data for this one event. */
  captureContext?: CaptureContext;
  /** Merged into the mechanism of the captured exception. */
  mechanism?: Partial<Mechanism>;
  /** Made where the capture was called, for thrown values without a stack. */
  syntheticException?: Error | null;
  /** The thrown value itself. */
  originalException?: unknown;
  attachments?: Attachment[];
  data?: unknown;
  integrations?: string[];
}

/**
 * Data for one event: a scope, some of a scope's members, or a function that gets a copy of the current scope and may
 * change it, or return another.
 */
export type CaptureContext = Scope | Partial<ScopeContext> | ((scope: Scope) => Scope | Partial<ScopeContext> | void);

/**
 * Looks at an event before it is sent.
 *
 * @returns the event, changed or not; `null` drops it (`event_processor`). A processor that throws or returns no event
 *   drops it too.
 */
export type EventProcessor = (event: Event, hint: EventHint) => Event | null | PromiseLike<Event | null>;
