import { isMainThread } from 'node:worker_threads';
import { getInnerClient } from '../../context/current-scopes.js';
import { settlesWithin } from '../../internal/deadline.js';
import { runDetached } from '../../internal/run-detached.js';
import { undoAll } from '../../internal/undo-all.js';
import type { Integration } from '../../model/contracts.js';
import type { InnerClient } from '../../model/inner-client.js';

/** Those that end a process by default and that orchestrators, terminals and shells send. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

type Signal = (typeof SIGNALS)[number];

/**
 * Sends what was captured before a signal ends the process, for `shutdownTimeout` at most. Then the signal is raised
 * again, so that the process ends with the status that it would have had.
 *
 * If the application listens for the signal, it decides what happens. Its listeners do not see the SDK's: libraries that
 * end the process only if nobody else listens still do so.
 */
export function processSignalsIntegration(): Integration {
  return {
    name: 'ProcessSignals',
    setup(client: InnerClient) {
      if (!isMainThread) return undefined;
      return undoAll(SIGNALS.map((signal) => observe(client, signal)));
    },
  };
}

function observe(client: InnerClient, signal: Signal): () => void {
  let isStopped = false;
  const add = () => {
    // First, so that it is gone when the application's listeners are called.
    if (!isStopped) process.prependListener(signal, listener);
  };
  const listener = () => {
    process.off(signal, listener);
    // Of several clients, the one whose listener is called last ends the process.
    if (process.listenerCount(signal) === 0) endBySignal(getInnerClient() ?? client, signal);
    else setImmediate(add).unref();
  };
  add();
  return () => {
    isStopped = true;
    process.off(signal, listener);
  };
}

function endBySignal(client: InnerClient, signal: Signal): void {
  const raise = () => {
    for (const one of SIGNALS) process.off(one, raise);
    client.storeUnsent();
    process.kill(process.pid, signal);
  };
  // Another signal says that there is no time.
  for (const one of SIGNALS) process.on(one, raise);
  const { shutdownTimeout } = client.settings;
  runDetached(
    'ending the process by a signal',
    settlesWithin(client.close(shutdownTimeout), shutdownTimeout).then(raise),
  );
}
