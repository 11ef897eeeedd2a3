import { MAX_TIMER_MILLIS } from './clock.js';
import { clearInterval, clearTimeout, setInterval, setTimeout } from './patching/originals.js';

/**
 * Waits for a promise, but no longer than the timeout. The timer keeps the process alive, because what we wait for (an
 * unref'd socket, for example) may not.
 *
 * @param timeoutMillis `undefined` waits until the promise settles; 0 does not wait
 * @returns whether the promise settled in time; never rejects
 */
export async function settlesWithin(
  promise: PromiseLike<unknown>,
  timeoutMillis: number | undefined,
): Promise<boolean> {
  const { promise: expired, cancel } = createTimer(timeoutMillis);
  const settled = Promise.resolve(promise).then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, expired]);
  } finally {
    cancel();
  }
}

const KEEP_ALIVE_INTERVAL_MILLIS = 60_000;

function createTimer(timeoutMillis: number | undefined): { promise: Promise<false>; cancel: () => void } {
  const millis = typeof timeoutMillis === 'number' ? Math.max(timeoutMillis, 0) : Number.POSITIVE_INFINITY;
  if (!Number.isFinite(millis)) {
    const keepAlive = setInterval(() => undefined, KEEP_ALIVE_INTERVAL_MILLIS);
    return { promise: new Promise(() => undefined), cancel: () => clearInterval(keepAlive) };
  }
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.min(millis, MAX_TIMER_MILLIS), false);
  });
  return { promise, cancel: () => clearTimeout(timer) };
}
