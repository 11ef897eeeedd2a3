import { threadId } from 'node:worker_threads';
import { threadMemory } from '../../internal/node/thread-memory.js';

/**
 * An error that ends a worker thread is seen twice: in the worker, whose client knows its scopes, and in the thread that
 * started it. The worker notes its id in memory that all threads share before the other thread receives the error.
 */

const KEY = 'faultline.worker_errors';
/** Ids are unique, and an id is read shortly after it was noted. */
const MAX_NOTED = 256;

/** Lets workers that are started from now on, and their workers, note that they have captured the error that ends them. */
export function shareWorkerErrors(): Int32Array | undefined {
  return threadMemory(KEY, MAX_NOTED);
}

/** Notes that this thread has captured the error that ends it. */
export function noteWorkerError(): void {
  const ids = shareWorkerErrors();
  if (ids) Atomics.store(ids, threadId % MAX_NOTED, threadId);
}

/** Whether a worker has captured the error that ended it. */
export function isWorkerErrorNoted(workerThreadId: number): boolean {
  const ids = shareWorkerErrors();
  return ids !== undefined && Atomics.load(ids, workerThreadId % MAX_NOTED) === workerThreadId;
}
