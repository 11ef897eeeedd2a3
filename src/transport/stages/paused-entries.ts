import { unref } from '../../internal/unref.js';

/** The first pause; each further one of the same envelope is twice as long. */
const FIRST_PAUSE_MILLIS = 500;
const MAX_PAUSES = 10;

/** An entry of the queue, as far as it can be paused. */
export interface Failing {
  /** How often its requests have failed. */
  failures: number;
  /** How many envelopes had been answered when it failed last. */
  answersAtFailure: number;
  /** How often it has failed while others were answered. */
  pauses: number;
}

/**
 * Entries that fail while others are answered, as one that a firewall does not let through: each pauses by itself, for longer
 * and longer, until it is sent again.
 */
export class PausedEntries<Entry extends Failing> {
  readonly #timers = new Map<Entry, NodeJS.Timeout>();
  readonly #onResume: (entry: Entry) => void;
  #answers = 0;
  /** `#answers` when an entry paused last. Until another answer comes, a failure says nothing about one entry. */
  #answersAtPause = 0;

  /** @param onResume called with an entry whose pause is over */
  constructor(onResume: (entry: Entry) => void) {
    this.#onResume = onResume;
  }

  get isEmpty(): boolean {
    return this.#timers.size === 0;
  }

  /** Whether anything was answered. */
  get hasAnswers(): boolean {
    return this.#answers > 0;
  }

  noteAnswer(): void {
    this.#answers += 1;
  }

  /** @returns whether it fails alone: others were answered since its last failure, and since an entry paused last */
  noteFailure(entry: Entry): boolean {
    const { failures, answersAtFailure } = entry;
    entry.failures += 1;
    entry.answersAtFailure = this.#answers;
    return failures > 0 && this.#answers > Math.max(answersAtFailure, this.#answersAtPause);
  }

  /** @returns false for an entry that has paused often enough */
  add(entry: Entry): boolean {
    this.#answersAtPause = this.#answers;
    entry.pauses += 1;
    if (entry.pauses > MAX_PAUSES) return false;
    const resume = (): void => {
      this.#timers.delete(entry);
      this.#onResume(entry);
    };
    this.#timers.set(entry, unref(setTimeout(resume, FIRST_PAUSE_MILLIS * 2 ** (entry.pauses - 1))));
    return true;
  }

  /** Removes the first entry for which `predicate` holds. */
  takeFirst(predicate: (entry: Entry) => boolean): Entry | undefined {
    for (const entry of this.#timers.keys()) if (predicate(entry)) return this.#take(entry);
    return undefined;
  }

  /** Removes the entries for which `predicate` holds, by default all. */
  takeAll(predicate: (entry: Entry) => boolean = () => true): Entry[] {
    return [...this.#timers.keys()].filter(predicate).map((entry) => this.#take(entry));
  }

  #take(entry: Entry): Entry {
    clearTimeout(this.#timers.get(entry));
    this.#timers.delete(entry);
    return entry;
  }
}
