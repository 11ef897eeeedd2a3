import { createLogger } from './diag.js';

const log = createLogger('internal');

/**
 * Takes over a promise that nobody waits for. A rejection is logged; without an owner it would reach the application's
 * `unhandledRejection` and could end the process. The linter rejects every other way to leave a promise alone.
 *
 * @param what names the work in the message, for example `closing the previous client`
 * @param next called with the result; when it throws, that is logged, too. Cheaper than a promise for what follows
 */
export function runDetached<T>(what: string, promise: PromiseLike<T> | undefined, next?: (result: T) => void): void {
  if (promise === undefined) return;
  const report = (error: unknown) => log.error(`${what} failed`, error);
  const proceed = (result: T) => {
    try {
      next?.(result);
    } catch (error) {
      report(error);
    }
  };
  // The detour through `Promise.resolve` also catches a `then` that throws.
  Promise.resolve(promise).then(proceed, report);
}
