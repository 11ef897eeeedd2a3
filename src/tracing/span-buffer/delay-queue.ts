/** An item of a {@link DelayQueue}; it can be in one queue at a time. */
export class Queueable {
  queue: object | undefined;
  dueMillis = 0;
  next: Queueable | undefined;
  previous: Queueable | undefined;
}

/**
 * Items that all wait for the same time, so they expire in order of insertion and only the first has to be checked.
 *
 * A linked list, because a `Map` gets slow when its first entries are deleted again and again.
 */
export class DelayQueue<T extends Queueable> {
  readonly #delayMillis: number;
  #first: Queueable | undefined;
  #last: Queueable | undefined;

  constructor(delayMillis: number) {
    this.#delayMillis = delayMillis;
  }

  /** @param item in no queue yet */
  add(item: T, nowMillis: number): void {
    item.queue = this;
    item.dueMillis = nowMillis + this.#delayMillis;
    item.previous = this.#last;
    if (this.#last) this.#last.next = item;
    else this.#first = item;
    this.#last = item;
  }

  /** Removes an item; does nothing when it is in another queue. */
  delete(item: T): void {
    if (item.queue !== this) return;
    const { next, previous } = item;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    item.queue = item.next = item.previous = undefined;
  }

  /** The oldest item; with a time, only if it has expired by then. */
  first(nowMillis = Number.POSITIVE_INFINITY): T | undefined {
    return this.#first && this.#first.dueMillis <= nowMillis ? (this.#first as T) : undefined;
  }
}
