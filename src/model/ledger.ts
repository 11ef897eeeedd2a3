import type { DataCategory, DiscardReason, Quantities } from './outcome.js';

/** One line of a client report. */
export interface DiscardedEvents {
  readonly reason: DiscardReason;
  readonly category: DataCategory;
  /** How many since the report before. */
  readonly quantity: number;
}

/** What became of everything of one category since the client was made. */
export interface CategoryBalance {
  /** Handed to the SDK. */
  readonly captured: number;
  /** Confirmed by the destination. */
  readonly delivered: number;
  /** Ended on the way, for a reason. */
  readonly discarded: number;
  /** Neither delivered nor discarded yet: in the pipeline, in an open segment or in the transport's queue. */
  readonly queued: number;
}

/** The count as applications see it. */
export interface LedgerView {
  /** The balance of every category seen so far. */
  balance(): Partial<Record<DataCategory, CategoryBalance>>;
}

interface Counts {
  captured: number;
  delivered: number;
  discarded: number;
}

/**
 * The one count of what was captured and what became of it: captured = delivered + discarded + queued, at every instant.
 *
 * Whoever accepts data calls `capture` once, whoever ends its way calls `deliver` or `discard` once. Discards wait here
 * until a client report takes them.
 */
export class Ledger implements LedgerView {
  readonly #balances = new Map<DataCategory, Counts>();
  #unreported = new Map<string, { reason: DiscardReason; category: DataCategory; quantity: number }>();

  /** Records that data was accepted. */
  capture(quantities: Quantities): void {
    for (const [category, quantity] of quantities) {
      this.#counts(category).captured += quantity;
    }
  }

  /** Records that the destination confirmed data. */
  deliver(quantities: Quantities): void {
    for (const [category, quantity] of quantities) {
      this.#counts(category).delivered += quantity;
    }
  }

  /**
   * Records that data ended here.
   *
   * @param report whether the destination is to hear of it; false where the destination itself refused and counted
   */
  discard(reason: DiscardReason, quantities: Quantities, report = reason !== 'disabled'): void {
    for (const [category, quantity] of quantities) {
      if (quantity <= 0) continue;
      this.#counts(category).discarded += quantity;
      if (report) this.#addUnreported(reason, category, quantity);
    }
  }

  /** Records data that was accepted and ended in the same moment. */
  captureAndDiscard(reason: DiscardReason, quantities: Quantities): void {
    this.capture(quantities);
    this.discard(reason, quantities);
  }

  /**
   * Records that what was captured has become something else: hooks may take a part out of it, add to it, or change its
   * kind.
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

  /** Hands over the discards no report has carried yet, and forgets them. */
  takeUnreported(): DiscardedEvents[] {
    if (this.#unreported.size === 0) return [];
    const taken = [...this.#unreported.values()];
    this.#unreported = new Map();
    return taken;
  }

  /** Takes back what `takeUnreported` gave, when the report could not be sent. */
  returnUnreported(discards: readonly DiscardedEvents[]): void {
    for (const { reason, category, quantity } of discards) {
      this.#addUnreported(reason, category, quantity);
    }
  }

  balance(): Partial<Record<DataCategory, CategoryBalance>> {
    const result: Partial<Record<DataCategory, CategoryBalance>> = {};
    for (const [category, { captured, delivered, discarded }] of this.#balances) {
      result[category] = { captured, delivered, discarded, queued: captured - delivered - discarded };
    }
    return result;
  }

  #counts(category: DataCategory): Counts {
    let counts = this.#balances.get(category);
    if (counts === undefined) {
      counts = { captured: 0, delivered: 0, discarded: 0 };
      this.#balances.set(category, counts);
    }
    return counts;
  }

  #addUnreported(reason: DiscardReason, category: DataCategory, quantity: number): void {
    const key = `${reason}:${category}`;
    const entry = this.#unreported.get(key);
    if (entry === undefined) this.#unreported.set(key, { reason, category, quantity });
    else entry.quantity += quantity;
  }
}

function quantityOf(quantities: Quantities, category: DataCategory): number {
  return quantities.find(([one]) => one === category)?.[1] ?? 0;
}
