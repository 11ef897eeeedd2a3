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

/** State that scopes share until one of them writes. Once shared, neither it nor the objects it refers to change. */
export interface ScopeState {
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
  lastEventId: string | undefined;
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
