import { createLogger } from '../internal/diag.js';

const log = createLogger('transport');

/** A set of promises that have not settled yet. One that rejects is logged, and waiting does not fail. */
export class Pending {
  readonly #promises = new Set<Promise<unknown>>();

  get size(): number {
    return this.#promises.size;
  }

  /** Keeps a promise until it settles. */
  add(promise: Promise<unknown>): void {
    this.#promises.add(promise);
    const forget = () => this.#promises.delete(promise);
    promise.then(forget, (error) => {
      forget();
      log.error('sending failed', error);
    });
  }

  /** Waits for the promises of this moment, not for those that are added later. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#promises);
  }
}
