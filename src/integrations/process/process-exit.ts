import { getClient } from '../../context/current-scopes.js';
import { runDetached } from '../../internal/run-detached.js';
import type { Integration } from '../../model/contracts.js';
import type { LedgerView } from '../../model/ledger.js';

const EVENT = 'beforeExit';

/**
 * Sends what was captured last by a script that is done and would end now. Holds the process for `shutdownTimeout` at
 * most, in all.
 */
export function processExitIntegration(): Integration {
  return {
    name: 'ProcessExit',
    setup(client) {
      let remainingMillis = client.settings.shutdownTimeout;
      let isFirst = true;
      let seen = 0;

      const flush = async () => {
        const begin = performance.now();
        await client.flush(remainingMillis);
        remainingMillis -= performance.now() - begin;
      };
      // Node emits the event again after each flush, as there was something to do. What other listeners capture then is
      // no reason to flush once more: they would capture it again for ever.
      const listener = () => {
        if (getClient() !== client || remainingMillis <= 0) return;
        const hasNews = isFirst || quantityCaptured(client.ledger) !== seen;
        isFirst = false;
        // When the other listeners have run.
        queueMicrotask(() => {
          seen = quantityCaptured(client.ledger);
          if (hasNews && seen > 0) runDetached('the flush at the end of the process', flush());
        });
      };
      process.prependListener(EVENT, listener);
      return () => process.off(EVENT, listener);
    },
  };
}

function quantityCaptured(ledger: LedgerView): number {
  return Object.values(ledger.balance()).reduce((sum, { captured }) => sum + captured, 0);
}
