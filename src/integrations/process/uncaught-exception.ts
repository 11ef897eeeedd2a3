import { isMainThread } from 'node:worker_threads';
import { getClient, getCurrentScope } from '../../context/current-scopes.js';
import { reportFailure } from '../../internal/guard.js';
import { readOptions } from '../../internal/read-options.js';
import type { Client, Integration } from '../../model/contracts.js';
import { exitAfterClose, printFatal } from './fatal-exit.js';

/** Options of {@link onUncaughtExceptionIntegration}. */
export interface UncaughtExceptionOptions {
  /** Ends the process also where the application listens for uncaught exceptions itself. @default false */
  exitEvenIfOtherHandlersAreRegistered?: boolean | undefined;
  /** Called in place of printing the error and ending the process. */
  onFatalError?: ((error: unknown) => void) | undefined;
}

const EVENT = 'uncaughtException';
const MONITOR_EVENT = 'uncaughtExceptionMonitor';

/**
 * Captures exceptions that nobody caught, on the main thread. Where the application does not listen for them itself, the
 * process ends as it would without the SDK, only after the event has left.
 *
 * Observes through the monitor event, and listens only from the moment an exception ends the process: until then,
 * other code that asks who listens sees what it would see without the SDK.
 */
export function onUncaughtExceptionIntegration(options?: UncaughtExceptionOptions): Integration {
  const { exitEvenIfOtherHandlersAreRegistered = false, onFatalError } = readOptions(options, {
    exitEvenIfOtherHandlersAreRegistered: 'boolean',
    onFatalError: 'function',
  });
  return {
    name: 'OnUncaughtException',
    setup(client) {
      if (!isMainThread) return undefined;
      const end = createEnd(client, onFatalError);
      const observe = (error: unknown) => {
        if (getClient() !== client) return;
        const isFatal = exitEvenIfOtherHandlersAreRegistered || !isHandledByApplication(end);
        client.captureException(error, MECHANISM, getCurrentScope());
        // Node asks for listeners after the monitors have run. With at least one it leaves the process alive.
        if (isFatal && !process.listeners(EVENT).includes(end)) process.once(EVENT, end);
      };
      process.on(MONITOR_EVENT, observe);
      return () => process.off(MONITOR_EVENT, observe);
    },
  };
}

const MECHANISM = {
  mechanism: { type: 'auto.node.onuncaughtexception', handled: false },
  captureContext: { level: 'fatal' },
} as const;

/** What happens to the process: the first exception ends it, further ones are printed and wait for the same end. */
function createEnd(client: Client, onFatalError: UncaughtExceptionOptions['onFatalError']): (error: unknown) => void {
  let isEnding = false;
  let isLeftToHost = onFatalError !== undefined;
  return (error) => {
    if (isLeftToHost) {
      // Whatever it does: a process that fails again after it is not in its hands any more.
      isLeftToHost = false;
      if (survives(() => onFatalError?.(error))) return;
    }
    printFatal(error);
    if (isEnding) return;
    isEnding = true;
    exitAfterClose(client);
  };
}

function survives(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    reportFailure('onFatalError', error);
    return false;
  }
}

function isHandledByApplication(own: (error: unknown) => void): boolean {
  return process.hasUncaughtExceptionCaptureCallback() || process.listeners(EVENT).some((listener) => listener !== own);
}
