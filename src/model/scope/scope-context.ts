import { guard } from '../../internal/guard.js';
import { isObject } from '../../internal/values/read.js';
import type { Attachment } from '../event/attachment.js';
import type { Contexts, Extras, Primitive, User } from '../event/event.js';
import type { SeverityLevel } from '../event/severity.js';
import type { RawAttributes } from '../event/span-json.js';
import type { PropagationContext } from '../trace.js';
import { isNoObject } from './check-data.js';

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

/**
 * What a capture context brings: a scope, or members of one. A function is called with the scope.
 *
 * @returns `undefined` if there is nothing to merge into the scope
 */
export function readCaptureContext(captureContext: unknown, scope: object): object | undefined {
  if (typeof captureContext !== 'function' && isNoObject('captureContext', captureContext || undefined))
    return undefined;
  const source =
    typeof captureContext === 'function' ? guard('a capture context', () => captureContext(scope)) : captureContext;
  return isObject(source) && source !== scope ? source : undefined;
}
