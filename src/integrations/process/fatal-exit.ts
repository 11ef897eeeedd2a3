import { isMainThread } from 'node:worker_threads';
import { settlesWithin } from '../../internal/deadline.js';
import { runDetached } from '../../internal/run-detached.js';
import { readProperty } from '../../internal/values/read.js';
import type { Client } from '../../model/contracts.js';
import { printFatal } from './print-error.js';
import { ignoreRejections, rejectUnobserved } from './rejections.js';
import { noteWorkerError } from './worker-errors.js';

const FAILURE = 1;
/** Grace period after `shutdownTimeout`: the process then ends even if the client has not closed. */
const GRACE_MILLIS = 100;
/** Limit of exceptions printed while the client closes. Further ones are only captured. */
const MAX_PRINTED = 10;

/** A pending end of the process, which waits until the client has closed. */
interface End {
  readonly deadlineMillis: number;
  exceptions: number;
  /** Whether the client has closed or its timeout is over. */
  isDue: boolean;
}

const ends = new WeakMap<Client, End>();

/**
 * Ends the process over an uncaught exception once the client has closed; a worker thread ends alone. Further exceptions
 * share that end. If they keep the event loop from reaching it, the first one after the deadline ends the process.
 */
export function endByException(client: Client, error: unknown): void {
  const end = ends.get(client);
  if (end === undefined) {
    if (isMainThread) printFatal(error);
    endAfterClose(client, () => endNow(error));
    return;
  }
  end.exceptions += 1;
  if (isMainThread && end.exceptions <= MAX_PRINTED) printFatal(error);
  if (performance.now() > end.deadlineMillis) end.isDue = true;
  if (end.isDue) endNow(error);
}

/** A worker raises the exception again, now unobserved, so that its parent gets it as without the SDK. */
function endNow(error: unknown): void {
  if (isMainThread || hasApplicationListener()) process.exit(FAILURE);
  setImmediate(() => {
    throw error;
  });
}

/**
 * Closes the client and then lets Node end the process over an unhandled rejection: Node prints it, emits `exit` and
 * sets the status as without the SDK.
 */
export function endByRejection(client: Client, reason: unknown): void {
  // Closing removes the integration's listener, and further rejections must not end the process earlier.
  ignoreRejections();
  endAfterClose(client, () => rejectUnobserved(reason));
}

/**
 * Closes the client, waits for `shutdownTimeout` at most, and ends the process. Events captured meanwhile are sent if
 * time permits. No-op if the process is already ending.
 *
 * @param endProcess called once the client has closed
 */
function endAfterClose(client: Client, endProcess: () => void): void {
  if (ends.has(client)) return;
  const { shutdownTimeout } = client.settings;
  const timeoutMillis = shutdownTimeout + GRACE_MILLIS;
  const end: End = { deadlineMillis: performance.now() + timeoutMillis, exceptions: 1, isDue: false };
  ends.set(client, end);
  if (!isMainThread) noteWorkerError();
  // No other code may end the process with status 0 while the client is closing.
  process.exitCode = FAILURE;
  const closed = settlesWithin(closeWithin(client, shutdownTimeout), timeoutMillis).then(() => {
    end.isDue = true;
    endProcess();
  });
  runDetached('ending the process', closed);
}

/** Whether the client has closed and the process is about to end: nothing may delay it any longer. */
export function isEndDue(client: Client): boolean {
  return ends.get(client)?.isDue === true;
}

const raising = new WeakSet<Client>();

/** Remembers that Node now raises a captured rejection as an exception. */
export function setRaising(client: Client, isRaising: boolean): void {
  if (isRaising) raising.add(client);
  else raising.delete(client);
}

/** Whether an exception is a rejection that was already captured: Node wraps reasons that are not errors. */
export function isCapturedRejection(client: Client, error: unknown): boolean {
  return raising.has(client) && readProperty(error, 'code') === 'ERR_UNHANDLED_REJECTION';
}

const ownListeners = new WeakSet<ExceptionListener>();
/** Clients with an `onFatalError`, which decides what happens to the process. */
const clientsWithHandler = new WeakSet<Client>();

export type ExceptionListener = (error: Error, origin: NodeJS.UncaughtExceptionOrigin) => void;

/** Remembers a listener for uncaught exceptions that does not count as the application's. */
export function markOwnListener(client: Client, listener: ExceptionListener, hasHandler: boolean): void {
  ownListeners.add(listener);
  if (hasHandler) clientsWithHandler.add(client);
}

/** Whether the application decides what happens to the process after an uncaught exception. */
export function isExceptionHandledByApplication(client: Client): boolean {
  return clientsWithHandler.has(client) || hasApplicationListener();
}

/** Whether the application listens for uncaught exceptions. */
export function hasApplicationListener(): boolean {
  const listeners = process.listeners('uncaughtException') as ExceptionListener[];
  return process.hasUncaughtExceptionCaptureCallback() || listeners.some((one) => !ownListeners.has(one));
}

async function closeWithin(client: Client, timeoutMillis: number): Promise<void> {
  const deadline = performance.now() + timeoutMillis;
  await client.flush(timeoutMillis);
  await client.close(deadline - performance.now());
}
