import { type Linkable, LinkedSet } from '../../internal/collections/linked-set.js';

/** An item of a {@link DelayQueue}; it can be in one queue at a time. */
export interface Delayed<T> extends Linkable<T> {
  dueMillis: number;
}

/** Items that all wait for the same time, so they expire in order of insertion and only the first has to be checked. */
export class DelayQueue<T extends Delayed<T>> {
  readonly #items = new LinkedSet<T>();
  readonly #delayMillis: number;

  constructor(delayMillis: number) {
    this.#delayMillis = delayMillis;
  }

  /** @param item in no queue yet */
  add(item: T, nowMillis: number): void {
    item.dueMillis = nowMillis + this.#delayMillis;
    this.#items.add(item);
  }

  /** Removes an item; does nothing when it is in another queue. */
  delete(item: T): void {
    this.#items.delete(item);
  }

  /** The oldest item; with a time, only if it has expired by then. */
  first(nowMillis = Number.POSITIVE_INFINITY): T | undefined {
    const { first } = this.#items;
    return first && first.dueMillis <= nowMillis ? first : undefined;
  }
}
