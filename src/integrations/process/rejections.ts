import { isOwnListener, listenToProcess } from '../../internal/node/own-listeners.js';

/**
 * Node handles an unhandled rejection according to `--unhandled-rejections` and to the listeners. The SDK's listeners
 * must not count: Node would consider the rejection handled, and the process would continue where it should have ended.
 */

const EVENT = 'unhandledRejection';
const OPTION = /(?:^|\s)--unhandled-rejections[=\s]["']?([\w-]+)/g;

type Listener = (reason: unknown) => void;

/** Values of Node's option `--unhandled-rejections`. */
type RejectionMode = 'throw' | 'strict' | 'warn' | 'warn-with-error-code' | 'none';

/** Node's mode. Its command line overrides `NODE_OPTIONS`, and a later option overrides an earlier one. */
export function readRejectionMode(): RejectionMode {
  const options = `${process.env['NODE_OPTIONS'] ?? ''} ${process.execArgv.join(' ')}`;
  return ([...options.matchAll(OPTION)].at(-1)?.[1] ?? 'throw') as RejectionMode;
}

/** Adds a listener that does not count as the application's. @returns removes it */
export function observeRejections(listener: Listener): () => void {
  return listenToProcess(EVENT, listener);
}

/** Rejections no longer end the process or make Node warn: it is ending already. */
export function ignoreRejections(): void {
  if (!process.listeners(EVENT).includes(doNothing)) observeRejections(doNothing);
}

function doNothing(): void {}

/** Whether the application listens for unhandled rejections. */
export function isRejectionHandledByApplication(): boolean {
  return process.listeners(EVENT).some((one) => !isOwnListener(one));
}

/** Whether a listener is the last one that Node calls. */
export function isLastObserver(listener: Listener): boolean {
  return process.listeners(EVENT).at(-1) === listener;
}

/**
 * Rejects again, in order, without the SDK's listeners, so that Node does what it would have done without the SDK.
 *
 * @returns adds the listeners again, except those removed for good
 */
export function rejectUnobserved(reasons: readonly unknown[]): () => void {
  const removed = process.listeners(EVENT).filter(isOwnListener);
  for (const one of removed) process.off(EVENT, one);
  // biome-ignore lint/nursery/noFloatingPromises: nobody is to handle it
  for (const reason of reasons) Promise.reject(reason);
  return () => {
    for (const one of removed) if (isOwnListener(one)) process.on(EVENT, one);
  };
}
