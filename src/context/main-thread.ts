import { isMainThread } from 'node:worker_threads';
import { threadMemory } from '../internal/node/thread-memory.js';
import type { Settings } from '../model/options.js';

const KEY = 'faultline.threads';
/** Places in the shared memory. */
const HAS_CLIENT = 0;
const ERRORS = 1;

const share = () => threadMemory(KEY, 2);

/** Tells threads that start later whether the main thread has a client that is enabled and not quiet. */
export function noteClientOfMainThread({ enabled, quiet }: Pick<Settings, 'enabled' | 'quiet'>): void {
  const memory = isMainThread ? share() : undefined;
  if (memory) memory[HAS_CLIENT] = Number(enabled && !quiet);
}

/** Whether this is a worker thread, and the main thread of the process has such a client. */
export function hasClientInMainThread(): boolean {
  return !isMainThread && share()?.[HAS_CLIENT] === 1;
}

/** Counts an error that a worker thread has captured, which belongs to the session of the process. */
export function noteErrorOfThread(): void {
  const memory = isMainThread ? undefined : share();
  if (memory) Atomics.add(memory, ERRORS, 1);
}

/** @returns whether worker threads have captured errors since the last call */
export function takeErrorsOfThreads(): boolean {
  const memory = share();
  return memory !== undefined && Atomics.exchange(memory, ERRORS, 0) > 0;
}
