import { processorsOf } from '../context/merge.js';
import type { Settings } from '../model/options.js';
import { hasSendHooks } from '../model/send-hooks.js';
import type { Capture } from './capture.js';

/** Whether code of the host may get hold of an event on its way, and with it of what is in the event. */
export type UserCodeCheck = (capture: Capture) => boolean;

export function createUserCodeCheck(settings: Settings): UserCodeCheck {
  const { normalizeDepth, integrations, defaultIntegrations } = settings;
  const hasIntegrations = integrations !== undefined || Array.isArray(defaultIntegrations);
  // Without normalization, values of the host are still as the host made them.
  if (normalizeDepth === 0 || hasIntegrations || hasSendHooks(settings)) return () => true;
  return ({ client, states }) =>
    client.eventProcessors.length > 0 || client.listens('preprocessEvent') || processorsOf(states).length > 0;
}
