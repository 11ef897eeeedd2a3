import { guard } from '../guard.js';

/**
 * Calls a function when the event loop has run empty: after the listeners for `beforeExit`, in which the application may
 * still end spans and capture. What is registered last is called first.
 *
 * @returns takes it back
 */
export function onBeforeExit(run: () => void): () => void {
  const listener = () => queueMicrotask(() => guard('the end of the event loop', run));
  process.prependListener('beforeExit', listener);
  return () => process.off('beforeExit', listener);
}
