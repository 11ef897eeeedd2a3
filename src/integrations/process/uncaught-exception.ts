import { isMainThread } from 'node:worker_threads';
import { getClient, getCurrentScope } from '../../context/current-scopes.js';
import { runInThrowingRequest } from '../../context/request/throwing-request.js';
import { guard, guardOwn } from '../../internal/guard.js';
import { listenToProcess } from '../../internal/node/own-listeners.js';
import { leaveProcess } from '../../internal/node/process-exit.js';
import { readOptions } from '../../internal/options/read-options.js';
import { replaceMethod } from '../../internal/patching/replace-method.js';
import type { Integration } from '../../model/contracts.js';
import type { InnerClient } from '../../model/inner-client.js';
import { type ExceptionListener, FatalExit, hasApplicationListener } from './fatal-exit.js';
import { ignoreRejections } from './rejections.js';
import { noteWorkerError } from './worker-errors.js';

/** Options of {@link onUncaughtExceptionIntegration}. */
export interface UncaughtExceptionOptions {
  /** Ends the process even if the application listens for uncaught exceptions. @default false */
  exitEvenIfOtherHandlersAreRegistered?: boolean | undefined;
  /** Called instead of printing the error and ending the process. */
  onFatalError?: ((error: unknown) => void) | undefined;
}

const EVENT = 'uncaughtException';
const MONITOR_EVENT = 'uncaughtExceptionMonitor';
/** Origin of rejections that Node raises as exceptions. */
const REJECTION = 'unhandledRejection';

/**
 * Captures uncaught exceptions. If the application does not listen for them, the process or worker thread ends as it would
 * without the SDK, after the event was sent.
 *
 * Uses the monitor event, and adds an `uncaughtException` listener only when an exception ends the process. Until then,
 * code that inspects the listeners sees the same as without the SDK.
 */
export function onUncaughtExceptionIntegration(options?: UncaughtExceptionOptions): Integration {
  const { exitEvenIfOtherHandlersAreRegistered, onFatalError } = readOptions(
    'onUncaughtExceptionIntegration',
    options,
    { exitEvenIfOtherHandlersAreRegistered: false },
    { onFatalError: 'function' },
  );
  return {
    name: 'OnUncaughtException',
    setup(client: InnerClient) {
      const exit = client.stateOf(FatalExit);
      let stopEnding: () => void = () => undefined;
      let handle = onFatalError;
      const end: ExceptionListener = (error, origin) => {
        stopEnding();
        const callback = handle;
        // Called once, even if the process fails again while it ends.
        handle = undefined;
        const hasReturned =
          callback &&
          guard('onFatalError', () => {
            callback(error);
            return true;
          });
        if (hasReturned) return;
        // In `strict` mode, Node would otherwise also warn about an unhandled rejection.
        if (origin === REJECTION) ignoreRejections();
        exit.byException(error);
      };
      if (onFatalError) exit.hasHandler = true;
      const capture = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
        if (getClient() !== client || exit.isDue || exit.isOverdue) return;
        const isFatal = exitEvenIfOtherHandlersAreRegistered || !hasApplicationListener();
        const isIgnored = exit.isCapturedRejection(error) || (origin === REJECTION && exit.isIgnored(error));
        if (!isIgnored) client.captureException(error, HINT, getCurrentScope());
        if (exit.isLeftToExit()) {
          if (!isMainThread) noteWorkerError();
          // The listener that stores what is unsent may come after the one that has failed.
          leaveProcess();
          return;
        }
        // Node looks for listeners after the monitors have run. If there is one, the process stays alive.
        if (isFatal && !process.listeners(EVENT).includes(end)) stopEnding = listenToProcess(EVENT, end);
        if (hasApplicationListener()) storeIfListenerThrows();
      };
      const observe: ExceptionListener = (error, origin) => runInThrowingRequest(() => capture(error, origin));
      return listenToProcess(MONITOR_EVENT, observe);
    },
  };
}

const HINT = {
  mechanism: { type: 'auto.node.onuncaughtexception', handled: false },
  captureContext: { level: 'fatal' },
} as const;

/**
 * Stores what is unsent if a listener for the exception that Node is about to announce throws: Node then ends the process
 * with status 7 and runs no further code, not even listeners for `exit`. Only the call of the listeners shows it.
 */
function storeIfListenerThrows(): void {
  // Node calls this in place of listeners.
  if (process.hasUncaughtExceptionCaptureCallback()) return;
  // Since Node 26, there may be callbacks that do not show: that of the previous exception was then called in place of listeners.
  restoreEmit();
  const emit = process.emit as (event: string | symbol, ...args: unknown[]) => boolean;
  const observed = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== EVENT) return emit.call(process, event, ...args);
    restoreEmit();
    let hasThrown = true;
    // Not caught and thrown again: Node would print this line as the one that threw.
    try {
      const hasListeners = emit.call(process, event, ...args);
      hasThrown = false;
      return hasListeners;
    } finally {
      if (hasThrown) leaveProcess();
    }
  };
  // The application may have made it read-only.
  restoreEmit = guardOwn('process.emit', () => replaceMethod(process, 'emit', observed), restoreEmit);
}

/** Undoes what {@link storeIfListenerThrows} has replaced. */
let restoreEmit: () => void = () => undefined;
