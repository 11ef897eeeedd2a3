/** What can be in one {@link LinkedSet} at a time. */
export interface Linkable<T> {
  /** Written by the set that the item is in. */
  link?: Link<T> | undefined;
}

interface Link<T> {
  readonly set: object;
  readonly item: T;
  next: Link<T> | undefined;
  previous: Link<T> | undefined;
}

/**
 * A set in order of insertion, for what comes and goes with each event. Where a `Set` or `Map` grows and shrinks, V8
 * leaves tables behind that refer to the next ones; once such a table is old, no collection of the young generation frees
 * what passes through the set, nor anything that this refers to.
 */
export class LinkedSet<T extends Linkable<T>> implements Iterable<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The item that has been in the set for the longest time. */
  get first(): T | undefined {
    return this.#first?.item;
  }

  has(item: T): boolean {
    return item.link?.set === this;
  }

  /** @param item in no other set */
  add(item: T): void {
    if (this.has(item)) return;
    const link: Link<T> = { set: this, item, next: undefined, previous: this.#last };
    item.link = link;
    if (this.#last) this.#last.next = link;
    else this.#first = link;
    this.#last = link;
    this.#size += 1;
  }

  /** @returns whether the item was in the set */
  delete(item: T): boolean {
    const { link } = item;
    if (link?.set !== this) return false;
    const { next, previous } = link;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    // A link that is gone must not refer to others either.
    item.link = link.next = link.previous = undefined;
    this.#size -= 1;
    return true;
  }

  /** Leaves out items that are added or deleted during the iteration. */
  *[Symbol.iterator](): IterableIterator<T> {
    const items: T[] = [];
    for (let link = this.#first; link; link = link.next) items.push(link.item);
    for (const item of items) if (this.has(item)) yield item;
  }
}
