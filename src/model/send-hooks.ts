import type { Settings } from './options.js';

/** Whether user hooks may change events before they are sent. These hooks must get copies of shared data. */
export function hasSendHooks({ beforeSend, beforeSendTransaction, beforeSendSpan }: Settings): boolean {
  return Boolean(beforeSend ?? beforeSendTransaction ?? beforeSendSpan);
}
