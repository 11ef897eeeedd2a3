import { guardOwn } from '../guard.js';
import { listenToProcess } from './own-listeners.js';

/**
 * Calls a function when the event loop has run empty: after the listeners for `beforeExit`, in which the application may
 * still end spans and capture. What is registered last is called first.
 *
 * @returns a function that removes the listener
 */
export function onBeforeExit(run: () => void): () => void {
  return listenToProcess('beforeExit', () => queueMicrotask(() => guardOwn('the end of the event loop', run)), true);
}
