/** What may stand in a {@link DelayQueue}, in one at a time. */
export class Queueable {
  queue: object | undefined;
  dueMillis = 0;
  next: Queueable | undefined;
  previous: Queueable | undefined;
}

/**
 * Things that wait, all for the same time and in the order in which they came, so that only the first needs a look.
 *
 * A linked list: a `Map`, whose order would do as well, gets slow when its first entries are deleted again and again.
 */
export class DelayQueue<T extends Queueable> {
  readonly #delayMillis: number;
  #first: Queueable | undefined;
  #last: Queueable | undefined;

  constructor(delayMillis: number) {
    this.#delayMillis = delayMillis;
  }

  /** @param item of no queue */
  add(item: T, nowMillis: number): void {
    item.queue = this;
    item.dueMillis = nowMillis + this.#delayMillis;
    item.previous = this.#last;
    if (this.#last) this.#last.next = item;
    else this.#first = item;
    this.#last = item;
  }

  /** Removes an item; one that is elsewhere stays there. */
  delete(item: T): void {
    if (item.queue !== this) return;
    const { next, previous } = item;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    item.queue = item.next = item.previous = undefined;
  }

  /** What has waited longest; with a time, only if it has waited long enough. */
  first(nowMillis = Number.POSITIVE_INFINITY): T | undefined {
    return this.#first && this.#first.dueMillis <= nowMillis ? (this.#first as T) : undefined;
  }
}
