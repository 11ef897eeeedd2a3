import { isMainThread } from 'node:worker_threads';
import { settlesWithin } from '../../internal/deadline.js';
import { createLogger } from '../../internal/diag.js';
import { isOwnListener, listenToProcess } from '../../internal/node/own-listeners.js';
import { takeOverExit } from '../../internal/node/process-exit.js';
import { setImmediate } from '../../internal/patching/originals.js';
import { runDetached } from '../../internal/run-detached.js';
import { readProperty, readString } from '../../internal/values/read.js';
import type { Client } from '../../model/contracts.js';
import type { InnerClient } from '../../model/inner-client.js';
import { printFatal } from './print-error.js';
import { ignoreRejections, raisedFor, rejectUnobserved } from './rejections.js';
import { noteWorkerError } from './worker-errors.js';

const FAILURE = 1;
const EXCEPTION = 'uncaughtException';
/** Grace period after `shutdownTimeout`: the process then ends even if the client has not closed. */
const GRACE_MILLIS = 100;

const log = createLogger('fatal-exit');

/** Ends the process or a worker thread after a fatal error. One instance per client. */
export class FatalExit {
  readonly #client: InnerClient;
  /** Set once the process is ending. */
  #deadlineMillis: number | undefined;
  /** Over which the process is ending. */
  #error: unknown;
  #isDue = false;
  #isOverdue = false;
  /** Stops listening for further exceptions. */
  #stopSharing: () => void = () => undefined;
  /** Captured rejections that are left to Node. */
  readonly #left: unknown[] = [];
  /** Whether Node now raises captured rejections as exceptions. */
  #isRaising = false;
  /** Whether a rejection matches the option `ignore`. */
  isIgnored: (reason: unknown) => boolean = () => false;
  /** Whether there is an `onFatalError`, which decides what happens to the process. */
  hasHandler = false;

  constructor(client: InnerClient) {
    this.#client = client;
  }

  /** Whether the client has closed, or had its time: nothing may delay the end any longer. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Whether an error that was not caught has decided how the process ends. */
  get isEnding(): boolean {
    return this.#deadlineMillis !== undefined;
  }

  /** Whether the process would have ended by now without the SDK, so that further errors would not have happened. */
  get isOverdue(): boolean {
    return this.#isOverdue;
  }

  /** Whether an exception is a rejection that was already captured: Node wraps reasons that are not errors. */
  isCapturedRejection(error: unknown): boolean {
    return this.#isRaising && readProperty(error, 'code') === 'ERR_UNHANDLED_REJECTION';
  }

  /** Whether the application decides what happens to the process after an uncaught exception. */
  isLeftToApplication(): boolean {
    return this.hasHandler || hasApplicationListener();
  }

  /**
   * Whether the process exits already, and a listener for `exit` has failed: Node then ends it with the status that it has,
   * and calls no further listener.
   */
  isLeftToExit(): boolean {
    return isExiting() && !this.isLeftToApplication();
  }

  /**
   * Ends the process over an uncaught exception once the client has closed; a worker thread ends alone. Further exceptions
   * share that end. If they keep the event loop from reaching it, the first one after the deadline ends the process.
   */
  byException(error: unknown): void {
    if (this.#deadlineMillis === undefined) {
      if (isMainThread) printFatal(error);
      this.#endAfterClose(error, endNow);
      return;
    }
    if (performance.now() > this.#deadlineMillis) this.#becomeDue();
    if (this.#isDue) endNow(this.#error);
  }

  /**
   * Closes the client and then lets Node end the process over an unhandled rejection: Node prints it, emits `exit` and
   * sets the status as without the SDK.
   */
  byRejection(reason: unknown): void {
    this.#endAfterClose(raisedFor(reason), () => rejectUnobserved([reason]), printFatal);
  }

  /**
   * Lets Node do what it would have done about a captured rejection, after it has announced all rejections of this turn: later
   * ones would find no listener of the SDK.
   */
  leaveToNode(reason: unknown): void {
    this.#left.push(reason);
    if (this.#left.length > 1) return;
    const raise = () => {
      this.#isRaising = true;
      const observeAgain = rejectUnobserved(this.#left.splice(0));
      // By then, Node has handled the rejections.
      setImmediate(() => {
        this.#isRaising = false;
        observeAgain();
      });
    };
    // Node runs no further ticks while it exits.
    if (isExiting()) raise();
    else process.nextTick(raise);
  }

  /**
   * Closes the client, waits for `shutdownTimeout` at most, and ends the process. Events captured meanwhile are sent if
   * time permits. No-op if the process is already ending.
   *
   * @param endProcess called once the client has closed
   * @param print called if the application ends the process before
   */
  #endAfterClose(
    error: unknown,
    endProcess: (error: unknown) => void,
    print: (error: unknown) => void = () => undefined,
  ): void {
    if (this.#deadlineMillis !== undefined) return;
    this.#error = error;
    this.#deadlineMillis = performance.now() + this.#client.settings.shutdownTimeout + GRACE_MILLIS;
    if (!isMainThread) noteWorkerError();
    // No other code may end the process with status 0 while the client is closing.
    process.exitCode = FAILURE;
    // Beside a listener of the application, the process would go on without the SDK, and might end with any status.
    if (!hasApplicationListener()) {
      this.#isOverdue = true;
      this.#keepStatus(error, print);
      // Closing removes the listeners of the integrations, and further errors must not end the process earlier.
      ignoreRejections();
      this.#stopSharing = listenToProcess(EXCEPTION, (error) => this.byException(error));
      log.debug(
        'uncaught exceptions and unhandled rejections are no longer captured or printed: the process is ending because of one, and without the SDK no others would happen',
      );
    }
    const closed = closeAtEnd(this.#client).then(() => {
      this.#becomeDue();
      endProcess(error);
    });
    runDetached('ending the process', closed);
  }

  /** From now on, an exception ends the process. */
  #becomeDue(): void {
    this.#isDue = true;
    this.#stopSharing();
  }

  /**
   * Without the SDK, the process would have ended by now: when the application ends it meanwhile, for example by
   * `process.exit(0)`, it ends as it would have then. Listeners for `exit` may still set another status.
   */
  #keepStatus(error: unknown, print: (error: unknown) => void): void {
    takeOverExit((_, callListeners) => {
      const isEarly = !this.#isDue;
      this.#becomeDue();
      if (isEarly && isMainThread) print(error);
      process.exitCode = FAILURE;
      try {
        callListeners(FAILURE);
      } catch {
        // After an uncaught exception, Node ignores what they throw.
      }
      if (isEarly && !isMainThread) raiseInParent(error);
    });
  }
}

function endNow(error: unknown): void {
  if (isMainThread || hasApplicationListener()) exitWithFailure();
  raiseInParent(error);
}

/**
 * Ends a worker thread by an exception, so that its parent gets it as without the SDK. Calls what Node calls for each uncaught
 * exception: if it was thrown, the thread could exit or fail again before, and a thread that exits already could not throw it.
 */
function raiseInParent(error: unknown): void {
  const { _fatalException: raise } = process as { _fatalException?: (error: unknown) => unknown };
  if (raise) raise.call(process, error);
  else exitWithFailure();
}

/** Whether Node emits `exit`, or has emitted it. */
function isExiting(): boolean {
  return readProperty(process, '_exiting') === true;
}

/** After an uncaught exception, Node ignores what listeners for `exit` throw. */
function exitWithFailure(): void {
  try {
    process.exit(FAILURE);
  } catch {
    // Does not emit `exit` again, and keeps the status that a listener has set.
    process.exit();
  }
}

export type ExceptionListener = (error: Error, origin: NodeJS.UncaughtExceptionOrigin) => void;

/** Whether the application handles uncaught exceptions: it listens for them, or a REPL handles the present one. */
export function hasApplicationListener(): boolean {
  const isHandled = process.listeners(EXCEPTION).some((one) => !isOwnListener(one));
  return isHandled || process.hasUncaughtExceptionCaptureCallback() || isLeftToRepl();
}

/**
 * Whether a REPL handles the present error. Since Node 26, it does so without a domain. One that an application has started
 * shows only when a listener is added for an error of what was typed into it: that throws. That of `node -i` calls listeners.
 */
function isLeftToRepl(): boolean {
  if (process.argv.length === 1 && readString(readProperty(globalThis, 'module'), 'id') === '<repl>') return true;
  const probe = (): void => undefined;
  try {
    process.on(EXCEPTION, probe);
    process.off(EXCEPTION, probe);
    return false;
  } catch {
    return true;
  }
}

/**
 * Closes the client at the end of the process, within `shutdownTimeout`. While it sends, errors are captured still.
 *
 * @returns settles after the grace period, even if the client has not closed; never rejects
 */
export function closeAtEnd(client: Client): Promise<unknown> {
  const { shutdownTimeout } = client.settings;
  const deadline = performance.now() + shutdownTimeout;
  const closed = client.flush(shutdownTimeout).then(() => client.close(deadline - performance.now()));
  return settlesWithin(closed, shutdownTimeout + GRACE_MILLIS);
}
