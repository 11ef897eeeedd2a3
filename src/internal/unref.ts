/**
 * Lets the process end while a timer runs. What stands in the place of Node's timers may return a number, as in the
 * environment `jsdom` of Jest.
 */
export function unref<T>(timer: T & { unref?(): unknown }): T {
  if (typeof timer?.unref === 'function') timer.unref();
  return timer;
}
