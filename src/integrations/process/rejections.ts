import { guardOwn } from '../../internal/guard.js';
import { isOwnListener, listenToProcess } from '../../internal/node/own-listeners.js';
import { classNameOf } from '../../internal/values/placeholders.js';
import { isObject } from '../../internal/values/read.js';

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

/** The exception that Node raises for a rejection: an error that says so in place of a reason without a stack. */
export function raisedFor(reason: unknown): unknown {
  if (guardOwn('a rejection', () => isObject(reason) && Object.hasOwn(reason, 'stack'), true)) return reason;
  const text = guardOwn('a rejection', () => describeReason(reason), '[object Object]');
  const name = 'UnhandledPromiseRejection';
  const message = `This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${text}".`;
  return Object.assign(new Error(message), { name, stack: `${name}: ${message}`, code: 'ERR_UNHANDLED_REJECTION' });
}

/** Much as V8 does it, without calling anything of the application. */
function describeReason(reason: unknown): string {
  if (!isObject(reason)) return String(reason);
  const name = Array.isArray(reason) ? undefined : classNameOf(reason);
  return name === undefined ? Object.prototype.toString.call(reason) : `#<${name}>`;
}
