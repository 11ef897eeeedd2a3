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
  /** What events are grouped by; `{{ default }}` stands for what the server would group by. */
  fingerprint: string[];
  /** The trace of the event, while no span is active. */
  propagationContext: PropagationContext;
  attributes: RawAttributes;
  /** Files that leave with the event. */
  attachments: Attachment[];
  /** Id of a conversation with a language model. */
  conversationId: string;
}

/** Everything a scope holds, as plain data. */
export interface ScopeData {
  /** In the order in which they run. */
  eventProcessors: EventProcessor[];
  /** Oldest first. */
  breadcrumbs: Breadcrumb[];
  /** Empty when none is set. */
  user: User;
  tags: Record<string, Primitive>;
  /** Kept with the scope; not put on events. */
  attributes?: RawAttributes | undefined;
  extra: Extras;
  contexts: Contexts;
  attachments: Attachment[];
  propagationContext: PropagationContext;
  sdkProcessingMetadata: SdkProcessingMetadata;
  /** Empty when none is set. */
  fingerprint: string[];
  level?: SeverityLevel | undefined;
  transactionName?: string | undefined;
  /** Absent: the span of a block is the active one of its OTel context. */
  span?: Span | undefined;
  conversationId?: string | undefined;
}
