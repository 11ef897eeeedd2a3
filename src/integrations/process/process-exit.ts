import { getClient } from '../../context/current-scopes.js';
import { listenToProcess } from '../../internal/node/own-listeners.js';
import { runDetached } from '../../internal/run-detached.js';
import type { Integration } from '../../model/contracts.js';
import type { LedgerView } from '../../model/delivery/ledger.js';
import type { InnerClient } from '../../model/inner-client.js';

/**
 * Sends pending events of a script that has finished, and what earlier processes have stored. Delays the end of the
 * process for `shutdownTimeout` at most, in total.
 *
 * Works before the exit, while sending is possible. At `process.exit()` itself, the client stores what is unsent.
 */
export function processExitIntegration(): Integration {
  return {
    name: 'ProcessExit',
    setup(client: InnerClient) {
      let remainingMillis = client.settings.shutdownTimeout;
      let seen: number | undefined;

      const flush = async () => {
        const begin = performance.now();
        await client.flush(remainingMillis);
        remainingMillis -= performance.now() - begin;
      };
      // Node emits the event again after each flush, because the flush was new work. If other listeners capture
      // something then, do not flush again: they would capture it again, endlessly.
      const listener = () => {
        if (getClient() !== client || remainingMillis <= 0) return;
        const isFirst = seen === undefined;
        const hasNews = quantityCaptured(client.ledger) !== seen;
        // After the other listeners.
        queueMicrotask(() => {
          seen = quantityCaptured(client.ledger);
          const isNeeded = (hasNews && seen > 0) || (isFirst && client.hasStored());
          if (isNeeded) runDetached('the flush at the end of the process', flush());
        });
      };
      return listenToProcess('beforeExit', listener, true);
    },
  };
}

function quantityCaptured(ledger: LedgerView): number {
  return Object.values(ledger.balance()).reduce((sum, { captured }) => sum + captured, 0);
}
