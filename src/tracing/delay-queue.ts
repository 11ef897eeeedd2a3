/** Things that wait, all for the same time and in the order in which they came, so that only the first needs a look. */
export class DelayQueue<T> {
  readonly #delayMillis: number;
  readonly #dueMillis = new Map<T, number>();

  constructor(delayMillis: number) {
    this.#delayMillis = delayMillis;
  }

  add(item: T, nowMillis: number): void {
    this.#dueMillis.set(item, nowMillis + this.#delayMillis);
  }

  delete(item: T): void {
    this.#dueMillis.delete(item);
  }

  /** What has waited longest; with a time, only if it has waited long enough. */
  first(nowMillis = Number.POSITIVE_INFINITY): T | undefined {
    for (const [item, dueMillis] of this.#dueMillis) return dueMillis <= nowMillis ? item : undefined;
    return undefined;
  }
}
