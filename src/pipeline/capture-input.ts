import { capturedScopeOf, isolationOf } from '../context/captured-scopes.js';
import { getCurrentScope, getGlobalScope } from '../context/current-scopes.js';
import { guard } from '../internal/guard.js';
import { readProperty } from '../internal/values/read.js';
import type { Event } from '../model/event/event.js';
import type { RecordedException } from '../model/event/recorded-exception.js';
import type { SeverityLevel } from '../model/event/severity.js';
import type { EventHint } from '../model/hint.js';
import { readFingerprint } from '../model/scope/fingerprint.js';
import { Scope } from '../model/scope/scope.js';
import type { Session } from '../model/session.js';
import type { ScopeStates } from './steps/merge-scopes.js';

/** What a capture passes to the intake. */
export interface CaptureInput {
  readonly hint: EventHint;
  /** In place of the current scope. */
  readonly scope?: Scope | undefined;
  /** What is known of the event before it is created: of `captureEvent` and transactions, the event itself. */
  readonly outline?: Event;
  /** Number of spans that were cut from the application's event. */
  readonly cutSpans?: number;
  /** Number of attachments that were cut from those that the application passed. */
  readonly cutAttachments?: number;
  readonly defaultLevel?: SeverityLevel | undefined;
  /** Called only if the event is not refused. */
  readonly createEvent: () => Event;
  /** For an exception that OpenTelemetry recorded. */
  readonly recorded?: RecordedException;
  /** Whether it may be held back when many errors like it are captured. */
  readonly mayStorm?: boolean;
}

/** What belongs to an event from the moment of its capture. */
export interface Origin {
  readonly scope: Scope;
  readonly session: Session | undefined;
  readonly states: ScopeStates;
}

/** Reads the scopes and the session at the time of the capture; they belong to the event even if it is processed later. */
export function originOf({ hint, scope, outline }: CaptureInput): Origin {
  const isolation = isolationOf(outline);
  const base = currentScopeOf(outline, scope);
  const current = hint.captureContext
    ? guard('captureContext', () => base.clone().update(hint.captureContext), base)
    : base;
  const session = outline?.type === undefined ? (current.getSession() ?? isolation.getSession()) : undefined;
  const states = [getGlobalScope(), isolation, current].map((one) => one.snapshot());
  return { scope: current, session, states };
}

/** The scope in which the event's span began, else the one that was passed, else the current one. */
export function currentScopeOf(outline: Event | undefined, scope: Scope | undefined): Scope {
  return (outline && capturedScopeOf(outline)) ?? (Scope.is(scope) ? scope : getCurrentScope());
}

/** The fingerprint that the application has set for an error, by which servers group it. */
export function chosenFingerprintOf({ captureContext }: EventHint, scope: Scope | undefined): string[] {
  const current = Scope.is(scope) ? scope : getCurrentScope();
  const own = Scope.is(captureContext) ? captureContext.snapshot() : captureContext;
  return readFingerprint(readProperty(own, 'fingerprint') ?? current.snapshot().fingerprint);
}

/** Default level for `captureEvent`; transactions and other event types get none. */
export function defaultLevelOf({ type, exception }: Event): SeverityLevel | undefined {
  if (type !== undefined) return undefined;
  return exception ? 'error' : 'info';
}
