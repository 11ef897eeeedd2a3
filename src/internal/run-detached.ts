import { createLogger } from './diag.js';

const log = createLogger('internal');

/**
 * Takes over a promise that nobody waits for. A rejection is logged; without an owner it would reach the application's
 * `unhandledRejection` and could end the process. The linter rejects every other way to leave a promise alone.
 *
 * @param what names the work in the message, for example `closing the previous client`
 */
export function runDetached(what: string, promise: PromiseLike<unknown> | undefined): void {
  if (promise === undefined) return;
  // The detour through `Promise.resolve` also catches a `then` that throws.
  Promise.resolve(promise).then(undefined, (error) => log.error(`${what} failed`, error));
}
