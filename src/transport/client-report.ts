import { runDetached } from '../internal/run-detached.js';
import type { DiscardedEvents, Ledger } from '../model/ledger.js';

const INTERVAL_MILLIS = 60_000;

/**
 * Tells the destination from time to time what did not reach it, and why. What a report carries is taken out of the
 * ledger, and given back when the report was lost.
 */
export class ClientReporter {
  readonly #ledger: Ledger;
  readonly #send: (discards: readonly DiscardedEvents[]) => Promise<boolean>;
  readonly #timer: NodeJS.Timeout;
  #underWay: Promise<void> | undefined;

  /** @param send resolves to whether the destination has taken the report; must not reject */
  constructor(ledger: Ledger, send: (discards: readonly DiscardedEvents[]) => Promise<boolean>) {
    this.#ledger = ledger;
    this.#send = send;
    this.#timer = setInterval(() => {
      if (this.#underWay === undefined) runDetached('the client report', this.report());
    }, INTERVAL_MILLIS).unref();
  }

  /** Sends what no report has carried yet, if anything; after the report that is under way, if any. */
  async report(): Promise<void> {
    while (this.#underWay !== undefined) await this.#underWay;
    const discards = this.#ledger.takeUnreported();
    if (discards.length === 0) return;
    this.#underWay = this.#report(discards);
    await this.#underWay;
  }

  async #report(discards: readonly DiscardedEvents[]): Promise<void> {
    const isTaken = await this.#send(discards);
    this.#underWay = undefined;
    if (!isTaken) this.#ledger.returnUnreported(discards);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
