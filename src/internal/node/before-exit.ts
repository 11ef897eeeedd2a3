import { guardOwn } from '../guard.js';
import { listenToProcess } from './own-listeners.js';

/**
 * Calls a function when the event loop has run empty: after the listeners for `beforeExit`, in which the application may
 * still end spans and capture. What is registered last is called first.
 *
 * @returns a function after which it is not called any more
 */
export function onBeforeExit(run: () => void): () => void {
  let isStopped = false;
  const runUnlessStopped = () => isStopped || run();
  const listener = () => queueMicrotask(() => guardOwn('the end of the event loop', runUnlessStopped));
  const stop = listenToProcess('beforeExit', listener, true);
  return () => {
    isStopped = true;
    stop();
  };
}
