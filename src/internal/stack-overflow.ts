import { AsyncResource } from 'node:async_hooks';
import { isInstance, readProperty } from './values/read.js';

/** Calls that must still fit on the stack: far more than the waiting functions need. */
const NEEDED_CALLS = 2000;

let waiting: (() => void)[] = [];

export function isStackOverflow(error: unknown): boolean {
  return isInstance(error, RangeError) && readProperty(error, 'message') === 'Maximum call stack size exceeded';
}

/**
 * Runs a function as soon as the stack has room for it: now, at a later call from further up the stack, or in a microtask.
 * Code fails at the end of the stack; V8 even aborts the process when it has to compile a regular expression there, and
 * promises of Node's that fail there keep the process from ending.
 *
 * @returns its result; `undefined` if it runs later
 * @throws RangeError if there is not even room for that: the caller's caller may have it
 */
export function runWithRoom<T>(run: () => T): T | undefined {
  if (hasRoom(NEEDED_CALLS)) {
    runWaiting();
    return run();
  }
  const bound = AsyncResource.bind(run);
  queueMicrotask(runWaiting);
  waiting.push(bound);
  return undefined;
}

function runWaiting(): void {
  const runs = waiting;
  waiting = [];
  for (const run of runs) run();
}

function hasRoom(calls: number): boolean {
  try {
    return calls === 0 || hasRoom(calls - 1);
  } catch {
    return false;
  }
}
