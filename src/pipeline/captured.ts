import { capturedScopeOf, isolationOf } from '../context/captured-scopes.js';
import { getCurrentScope, getGlobalScope } from '../context/current-scopes.js';
import { snapshotOf } from '../context/merge.js';
import { guard } from '../internal/guard.js';
import { readProperty } from '../internal/read.js';
import type { Event } from '../model/event.js';
import type { EventHint } from '../model/hint.js';
import type { RecordedException } from '../model/recorded-exception.js';
import { Scope } from '../model/scope.js';
import type { Session } from '../model/session.js';
import type { SeverityLevel } from '../model/severity.js';
import type { Capture } from './capture.js';

/** What a capture hands over. */
export interface Captured {
  readonly hint: EventHint;
  /** In place of the current scope. */
  readonly scope?: Scope | undefined;
  /** The event as far as it is there before it is created. */
  readonly outline?: Event;
  readonly defaultLevel?: SeverityLevel | undefined;
  /** Called only if the event is not refused. */
  readonly createEvent: () => Event;
  /** For an exception that OpenTelemetry recorded. */
  readonly recorded?: RecordedException;
  /** Whether it is held back if very many like it are captured. */
  readonly mayStorm?: boolean;
}

export interface Origin {
  readonly scope: Scope;
  readonly session: Session | undefined;
  readonly states: Capture['states'];
}

/** What a capture has around it, which belongs to the event even if it is processed later. */
export function originOf({ hint, scope, outline }: Captured): Origin {
  const isolation = isolationOf(outline);
  const base = currentScopeOf(outline, scope);
  const current = hint.captureContext
    ? guard('captureContext', () => base.clone().update(hint.captureContext), base)
    : base;
  const session = outline?.type === undefined ? (current.getSession() ?? isolation.getSession()) : undefined;
  return { scope: current, session, states: snapshotOf(getGlobalScope(), isolation, current) };
}

/** The scope in which the event's span began, else the one that was passed, else the current one. */
export function currentScopeOf(outline: Event | undefined, scope: Scope | undefined): Scope {
  return (outline && capturedScopeOf(outline)) ?? (Scope.is(scope) ? scope : getCurrentScope());
}

/** What makes servers group an error apart from others that look like it. */
export function fingerprintOf({ captureContext }: EventHint, scope: Scope | undefined): unknown {
  const current = Scope.is(scope) ? scope : getCurrentScope();
  return readProperty(captureContext, 'fingerprint') ?? current.snapshot().fingerprint;
}

/** Default level for `captureEvent`; transactions and other event types get none. */
export function defaultLevelOf({ type, exception }: Event): SeverityLevel | undefined {
  if (type !== undefined) return undefined;
  return exception ? 'error' : 'info';
}
