/** Lets the process end while a timer runs. Replaced timers may return a number, as in Jest's `jsdom` environment. */
export function unref<T>(timer: T & { unref?(): unknown }): T {
  if (typeof timer?.unref === 'function') timer.unref();
  return timer;
}
