import { append } from '../../internal/patching/originals.js';
import { mergeOwn } from '../../internal/values/merge-own.js';
import type { Client } from '../contracts.js';
import type { Attachment } from '../event/attachment.js';
import type { Breadcrumb } from '../event/breadcrumb.js';
import { BreadcrumbTrail } from '../event/breadcrumb-trail.js';
import type { Contexts, Extras, Primitive, SdkProcessingMetadata, User } from '../event/event.js';
import type { SeverityLevel } from '../event/severity.js';
import type { RawAttributes } from '../event/span-json.js';
import type { EventProcessor } from '../hint.js';
import type { Session } from '../session.js';
import type { Span } from '../span.js';
import type { PropagationContext } from '../trace.js';
import type { ScopeContext } from './scope-context.js';

/** How many of its newest breadcrumbs a scope keeps, unless `addBreadcrumb` says otherwise. */
export const DEFAULT_MAX_BREADCRUMBS = 100;

/**
 * State that scopes share until one of them writes, which copies it. Once shared, nothing of it but `isShared` and what
 * `propagation` refers to changes.
 */
export interface ScopeState {
  isShared: boolean;
  /** Bits of the maps and lists that belong to this state alone, so that they may be mutated. */
  ownedMembers: number;
  tags: Readonly<Record<string, Primitive>>;
  extra: Readonly<Extras>;
  contexts: Readonly<Contexts>;
  attributes: Readonly<RawAttributes>;
  /** `UNSET_USER` if the user was unset, which hides the user of outer scopes. */
  user: User | undefined;
  level: SeverityLevel | undefined;
  fingerprint: readonly string[] | undefined;
  transactionName: string | undefined;
  conversationId: string | undefined;
  session: Session | undefined;
  client: Client | undefined;
  breadcrumbs: BreadcrumbTrail;
  /** The limit passed to `addBreadcrumb`; default: the limit in the client's settings. */
  maxBreadcrumbs: number | undefined;
  attachments: readonly Attachment[];
  eventProcessors: readonly EventProcessor[];
  sdkProcessingMetadata: Readonly<SdkProcessingMetadata>;
  /** Set at first use, for the scope and all its clones. */
  propagation: { context?: PropagationContext };
}

/** All data of a scope, as plain data. */
export interface ScopeData {
  /** In execution order. */
  eventProcessors: EventProcessor[];
  /** Oldest first. */
  breadcrumbs: Breadcrumb[];
  /** Empty if unset. */
  user: User;
  tags: Record<string, Primitive>;
  /** Stay on the scope; not added to events. */
  attributes?: RawAttributes | undefined;
  extra: Extras;
  contexts: Contexts;
  attachments: Attachment[];
  propagationContext: PropagationContext;
  sdkProcessingMetadata: SdkProcessingMetadata;
  /** Empty if unset. */
  fingerprint: string[];
  level?: SeverityLevel | undefined;
  transactionName?: string | undefined;
  /** Always absent: the active span is in the OTel context, not on a scope. */
  span?: Span | undefined;
  conversationId?: string | undefined;
}

/** The members that are maps, with copy on write for each. */
export type MapMember = 'tags' | 'extra' | 'contexts' | 'attributes' | 'sdkProcessingMetadata';
/** The members that are lists, with copy on write. */
type ListMember = 'eventProcessors' | 'attachments';

const MEMBER_BIT = {
  tags: 1,
  extra: 2,
  contexts: 4,
  attributes: 8,
  sdkProcessingMetadata: 16,
  eventProcessors: 32,
  attachments: 64,
} as const satisfies Record<MapMember | ListMember, number>;

/** Marks an unset user, which hides the user of outer scopes. */
export const UNSET_USER: User = Object.freeze({
  id: undefined,
  email: undefined,
  username: undefined,
  ip_address: undefined,
});

const NOTHING = Object.freeze({});
const NONE: readonly never[] = Object.freeze([]);

export function createScopeState(client: Client | undefined): ScopeState {
  return {
    isShared: false,
    ownedMembers: 0,
    tags: NOTHING,
    extra: NOTHING,
    contexts: NOTHING,
    attributes: NOTHING,
    user: undefined,
    level: undefined,
    fingerprint: undefined,
    transactionName: undefined,
    conversationId: undefined,
    session: undefined,
    client,
    breadcrumbs: BreadcrumbTrail.EMPTY,
    maxBreadcrumbs: undefined,
    attachments: NONE,
    eventProcessors: NONE,
    sdkProcessingMetadata: NOTHING,
    propagation: {},
  };
}

/** Copies nothing; the next write to the state copies it. */
export function shareState(state: ScopeState): ScopeState {
  state.isShared = true;
  return state;
}

/** The state to write to: a copy, if others share this one. */
export function ownState(state: ScopeState): ScopeState {
  if (!state.isShared) return state;
  // Not in the literal: defining a member again takes longer than to write it.
  const copy = { ...state };
  copy.isShared = false;
  copy.ownedMembers = 0;
  return copy;
}

/** The map to write to. @param state not shared */
export function ownMap(state: ScopeState, member: MapMember): Record<string, unknown> {
  if ((state.ownedMembers & MEMBER_BIT[member]) === 0) {
    (state as Record<MapMember, unknown>)[member] = mergeOwn(state[member]);
    state.ownedMembers |= MEMBER_BIT[member];
  }
  return state[member] as Record<string, unknown>;
}

/** The list to write to. @param state not shared */
export function ownList<Member extends ListMember>(
  state: ScopeState,
  member: Member,
): Array<ScopeState[Member][number]> {
  if ((state.ownedMembers & MEMBER_BIT[member]) === 0) {
    (state as Record<ListMember, unknown>)[member] = [...state[member]];
    state.ownedMembers |= MEMBER_BIT[member];
  }
  return state[member] as unknown as Array<ScopeState[Member][number]>;
}

/** Adds the elements of another scope's lists that this state lacks. @param state not shared */
export function adoptLists(state: ScopeState, other: Readonly<ScopeState>): void {
  const { attachments, eventProcessors, breadcrumbs, maxBreadcrumbs } = other;
  for (const one of missingIn(state.attachments, attachments)) append(ownList(state, 'attachments'), one);
  for (const one of missingIn(state.eventProcessors, eventProcessors)) append(ownList(state, 'eventProcessors'), one);
  const merged = state.breadcrumbs.mergeWith(breadcrumbs, DEFAULT_MAX_BREADCRUMBS);
  if (merged === state.breadcrumbs) return;
  state.breadcrumbs = merged;
  if (maxBreadcrumbs !== undefined) state.maxBreadcrumbs = Math.max(maxBreadcrumbs, state.maxBreadcrumbs ?? 0);
}

/** Those of the other list that this one does not contain. */
function missingIn<T>(own: readonly T[], others: readonly T[]): readonly T[] {
  if (others.length === 0) return others;
  const present = new Set(own);
  return others.filter((one) => !present.has(one));
}

/** Members that replace those of another scope, or are merged into them. */
export function scopeContextOf(state: ScopeState): Partial<ScopeContext> {
  const { user, tags, extra, contexts, attributes, level, fingerprint, conversationId, propagation } = state;
  return {
    user,
    tags,
    extra,
    contexts,
    attributes,
    level,
    fingerprint: fingerprint as string[] | undefined,
    conversationId,
    propagationContext: propagation.context,
  };
}

/** Copies the maps and lists. */
export function scopeDataOf(state: Readonly<ScopeState>, propagationContext: PropagationContext): ScopeData {
  return {
    eventProcessors: [...state.eventProcessors],
    breadcrumbs: state.breadcrumbs.toArray(),
    user: state.user ?? {},
    tags: { ...state.tags },
    attributes: { ...state.attributes },
    extra: { ...state.extra },
    contexts: { ...state.contexts },
    attachments: [...state.attachments],
    propagationContext,
    sdkProcessingMetadata: { ...state.sdkProcessingMetadata },
    fingerprint: [...(state.fingerprint ?? [])],
    level: state.level,
    transactionName: state.transactionName,
    conversationId: state.conversationId,
  };
}
