import type { Attachment } from './attachment.js';
import type { Breadcrumb } from './breadcrumb.js';
import type { Contexts, Extras, Primitive, SdkProcessingMetadata, User } from './event.js';
import type { EventProcessor } from './hint.js';
import type { SeverityLevel } from './severity.js';
import type { Span } from './span.js';
import type { RawAttributes } from './span-json.js';
import type { PropagationContext } from './trace.js';

/** The members of a scope that a `captureContext` may carry. */
export interface ScopeContext {
  /** `null` hides the user of all scopes. */
  user: User | null;
  level: SeverityLevel;
  extra: Extras;
  contexts: Contexts;
  tags: Record<string, Primitive>;
  /** Groups events; `{{ default }}` stands for the server's default grouping. */
  fingerprint: string[];
  /** The event's trace while no span is active. */
  propagationContext: PropagationContext;
  attributes: RawAttributes;
  /** Files sent with the event. */
  attachments: Attachment[];
  /** Id of a conversation with a language model. */
  conversationId: string;
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
  /** Always absent: the OTel context holds the active span of a block. */
  span?: Span | undefined;
  conversationId?: string | undefined;
}
