import { capturedScopeOf, isolationOf } from '../context/captured-scopes.js';
import { getCurrentScope } from '../context/current-scopes.js';
import type { Integration } from '../model/contracts.js';
import type { Event } from '../model/event/event.js';

const PREFIX = 'gen_ai.';
const CONVERSATION_ID = 'gen_ai.conversation.id';

type Data = Record<string, unknown>;

/** Sets the scope's conversation id on spans of generative AI that do not have one. */
export function conversationIdIntegration(): Integration {
  return {
    name: 'ConversationId',
    processEvent(event) {
      if (event.type !== 'transaction') return event;
      const id = conversationIdOf(event);
      if (!id) return event;
      const trace = event.contexts?.trace;
      if (needsId(trace?.data)) {
        event.contexts = { ...event.contexts, trace: { ...trace, data: { ...trace!.data, [CONVERSATION_ID]: id } } };
      }
      event.spans = event.spans?.map((span) =>
        needsId(span.data) ? { ...span, data: { ...span.data, [CONVERSATION_ID]: id } } : span,
      );
      return event;
    },
  };
}

function conversationIdOf(event: Event): string | undefined {
  const current = capturedScopeOf(event) ?? getCurrentScope();
  return current.snapshot().conversationId ?? isolationOf(event).snapshot().conversationId;
}

function needsId(data: Data | undefined): boolean {
  if (!data || data[CONVERSATION_ID] !== undefined) return false;
  for (const key in data) {
    if (key.startsWith(PREFIX)) return true;
  }
  return false;
}
