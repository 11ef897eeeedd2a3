import type { Settings } from './options.js';

/** Whether user hooks may change events before they are sent. These hooks must get copies of shared data. */
export function hasSendHooks({ beforeSend, beforeSendTransaction, beforeSendSpan }: Settings): boolean {
  return Boolean(beforeSend ?? beforeSendTransaction ?? beforeSendSpan);
}

/** Whether the settings have user code that gets events: hooks, or integrations. */
export function hasUserCode(settings: Settings): boolean {
  return hasSendHooks(settings) || settings.integrations !== undefined || Array.isArray(settings.defaultIntegrations);
}
