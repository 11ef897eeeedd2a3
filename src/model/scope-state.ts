import type { Attachment } from './attachment.js';
import { BreadcrumbTrail } from './breadcrumb-trail.js';
import type { Client } from './contracts.js';
import type { Contexts, Extras, Primitive, SdkProcessingMetadata, User } from './event.js';
import type { EventProcessor } from './hint.js';
import type { ScopeContext } from './scope-data.js';
import type { Session } from './session.js';
import type { SeverityLevel } from './severity.js';
import type { RawAttributes } from './span-json.js';
import type { PropagationContext } from './trace.js';

/**
 * What scopes share until one of them writes. Once a state is shared, neither it nor what it refers to changes again.
 */
export interface ScopeState {
  tags: Readonly<Record<string, Primitive>>;
  extra: Readonly<Extras>;
  contexts: Readonly<Contexts>;
  attributes: Readonly<RawAttributes>;
  /** `UNSET_USER` where the user was taken away, which hides that of outer scopes. */
  user: User | undefined;
  level: SeverityLevel | undefined;
  fingerprint: readonly string[] | undefined;
  transactionName: string | undefined;
  conversationId: string | undefined;
  session: Session | undefined;
  lastEventId: string | undefined;
  client: Client | undefined;
  breadcrumbs: BreadcrumbTrail;
  /** The limit that `addBreadcrumb` got; without one, that of the client's settings applies. */
  maxBreadcrumbs: number | undefined;
  attachments: readonly Attachment[];
  eventProcessors: readonly EventProcessor[];
  sdkProcessingMetadata: Readonly<SdkProcessingMetadata>;
  /** Filled at first use, for the scope and all that were cloned from it alike. */
  propagation: { context?: PropagationContext };
}

/** Of a scope whose user was taken away; hides those of outer scopes. */
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
    lastEventId: undefined,
    client,
    breadcrumbs: BreadcrumbTrail.EMPTY,
    maxBreadcrumbs: undefined,
    attachments: NONE,
    eventProcessors: NONE,
    sdkProcessingMetadata: NOTHING,
    propagation: {},
  };
}

/** The members that replace those of another scope, or are merged into them. */
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
