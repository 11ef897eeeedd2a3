import { inspect } from 'node:util';
// Those of the platform, so that fake timers of a test runner do not stop the waiting.
import { clearInterval, setInterval } from '../internal/patching/originals.js';
import { describeItem, type Matcher, matchesItem } from './matchers.js';
import type { Item, Kind, RecordedItems } from './recorded.js';

export interface NextOptions {
  /** Milliseconds to wait. @default 4000, which is less than test runners wait for a test */
  timeoutMillis?: number | undefined;
}

interface Waiter {
  readonly isWanted: (item: Item) => boolean;
  readonly resolve: (item: Item) => void;
  readonly reject: (error: Error) => void;
}

const DEFAULT_TIMEOUT_MILLIS = 4000;
const MAX_TITLES = 10;
/**
 * Time is counted in ticks, so that a busy machine does not end the wait before the SDK had its turn. They also wake the
 * event loop: timers of the SDK that keep no process alive fire only when something else does.
 */
const TICK_MILLIS = 10;

/** Keeps what arrives, and hands it to those who wait for it. */
export class Inbox {
  #items: Item[] = [];
  /** What a call of `next` has returned. */
  #taken = new Set<Item>();
  readonly #waiters = new Set<Waiter>();

  add(item: Item): void {
    this.#items.push(item);
    for (const waiter of this.#waiters) {
      if (this.#taken.has(item)) return;
      if (waiter.isWanted(item)) waiter.resolve(item);
    }
  }

  all<K extends Kind>(kind: K): RecordedItems[K][] {
    return this.#items.flatMap((item) => (item.kind === kind ? [item.value as RecordedItems[K]] : []));
  }

  /**
   * The first matching item that no earlier call has returned.
   *
   * @param explain adds to the message when none arrives in time
   */
  next<K extends Kind>(
    kind: K,
    matcher: Matcher | undefined,
    { timeoutMillis = DEFAULT_TIMEOUT_MILLIS }: NextOptions,
    explain: () => string,
  ): Promise<RecordedItems[K]> {
    const isWanted = (item: Item) => item.kind === kind && matchesItem(kind, item.value, matcher);
    const present = this.#items.find((item) => !this.#taken.has(item) && isWanted(item));
    if (present) {
      this.#taken.add(present);
      return Promise.resolve(present.value as RecordedItems[K]);
    }
    // Created here, so that its stack shows the test.
    const failure = new Error();
    Error.captureStackTrace(failure, this.next);
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearInterval(timer);
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        isWanted,
        resolve: (item) => {
          settle();
          this.#taken.add(item);
          resolve(item.value as RecordedItems[K]);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      let remainingMillis = timeoutMillis;
      const timer = setInterval(() => {
        remainingMillis -= TICK_MILLIS;
        if (remainingMillis > 0) return;
        const wanted = matcher === undefined ? kind : `${kind} that matches ${inspect(matcher, { depth: 4 })}`;
        failure.message = `no ${wanted} arrived within ${timeoutMillis} ms. ${this.#describe(kind, matcher)}${explain()}`;
        waiter.reject(failure);
      }, TICK_MILLIS);
      this.#waiters.add(waiter);
    });
  }

  clear(): void {
    this.#items = [];
    this.#taken = new Set();
  }

  /** Rejects all who wait. */
  close(reason: string): void {
    for (const { reject } of this.#waiters) reject(new Error(reason));
  }

  /** What has arrived; of the kind that was waited for, with what the matcher compares. */
  #describe(wanted: Kind, matcher: Matcher | undefined): string {
    if (this.#items.length === 0) return 'Nothing arrived.';
    const shown = this.#items.slice(0, MAX_TITLES).map((item) => {
      const wasTaken = this.#taken.has(item) ? ' (returned by an earlier next)' : '';
      const compared = item.kind === wanted ? matcher : undefined;
      return describeItem(item.kind, item.value, compared) + wasTaken;
    });
    const left = this.#items.length - shown.length;
    return `Instead there is: ${shown.join(', ')}${left > 0 ? `, and ${left} more` : ''}.`;
  }
}
