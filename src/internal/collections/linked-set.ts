import { append } from '../patching/originals.js';

/** An item that can be in one {@link LinkedSet} at a time. */
export interface Linkable<T> {
  /** Set by the set that the item is in. */
  link?: Link<T> | undefined;
}

interface Link<T> {
  readonly set: object;
  readonly item: T;
  next: Link<T> | undefined;
  previous: Link<T> | undefined;
}

/**
 * A set in order of insertion, for items that come and go with each event. When a `Set` or `Map` grows or shrinks, V8
 * gives it a new table, to which the old one refers. Once an old table is in the old generation, collections of the young
 * generation free neither the items that pass through the set nor what they refer to.
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
    // Like an old table, an old link would keep its neighbors alive.
    item.link = link.next = link.previous = undefined;
    this.#size -= 1;
    return true;
  }

  /** Leaves out items that are added or deleted during the iteration. */
  *[Symbol.iterator](): IterableIterator<T> {
    const items: T[] = [];
    for (let link = this.#first; link; link = link.next) append(items, link.item);
    for (const item of items) if (this.has(item)) yield item;
  }
}
