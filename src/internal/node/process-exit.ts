import { guardOwn } from '../guard.js';
import { replaceMethod } from '../patching/replace-method.js';
import { listenToProcess } from './own-listeners.js';

/**
 * Functions to call when the process ends. All clients share one list: if each wrapped `reallyExit`, only the last one could
 * unwrap it, and more than ten listeners, as when many clients are replaced in one tick, would make Node warn of a leak.
 */
const beforeLeaving = new Set<() => void>();
/** Runs them. Our code calls it before it ends the process in a way that emits no `exit`, such as a signal. */
export const leaveProcess = (): void => {
  for (const run of beforeLeaving) run();
};
let observed: unknown;
let restore: () => void = () => undefined;
let stopListening: () => void = () => undefined;

/**
 * Calls a function at the end of the process: as the first listener for `exit`, else as the last thing that `process.exit()`
 * does. An earlier listener that calls `process.exit()` ends the process at once, and applications may remove all
 * listeners. If the function itself ends the process, it is called again.
 *
 * @returns a function that removes the listener, and the wrapper once nobody else needs it
 */
export function onProcessExit(run: () => void): () => void {
  let hasRun = false;
  const runOnce = () => {
    if (hasRun) return;
    run();
    hasRun = true;
  };
  beforeLeaving.add(runOnce);
  stopListening();
  stopListening = listenToProcess('exit', leaveProcess, true);
  // The application may have made it read-only.
  guardOwn('process.reallyExit', observeLeaving);
  return () => {
    // Others may have replaced `reallyExit` since, and still call the function that stood there.
    beforeLeaving.delete(runOnce);
    if (beforeLeaving.size > 0) return;
    stopListening();
    restore();
  };
}

/** Node calls `reallyExit` through the property, for those who replace it. */
function observeLeaving(): void {
  const { reallyExit } = process as { reallyExit?: (code?: number) => never };
  if (typeof reallyExit !== 'function' || reallyExit === observed) return;
  observed = function (this: unknown, ...args: [code?: number]): never {
    leaveProcess();
    return reallyExit.apply(this, args);
  };
  restore = replaceMethod(process, 'reallyExit', observed);
}

/**
 * Decides what happens when the process ends, in place of its listeners for `exit`. They get the status from Node, so that a
 * listener cannot change it for those that follow.
 *
 * @param end gets the status that the process would end with, and calls the listeners with one
 */
export function takeOverExit(end: (status: unknown, callListeners: (status: unknown) => void) => void): void {
  const emit = process.emit as (event: string | symbol, ...args: unknown[]) => boolean;
  const observed = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== 'exit') return emit.call(process, event, ...args);
    end(args[0], (status) => emit.call(process, event, status));
    return true;
  };
  // The application may have made it read-only.
  guardOwn('process.emit', () => replaceMethod(process, 'emit', observed));
}
