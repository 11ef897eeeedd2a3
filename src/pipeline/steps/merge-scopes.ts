import { copyLimited } from '../../internal/values/copy-own.js';
import { mergeOwn } from '../../internal/values/merge-own.js';
import type { Event } from '../../model/event/event.js';
import { attachmentsOf, type EventHint, type EventProcessor } from '../../model/hint.js';
import type { InnerClient } from '../../model/inner-client.js';
import type { ScopeState } from '../../model/scope/scope-state.js';

/** The scopes that apply to an event, in rising order of precedence. */
export type ScopeStates = readonly Readonly<ScopeState>[];

type MapMember = 'tags' | 'extra' | 'contexts';

/**
 * Merges scopes into an event, in place: later scopes win, and the event wins over all of them. Lists are concatenated,
 * the event's own entries first. Attachments are added to the hint.
 *
 * @param event owned by the caller; its members are replaced, never mutated
 * @param maxBreadcrumbs keeps this many of each scope's newest breadcrumbs
 * @param mayChange whether user code may change the event, which then gets copies of the scopes' breadcrumbs
 */
export function mergeScopes(
  event: Event,
  hint: EventHint,
  states: ScopeStates,
  maxBreadcrumbs: number,
  mayChange: boolean,
): void {
  mergeMap(event, states, 'tags');
  mergeMap(event, states, 'extra');
  mergeMap(event, states, 'contexts');
  mergeUser(event, states);
  event.level ??= states.findLast(({ level }) => level)?.level;
  if (event.type !== 'transaction') {
    event.transaction ??= states.findLast(({ transactionName }) => transactionName)?.transactionName;
  }
  mergeFingerprint(event, states);
  mergeBreadcrumbs(event, states, maxBreadcrumbs, mayChange);
  mergeAttachments(hint, states);
  for (const { sdkProcessingMetadata } of states) {
    if (!isEmpty(sdkProcessingMetadata)) {
      event.sdkProcessingMetadata = mergeOwn(event.sdkProcessingMetadata, sdkProcessingMetadata);
    }
  }
}

/** Whether user code gets an event with these scopes, and may change or discard it. */
export function isShown(client: InnerClient, states: ScopeStates): boolean {
  return client.showsEvents() || states.some(({ eventProcessors }) => eventProcessors.length > 0);
}

/** The event processors of the scopes, in the order in which they run. */
export function processorsOf(states: ScopeStates): readonly EventProcessor[] {
  return states.flatMap(({ eventProcessors }) => eventProcessors);
}

function mergeMap(event: Event, states: ScopeStates, member: MapMember): void {
  let merged: Record<string, unknown> | undefined;
  for (const state of states) {
    if (!isEmpty(state[member])) merged = mergeOwn(merged, state[member]);
  }
  if (merged) (event as Record<MapMember, unknown>)[member] = mergeOwn(merged, copyLimited(event[member]));
}

function mergeUser(event: Event, states: ScopeStates): void {
  let merged: Event['user'];
  for (const { user } of states) {
    if (user) merged = mergeOwn(merged, copyLimited(user));
  }
  if (merged && Object.values(merged).some((value) => value !== undefined))
    event.user = mergeOwn(merged, copyLimited(event.user));
}

function mergeFingerprint(event: Event, states: ScopeStates): void {
  let merged = event.fingerprint;
  for (const { fingerprint } of states) {
    if (fingerprint) merged = [...(merged ?? []), ...fingerprint];
  }
  event.fingerprint = merged?.length ? [...merged] : undefined;
}

function mergeBreadcrumbs(event: Event, states: ScopeStates, max: number, mayChange: boolean): void {
  let merged = event.breadcrumbs;
  let isSorted = true;
  for (const { breadcrumbs, maxBreadcrumbs = 0 } of states) {
    const limit = Math.max(max, maxBreadcrumbs);
    if (limit === 0 || breadcrumbs.length === 0) continue;
    const newest = mayChange ? breadcrumbs.toArray(limit).map((one) => ({ ...one })) : breadcrumbs.sharedArray(limit);
    isSorted &&= merged === undefined;
    merged = merged ? [...merged, ...newest] : newest;
  }
  if (!isSorted) merged?.sort((one, other) => (one.timestamp ?? 0) - (other.timestamp ?? 0));
  event.breadcrumbs = merged?.length ? merged : undefined;
}

function mergeAttachments(hint: EventHint, states: ScopeStates): void {
  const merged = [...attachmentsOf(hint)];
  for (const { attachments } of states) merged.push(...attachments);
  if (merged.length > 0) hint.attachments = merged;
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
