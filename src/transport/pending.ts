/** Promises under way. None of them may reject. */
export class Pending {
  readonly #promises = new Set<Promise<unknown>>();

  get size(): number {
    return this.#promises.size;
  }

  /** Counts a promise until it is settled. */
  add<T>(promise: Promise<T>): Promise<T> {
    this.#promises.add(promise);
    void promise.then(() => this.#promises.delete(promise));
    return promise;
  }

  /** Waits for those that are under way now; what is added later does not count. */
  async settled(): Promise<void> {
    await Promise.all(this.#promises);
  }
}
