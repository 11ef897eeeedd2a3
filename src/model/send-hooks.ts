import type { Settings } from './options.js';

/** Whether hooks of the user may change events before they are sent. These hooks must get copies of shared data. */
export function hasSendHooks({ beforeSend, beforeSendTransaction, beforeSendSpan }: Settings): boolean {
  return Boolean(beforeSend ?? beforeSendTransaction ?? beforeSendSpan);
}
