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
    this.#timer = setInterval(() => void this.report(), INTERVAL_MILLIS).unref();
  }

  /** Sends what no report has carried yet, if anything. While a report is under way, that one is waited for instead. */
  async report(): Promise<void> {
    this.#underWay ??= this.#report().finally(() => {
      this.#underWay = undefined;
    });
    await this.#underWay;
  }

  async #report(): Promise<void> {
    const discards = this.#ledger.takeUnreported();
    if (discards.length === 0 || (await this.#send(discards))) return;
    this.#ledger.returnUnreported(discards);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
