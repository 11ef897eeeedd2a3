import { createLogger } from '../../internal/diag.js';
import type { Ledger } from '../../model/delivery/ledger.js';

const log = createLogger('segments');

/** Counts the recorded spans of one client that run, and those that are lost because the client or the process ends first. */
export class RunningSpans {
  /** All of them, and the local roots among them. */
  readonly #running = { spans: 0, roots: 0 };
  /** How many of these are counted as lost. */
  #lost = { spans: 0, roots: 0 };

  get hasLost(): boolean {
    return this.#lost.spans > 0;
  }

  /** Called for a local root, before {@link begin}. */
  openRoot(): void {
    this.#running.roots++;
  }

  /** Called for each span: a local root or a descendant. */
  begin(): void {
    this.#running.spans++;
  }

  end(isRoot: boolean): void {
    this.#running.spans--;
    if (isRoot) this.#running.roots--;
  }

  /**
   * Counts running spans as lost. Those that were counted before and have ended since are taken back.
   *
   * @param why completes "spans that were running when …"; absent if nothing is to be logged
   */
  countLost(ledger: Ledger, why?: string): void {
    const spans = this.#running.spans - this.#lost.spans;
    const roots = this.#running.roots - this.#lost.roots;
    if (spans === 0 && roots === 0) return;
    this.#lost = { ...this.#running };
    if (spans > 0 && why) log.warn(`spans that were running when ${why}: ${spans}; they are not sent. End each span`);
    ledger.captureAndDiscard('buffer_overflow', [
      ['transaction', roots],
      ['span', spans],
    ]);
  }
}
