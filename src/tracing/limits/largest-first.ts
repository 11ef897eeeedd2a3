/** An item with a size. */
interface Sized {
  readonly bytes: number;
  /** Written by {@link LargestFirst}; `undefined` while the item is in none. */
  sizeClass: number | undefined;
}

/** Smaller items are not worth finding, and are not tracked. */
const MIN_BYTES_LOG2 = 16;

/**
 * Finds the largest items without looking at the others: they are grouped by powers of two, and within a group in the
 * order in which they reached it.
 */
export class LargestFirst<Item extends Sized> {
  readonly #classes: Set<Item>[] = [];

  /** Called whenever an item has grown. */
  update(item: Item): void {
    const sizeClass = sizeClassOf(item.bytes);
    if (sizeClass < 0 || sizeClass === item.sizeClass) return;
    this.delete(item);
    item.sizeClass = sizeClass;
    this.#classes[sizeClass] ??= new Set();
    this.#classes[sizeClass].add(item);
  }

  delete(item: Item): void {
    if (item.sizeClass === undefined) return;
    this.#classes[item.sizeClass]?.delete(item);
    item.sizeClass = undefined;
  }

  /** @returns `undefined` where no item is large */
  first(): Item | undefined {
    for (const items of this.#classes.toReversed()) {
      for (const item of items ?? []) return item;
    }
    return undefined;
  }
}

function sizeClassOf(bytes: number): number {
  return 31 - Math.clz32(bytes) - MIN_BYTES_LOG2;
}
