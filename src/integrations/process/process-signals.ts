import { constants } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { getInnerClient } from '../../context/current-scopes.js';
import { isOwnListener, listenToProcess } from '../../internal/node/own-listeners.js';
import { leaveProcess, takeOverExit } from '../../internal/node/process-exit.js';
import { setImmediate } from '../../internal/patching/originals.js';
import { replaceMethod, undoAll } from '../../internal/patching/replace-method.js';
import { runDetached } from '../../internal/run-detached.js';
import { unref } from '../../internal/unref.js';
import type { Integration } from '../../model/contracts.js';
import type { InnerClient } from '../../model/inner-client.js';
import { closeAtEnd, FatalExit } from './fatal-exit.js';

/** Signals that end a process by default, and that orchestrators, terminals and shells send. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

type Signal = (typeof SIGNALS)[number];

/**
 * The first process of a container, which Linux does not end by a signal that it has no listener for: it goes on until
 * SIGKILL, and so does the client.
 */
const FIRST_PROCESS = 1;

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
      const observers = SIGNALS.map((signal) => observe(client, signal));
      return undoAll([...observers.map(({ stop }) => stop), observeOwnSignals(observers)]);
    },
  };
}

/** @returns `start` listens for the signal, if nothing does */
function observe(client: InnerClient, signal: Signal) {
  let isStopped = false;
  let stopListening: () => void = () => undefined;
  const start = () => {
    // First, so that it is gone when the application's listeners are called.
    if (!isStopped && !process.listeners(signal).includes(listener))
      stopListening = listenToProcess(signal, listener, true);
  };
  const stop = () => {
    isStopped = true;
    stopListening();
  };
  const listener = () => {
    stopListening();
    const isOnlyListener = process.listenerCount(signal) === 0;
    // Of several clients, the one whose listener is called last ends the process.
    const current = getInnerClient() ?? client;
    if (isOnlyListener && process.pid !== FIRST_PROCESS) {
      stop();
      endBySignal(current, signal);
      return;
    }
    if (isOnlyListener) runDetached('sending at a signal', current.flush(current.settings.shutdownTimeout));
    unref(setImmediate(start));
  };
  start();
  return { start, stop };
}

/**
 * Applications send a signal to their own process to end it, often at the end of their own listener. Node calls listeners in
 * the next turn of the event loop; if nothing else keeps the process alive, there is none, and the process would end with
 * status 0 because the SDK listens. A listener of the application is not called then without the SDK either.
 */
function observeOwnSignals(observers: readonly ReturnType<typeof observe>[]): () => void {
  const { kill } = process;
  const observedKill: typeof kill = (pid, signal) => {
    if (pid === process.pid) {
      for (const observer of observers) observer.start();
      // Two turns, because the first immediate may still run in this turn, before Node reads signals.
      if (wouldEndProcess(signal)) setImmediate(() => setImmediate(() => undefined));
    }
    return kill.call(process, pid, signal);
  };
  return replaceMethod(process, 'kill', observedKill);
}

/** Whether only the SDK listens for a signal that ends a process. */
function wouldEndProcess(sent: string | number = 'SIGTERM'): boolean {
  const signal = SIGNALS.find((one) => sent === one || sent === constants.signals[one]);
  return signal !== undefined && process.listeners(signal).every(isOwnListener);
}

function endBySignal(client: InnerClient, signal: Signal): void {
  const raise = () => {
    for (const one of SIGNALS) process.off(one, raise);
    // The application may have begun to listen meanwhile.
    process.removeAllListeners(signal);
    // It may be of another copy of the package, which has its own list.
    client.storeUnsent();
    leaveProcess();
    process.kill(process.pid, signal);
  };
  // A second signal ends the process at once.
  for (const one of SIGNALS) process.on(one, raise);
  // It ends over an error already, which is still to be printed.
  if (client.stateOf(FatalExit).isEnding) return;
  // Without the SDK, the signal would have ended the process by now, whatever status the application ends it with meanwhile.
  takeOverExit((status, callListeners) => {
    raise();
    callListeners(status);
  });
  runDetached('ending the process by a signal', closeAtEnd(client).then(raise));
}
