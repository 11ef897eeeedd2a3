import type { DataCategory, DiscardReason, Quantities } from './outcome.js';

/** One entry of a client report. */
export interface DiscardedEvents {
  readonly reason: DiscardReason;
  readonly category: DataCategory;
  /** In a report, the number since the previous one; in `discards()`, all. */
  readonly quantity: number;
}

/**
 * The outcomes of everything captured in one category since the client was created:
 * captured + recovered = delivered + discarded + queued + stored.
 */
export interface CategoryBalance {
  /** Accepted by the SDK. */
  readonly captured: number;
  /** Confirmed by the destination. */
  readonly delivered: number;
  /** Discarded, for a counted reason. */
  readonly discarded: number;
  /** No outcome yet: in the pipeline, in an open segment or in the transport's queue. */
  readonly queued: number;
  /** Written to the store on disk, for this process or a later one. */
  readonly stored: number;
  /** Sent from the store on disk, or discarded there; the outcome is counted like that of captured data. */
  readonly recovered: number;
}

/** The public view of the ledger. */
export interface LedgerView {
  /** The balance of every category seen so far. */
  balance(): Partial<Record<DataCategory, CategoryBalance>>;
}

/** Discard reasons other than the user's choice: the data should have been delivered. */
const LOSSES: ReadonlySet<DiscardReason> = new Set<DiscardReason>([
  'queue_overflow',
  'buffer_overflow',
  'cache_overflow',
  'ratelimit_backoff',
  'network_error',
  'send_error',
  'internal_sdk_error',
]);

/** The counts of a category; `queued` follows from them. */
type Counts = { -readonly [Count in Exclude<keyof CategoryBalance, 'queued'>]: number };

interface DiscardCount {
  readonly reason: DiscardReason;
  readonly category: DataCategory;
  total: number;
  unreported: number;
}

/**
 * Counts captured data and its outcomes: captured + recovered = delivered + discarded + queued + stored, at every
 * instant.
 *
 * The part that accepts data calls `capture` once, or `recover` if the data comes from the store on disk; the part that
 * determines its outcome calls `deliver`, `discard` or `store` once. What is stored counts as `recovered` at the moment of
 * its next outcome, however often that was tried. Discards are kept until a client report takes them.
 */
export class Ledger implements LedgerView {
  readonly #balances = new Map<DataCategory, Counts>();
  readonly #discards = new Map<string, DiscardCount>();

  /** Records that data was accepted. */
  capture(quantities: Quantities): void {
    for (const [category, quantity] of quantities) this.#counts(category).captured += quantity;
  }

  /** Reverts a count, right before the data is counted as part of something else. */
  uncapture(quantities: Quantities): void {
    for (const [category, quantity] of quantities) this.#counts(category).captured -= quantity;
  }

  /** Records that the destination confirmed data. */
  deliver(quantities: Quantities): void {
    for (const [category, quantity] of quantities) this.#counts(category).delivered += quantity;
  }

  /**
   * Records that data was discarded.
   *
   * @param quantities negative to take back what was recorded before
   * @param report whether a client report includes it; false if the destination itself rejected and counted it
   */
  discard(reason: DiscardReason, quantities: Quantities, report = reason !== 'disabled'): void {
    for (const [category, quantity] of quantities) {
      if (quantity === 0) continue;
      this.#counts(category).discarded += quantity;
      const count = this.#discardCount(reason, category);
      count.total += quantity;
      if (report) count.unreported += quantity;
    }
  }

  /** Records that data was written to the store on disk. */
  store(quantities: Quantities): void {
    for (const [category, quantity] of quantities) this.#counts(category).stored += quantity;
  }

  /** Records that data from the store on disk is about to be delivered or discarded. */
  recover(quantities: Quantities): void {
    for (const [category, quantity] of quantities) this.#counts(category).recovered += quantity;
  }

  /** Number of discards in all categories that should have been delivered. Decreases only when some are taken back. */
  get lost(): number {
    let lost = 0;
    for (const { reason, total } of this.#discards.values()) if (LOSSES.has(reason)) lost += total;
    return lost;
  }

  /** Records data that was accepted and discarded in the same moment. */
  captureAndDiscard(reason: DiscardReason, quantities: Quantities): void {
    this.capture(quantities);
    this.discard(reason, quantities);
  }

  /**
   * Records a change of captured data: hooks may remove parts, add parts, or change the category. Removed parts count
   * as `before_send`.
   */
  adjust(captured: Quantities, remaining: Quantities): void {
    const isSame =
      captured.length === remaining.length &&
      captured.every(([category, quantity]) => quantity === quantityOf(remaining, category));
    if (isSame) return;
    const categories = new Set<DataCategory>([...captured, ...remaining].map(([category]) => category));
    for (const category of categories) {
      const lost = quantityOf(captured, category) - quantityOf(remaining, category);
      if (lost > 0) this.discard('before_send', [[category, lost]]);
      else if (lost < 0) this.capture([[category, -lost]]);
    }
  }

  /** All discards, by reason and category. */
  discards(): DiscardedEvents[] {
    const own = [...this.#discards.values()].filter(({ total }) => total > 0);
    return own.map(({ reason, category, total }) => ({ reason, category, quantity: total }));
  }

  /** Returns and clears the discards that no report has contained yet. */
  takeUnreported(): DiscardedEvents[] {
    const taken: DiscardedEvents[] = [];
    for (const count of this.#discards.values()) {
      const { reason, category, unreported } = count;
      // Less than 0: more was taken back than was added since the last report.
      if (unreported <= 0) continue;
      taken.push({ reason, category, quantity: unreported });
      count.unreported = 0;
    }
    return taken;
  }

  /** Restores the result of `takeUnreported`, if the report could not be delivered. */
  returnUnreported(discards: readonly DiscardedEvents[]): void {
    for (const { reason, category, quantity } of discards) this.#discardCount(reason, category).unreported += quantity;
  }

  balance(): Partial<Record<DataCategory, CategoryBalance>> {
    const result: Partial<Record<DataCategory, CategoryBalance>> = {};
    for (const [category, { captured, delivered, discarded, stored, recovered }] of this.#balances) {
      const queued = captured + recovered - delivered - discarded - stored;
      result[category] = { captured, delivered, discarded, queued, stored, recovered };
    }
    return result;
  }

  #counts(category: DataCategory): Counts {
    let counts = this.#balances.get(category);
    if (counts === undefined) {
      counts = { captured: 0, delivered: 0, discarded: 0, stored: 0, recovered: 0 };
      this.#balances.set(category, counts);
    }
    return counts;
  }

  #discardCount(reason: DiscardReason, category: DataCategory): DiscardCount {
    const key = `${reason}:${category}`;
    let count = this.#discards.get(key);
    if (count === undefined) {
      count = { reason, category, total: 0, unreported: 0 };
      this.#discards.set(key, count);
    }
    return count;
  }
}

function quantityOf(quantities: Quantities, category: DataCategory): number {
  return quantities.find(([one]) => one === category)?.[1] ?? 0;
}
