import { AsyncResource } from 'node:async_hooks';
import { isInstance, readProperty } from './values/read.js';

/**
 * Arguments of one call, 8 bytes each, that must still fit on the stack: four times what a capture takes that meets all
 * code for the first time. Each costs a third of a nanosecond for every capture.
 */
const PROBE: readonly number[] = new Array(2500).fill(0);

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
  if (hasRoom()) {
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

/** One call with many arguments: nested calls without any would take up to twice as long for the same room. */
function hasRoom(): boolean {
  try {
    Reflect.apply(ignoreArguments, undefined, PROBE);
    return true;
  } catch {
    return false;
  }
}

function ignoreArguments(): void {}
