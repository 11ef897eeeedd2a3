import { isMainThread } from 'node:worker_threads';
import { threadMemory } from '../internal/node/thread-memory.js';
import type { Settings } from '../model/options.js';

const KEY = 'faultline.main-thread';

/** Tells the threads that start from now on whether the client of the main thread captures, and says what is wrong. */
export function noteClientOfMainThread({ enabled, quiet }: Pick<Settings, 'enabled' | 'quiet'>): void {
  const memory = isMainThread ? threadMemory(KEY, 1) : undefined;
  if (memory) memory[0] = Number(enabled && !quiet);
}

/** Whether this is a thread of a process whose main thread has such a client. */
export function hasClientInMainThreadOnly(): boolean {
  return !isMainThread && threadMemory(KEY, 1)?.[0] === 1;
}
