import { type Clock, MILLIS_PER_SECOND } from '../../internal/clock.js';
import { guardOwn } from '../../internal/guard.js';
import { runDetached } from '../../internal/run-detached.js';
import { unref } from '../../internal/unref.js';
import { readList, readProperty, readString } from '../../internal/values/read.js';
import type { EnvelopeItem } from '../../model/delivery/envelope.js';
import type { DiscardedEvents, Ledger } from '../../model/delivery/ledger.js';
import type { OutgoingItem } from '../../model/delivery/outbox.js';

/**
 * Reports to the destination what was discarded, and why: at an interval and with each flush. A report takes its counts
 * out of the ledger, and puts them back when it was not delivered.
 */
export class ClientReporter {
  readonly #ledger: Ledger;
  readonly #send: (report: OutgoingItem) => Promise<boolean>;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #inFlight: Promise<void> | undefined;

  /** @param send resolves to whether the report was delivered or stored on disk; must not reject */
  constructor(ledger: Ledger, send: (report: OutgoingItem) => Promise<boolean>, clock: Clock, intervalMillis: number) {
    this.#ledger = ledger;
    this.#send = send;
    this.#clock = clock;
    this.#timer = unref(
      setInterval(() => {
        if (this.#inFlight === undefined) runDetached('the client report', this.report());
      }, intervalMillis),
    );
  }

  /** Sends the discards that are not reported yet, if any. Waits for a report in flight first. */
  async report(): Promise<void> {
    while (this.#inFlight !== undefined) await this.#inFlight;
    const discards = this.#ledger.takeUnreported();
    if (discards.length === 0) return;
    this.#inFlight = this.#report(discards);
    await this.#inFlight;
  }

  async #report(discards: readonly DiscardedEvents[]): Promise<void> {
    const isDelivered = await this.#send(createReportItem(discards, this.#clock()));
    this.#inFlight = undefined;
    if (!isDelivered) this.#ledger.returnUnreported(discards);
  }

  /** Sends the discards that are not reported yet without waiting: the process ends. */
  reportAtEnd(): void {
    const discards = this.#ledger.takeUnreported();
    if (discards.length > 0)
      runDetached('the last client report', this.#send(createReportItem(discards, this.#clock())));
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function createReportItem(discards: readonly DiscardedEvents[], nowMillis: number): OutgoingItem {
  const payload = { timestamp: nowMillis / MILLIS_PER_SECOND, discarded_events: discards };
  return { content: [{ type: 'client_report' }, payload], quantities: [] };
}

/** What a report that was read from the store on disk counts; nothing for other items. */
export function readClientReport([{ type }, payload]: EnvelopeItem): DiscardedEvents[] {
  if (type !== 'client_report') return [];
  const report: unknown = guardOwn('a stored client report', () => JSON.parse(String(payload)));
  return readList(readProperty(report, 'discarded_events')).filter(isCount);
}

function isCount(value: unknown): value is DiscardedEvents {
  const quantity = readProperty(value, 'quantity');
  const isNamed = readString(value, 'reason') !== undefined && readString(value, 'category') !== undefined;
  return isNamed && Number.isFinite(quantity) && (quantity as number) > 0;
}
