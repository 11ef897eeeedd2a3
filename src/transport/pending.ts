import { runDetached } from '../internal/run-detached.js';

/** Promises under way. One that rejects is logged, and waiting does not fail. */
export class Pending {
  readonly #promises = new Set<Promise<unknown>>();

  get size(): number {
    return this.#promises.size;
  }

  /** Counts a promise until it is settled. */
  add(promise: Promise<unknown>): void {
    this.#promises.add(promise);
    runDetached(
      'sending',
      promise.finally(() => this.#promises.delete(promise)),
    );
  }

  /** Waits for those that are under way now; what is added later does not count. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#promises);
  }
}
