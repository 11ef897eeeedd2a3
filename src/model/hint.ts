import { types } from 'node:util';
import { copyLimited } from '../internal/values/copy-own.js';
import { isError } from '../internal/values/is-error.js';
import { readList } from '../internal/values/read.js';
import type { Quantities } from './delivery/outcome.js';
import type { Attachment } from './event/attachment.js';
import type { Event } from './event/event.js';
import type { Mechanism } from './event/exception.js';
import type { Optional } from './optional.js';
import type { Scope } from './scope/scope.js';
import type { ScopeContext } from './scope/scope-context.js';

/** Data about an event that is not part of it; passed to processors and hooks. */
export interface EventHint {
  /** Id for the event, 32 hex characters. */
  event_id?: string | undefined;
  /** Data for this one event. */
  captureContext?: CaptureContext | undefined;
  /** Merged into the mechanism of the captured exception. */
  mechanism?: Optional<Mechanism> | undefined;
  /** Created at the capture call, for thrown values without a stack. */
  syntheticException?: Error | null | undefined;
  /** The thrown value itself. */
  originalException?: unknown;
  /** Files sent with the event, in addition to those of the scopes. */
  attachments?: Attachment[] | undefined;
  /** Any data for processors and hooks. */
  data?: unknown;
  /** Names added to `sdk.integrations` of the event. */
  integrations?: string[] | undefined;
}

/**
 * Data for one event: a scope, some of a scope's members, or a function that gets a copy of the current scope and may
 * change it, or return another. The event's own data overrides it, and it overrides all scopes.
 */
export type CaptureContext = Scope | Optional<ScopeContext> | ((scope: Scope) => Scope | Optional<ScopeContext> | void);

/**
 * Processes an event before it is sent.
 *
 * @returns the event, changed or not; `null` drops it (`event_processor`). A processor that throws or returns no event
 *   drops it too.
 */
export type EventProcessor = (event: Event, hint: EventHint) => Event | null | PromiseLike<Event | null>;

export type Called = (...args: never[]) => unknown;

/** A copy of a hint with a stack for values without one, unless the caller passed one. */
export function withStack(hint: EventHint | undefined, syntheticException: Error | undefined): EventHint {
  const copy = copyLimited(hint) as EventHint;
  if (copy.syntheticException === undefined) copy.syntheticException = syntheticException;
  return copy;
}

/**
 * Creates an error with a stack trace for thrown values that have none.
 *
 * @param called see {@link errorAt}
 */
export function syntheticFor(exception: unknown, called: Called): Error | undefined {
  return isError(exception) ? undefined : errorAt(called, 'Faultline synthetic exception');
}

/**
 * Creates an error whose stack begins at the caller of `called`: in a bundle our frames look like the application's.
 *
 * @param called the function that the application called; without it on the stack, the error's stack is empty
 */
export function errorAt(called: Called, message: unknown): Error {
  const error = new Error(typeof message === 'string' ? message : '');
  Error.captureStackTrace(error, called);
  return error;
}

/** The event's current attachments. The length of a proxy is not trusted. */
export function attachmentsOf({ attachments }: EventHint): readonly Attachment[] {
  if (types.isProxy(attachments)) return readList(attachments) as Attachment[];
  return Array.isArray(attachments) ? attachments : [];
}

/** The quantities of an event, including its current attachments. */
export function withAttachments(quantities: Quantities, hint: EventHint): Quantities {
  const { length } = attachmentsOf(hint);
  return length === 0 ? quantities : [...quantities.filter(([one]) => one !== 'attachment'), ['attachment', length]];
}
