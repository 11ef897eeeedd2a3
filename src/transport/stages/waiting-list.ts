import { PRIORITIES, type Priority } from '../../model/delivery/item-types.js';

interface Waiting {
  readonly envelope: { readonly priority: Priority };
  /** Counts up from one entry to the next. */
  readonly order: number;
}

/** Entries that leave by priority, and then in the order in which they came. */
export class WaitingList<Entry extends Waiting> {
  readonly #byPriority: Entry[][] = PRIORITIES.map(() => []);

  get isEmpty(): boolean {
    return this.#byPriority.every((list) => list.length === 0);
  }

  /** Adds an entry; one that was here before gets its old place. */
  add(entry: Entry): void {
    const list = this.#byPriority[entry.envelope.priority]!;
    const isLast = (list.at(-1)?.order ?? 0) < entry.order;
    const later = isLast ? list.length : list.findIndex(({ order }) => order > entry.order);
    list.splice(later, 0, entry);
  }

  /** Removes the entry that leaves next, of those for which `predicate` holds. */
  takeFirst(predicate: (entry: Entry) => boolean = () => true): Entry | undefined {
    for (const list of this.#byPriority) {
      const index = list.findIndex(predicate);
      if (index >= 0) return list.splice(index, 1)[0];
    }
    return undefined;
  }

  /** Whether entries wait that are less important than a priority. */
  hasBelow(priority: Priority): boolean {
    return this.#byPriority.some((list, index) => index > priority && list.length > 0);
  }

  /** Removes the oldest of the least important entries below a priority. */
  takeBelow(priority: Priority): Entry | undefined {
    return this.#byPriority.findLast((list, index) => index > priority && list.length > 0)?.shift();
  }

  /** Removes the entries for which `predicate` holds, by default all. */
  takeAll(predicate: (entry: Entry) => boolean = () => true): Entry[] {
    const taken: Entry[] = [];
    for (const list of this.#byPriority) {
      for (const entry of list.splice(0)) (predicate(entry) ? taken : list).push(entry);
    }
    return taken;
  }
}
