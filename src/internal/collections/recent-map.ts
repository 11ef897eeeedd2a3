/**
 * A map of the entries that were set or read last: at least `minSize` of them, and at most twice as many.
 *
 * It has two generations and drops the older one as a whole: deleting the first entry of a `Map` again and again is slow.
 */
export class RecentMap<Key, Value> {
  readonly #minSize: number;
  readonly #copyKey: (key: Key) => Key;
  #recent = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  /** @param copyKey makes the key that is kept: a copy, where the caller's key would keep a longer string alive */
  constructor(minSize: number, copyKey = (key: Key) => key) {
    this.#minSize = minSize;
    this.#copyKey = copyKey;
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#minSize) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(this.#copyKey(key), value);
  }
}
