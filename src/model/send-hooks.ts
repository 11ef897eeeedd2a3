import type { Settings } from './options.js';

/** Whether hooks of the host get to change events before they are sent; what is shared with others must not reach them. */
export function hasSendHooks({ beforeSend, beforeSendTransaction, beforeSendSpan }: Settings): boolean {
  return Boolean(beforeSend ?? beforeSendTransaction ?? beforeSendSpan);
}
