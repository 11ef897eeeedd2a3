import type { Event } from '../model/event/event.js';
import { Scope } from '../model/scope/scope.js';
import { getScopes } from './current-scopes.js';

/** The isolation scope in which the event's span began; the caller's if the event has none. */
export function isolationOf(event: Event | undefined): Scope {
  return scopeIn(event, 'capturedSpanIsolationScope') ?? getScopes().isolation;
}

/** The scope in which the event's span began, if the event has one. */
export function capturedScopeOf(event: Event): Scope | undefined {
  return scopeIn(event, 'capturedSpanScope');
}

function scopeIn(event: Event | undefined, member: string): Scope | undefined {
  const value = event?.sdkProcessingMetadata?.[member];
  return Scope.is(value) ? value : undefined;
}
