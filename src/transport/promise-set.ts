import { type Linkable, LinkedSet } from '../internal/collections/linked-set.js';
import { createLogger } from '../internal/diag.js';

interface Entry extends Linkable<Entry> {
  readonly promise: Promise<unknown>;
}

const log = createLogger('transport');

/** A set of promises that have not settled yet. A rejection is logged, and does not make `settled` fail. */
export class PromiseSet {
  readonly #entries = new LinkedSet<Entry>();

  get size(): number {
    return this.#entries.size;
  }

  /** Keeps a promise until it settles, and calls `onFailure` if it rejects. */
  add(promise: Promise<unknown>, onFailure?: () => void): void {
    const entry: Entry = { promise };
    this.#entries.add(entry);
    const forget = () => this.#entries.delete(entry);
    promise.then(forget, (error) => {
      forget();
      log.error('sending failed', error);
      onFailure?.();
    });
  }

  /** Waits for the present promises, not for those that are added later. */
  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#entries, ({ promise }) => promise));
  }
}
