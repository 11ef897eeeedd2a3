import { guard } from '../../internal/guard.js';
import { replaceMethod } from '../../internal/patching/replace-method.js';
import type { InnerClient } from '../../model/inner-client.js';

const EVENT = 'uncaughtException';

/**
 * Stores what is unsent if a listener for the exception that Node is about to announce throws: Node then ends the process
 * with status 7 and runs no further code, not even listeners for `exit`. Only the call of the listeners shows it.
 */
export function storeIfListenerThrows(client: InnerClient): void {
  // Node calls this in place of listeners.
  if (process.hasUncaughtExceptionCaptureCallback()) return;
  const emit = process.emit as (event: string | symbol, ...args: unknown[]) => boolean;
  const observed = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== EVENT) return emit.call(process, event, ...args);
    restore?.();
    let hasThrown = true;
    // Not caught and thrown again: Node would print this line as the one that threw.
    try {
      const hasListeners = emit.call(process, event, ...args);
      hasThrown = false;
      return hasListeners;
    } finally {
      if (hasThrown) guard('storing after a listener has thrown', () => client.storeUnsent());
    }
  };
  // The application may have made it read-only.
  const restore = guard('process.emit', () => replaceMethod(process, 'emit', observed));
}
