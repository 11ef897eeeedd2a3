import { type Clock, monotonicMillis, nowMillis } from '../../internal/clock.js';
import { settlesWithin } from '../../internal/deadline.js';
import { createLogger } from '../../internal/diag.js';
import { guard, reportFailure } from '../../internal/guard.js';
import type { Client } from '../../model/contracts.js';
import type { Envelope } from '../../model/delivery/envelope.js';
import type { EnvelopeItemType } from '../../model/delivery/item-types.js';
import type { Ledger } from '../../model/delivery/ledger.js';
import type { Outbox, OutgoingItem } from '../../model/delivery/outbox.js';
import type { DiscardReason } from '../../model/delivery/outcome.js';
import type { Transport, TransportResponse } from '../../model/delivery/transport.js';
import type { NoticeCode } from '../../model/notice.js';
import { kindOfAnswer } from '../answer.js';
import type { StoringTransport } from '../create-transport.js';
import { describeCause } from '../describe-cause.js';
import type { Destination } from '../dsn.js';
import { createEnvelope } from '../envelope.js';
import { PromiseSet } from '../promise-set.js';
import type { Spotlight } from '../spotlight.js';
import { ClientReporter } from './client-report.js';
import type { logDelivery } from './delivery-log.js';
import type { InFlightItems } from './in-flight-items.js';
import { explainRefusal } from './refusal.js';
import { explainTooLarge, splitOrShrink } from './too-large.js';

/** How long a flush without a timeout sends what earlier processes have stored. */
const MAX_RECOVERY_MILLIS = 2000;
/** How often a client that closes waits for what was sent meanwhile: under load, there is always something in flight. */
const MAX_RESTS = 10;
const MAX_RESTS_MILLIS = 2000;

const log = createLogger('transport');

export interface OutboxParts extends Destination {
  readonly transport: Transport;
  /** Whether the transport is user code. */
  readonly showsItems?: boolean;
  /** The same transport, if it is the SDK's own, which does more than sending. */
  readonly storing?: StoringTransport;
  /** Envelopes in flight at most, where the transport does not count them itself. */
  readonly bufferSize: number;
  readonly ledger: Ledger;
  /** Also settled by the transport's `recordDroppedEvent`. */
  readonly inFlight: InFlightItems;
  readonly sendClientReports: boolean;
  readonly clientReportIntervalMillis: number;
  readonly emit?: Client['emit'];
  /** Gets a copy of each envelope. */
  readonly spotlight?: Spotlight;
  readonly clock: Clock;
  /** Called with an explanation when the destination refuses everything. */
  readonly notify?: (code: NoticeCode, message: string) => void;
  /** Called for each envelope; absent without `debug`. */
  readonly onDelivery?: typeof logDelivery | undefined;
}

/** Puts items into envelopes, hands these to the transport, and counts in the ledger what became of each item. */
export class DefaultOutbox implements Outbox {
  readonly #parts: OutboxParts;
  /** One for each envelope that is not settled, except for reports. */
  readonly #pending = new PromiseSet();
  readonly #reporter: ClientReporter | undefined;
  #isClosed = false;
  /** Whether the last flush has succeeded. */
  #isFlushed = false;
  /** Whether the process ends: sends that are given up then are not an outage. */
  #isEnding = false;
  #isUnreachable = false;
  /** Whether the destination has accepted an envelope, or is known to refuse all. */
  #isJudged = false;
  /** Number of refusals until then, and the last of them. */
  #refusals = 0;
  #lastRefusal: TransportResponse | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    const { ledger, clock, sendClientReports, clientReportIntervalMillis } = parts;
    if (sendClientReports) {
      // Not `send`: a report is sent even if the buffer is full, because it reports just that.
      const send = (report: OutgoingItem) => this.#deliver([report]);
      this.#reporter = new ClientReporter(ledger, send, clock, clientReportIntervalMillis);
    }
  }

  get transport(): Transport {
    return this.#parts.transport;
  }

  get showsItems(): boolean {
    return this.#parts.showsItems === true;
  }

  send(items: readonly OutgoingItem[]): void {
    const reason = this.#reasonToDiscard(items[0]?.content[0].type);
    if (reason) {
      discardItems(this.#parts.ledger, reason, items);
      return;
    }
    this.#pending.add(this.#deliver(items), () => {
      for (const { content } of items) this.#parts.inFlight.discard('internal_sdk_error', content);
    });
  }

  isFull(type: EnvelopeItemType | undefined): boolean {
    const { bufferSize, storing } = this.#parts;
    return storing ? storing.isFull(type) : this.#pending.size >= bufferSize;
  }

  async flush(timeoutMillis?: number): Promise<boolean> {
    const begin = monotonicMillis();
    const isFlushed = await this.#flush(timeoutMillis);
    this.#isFlushed = isFlushed;
    const remainingMillis = (timeoutMillis ?? MAX_RECOVERY_MILLIS) - (monotonicMillis() - begin);
    if (isFlushed && !this.#isClosed && remainingMillis > 0) await this.#parts.storing?.sendStored(remainingMillis);
    return isFlushed;
  }

  async flushRest(left: () => number | undefined): Promise<void> {
    const end = monotonicMillis() + MAX_RESTS_MILLIS;
    for (let rest = 0; rest < MAX_RESTS && this.#isFlushed && this.#pending.size > 0; rest++) {
      const millis = Math.min(left() ?? MAX_RESTS_MILLIS, end - monotonicMillis());
      if (millis <= 0) return;
      this.#isFlushed = await this.#flush(millis);
    }
  }

  hasStored(): boolean {
    return !this.#isClosed && this.#parts.storing?.hasStored() === true;
  }

  async #flush(timeoutMillis: number | undefined): Promise<boolean> {
    const report = this.#isClosed ? undefined : this.#reporter?.report();
    const all = Promise.all([report, this.#pending.settled(), this.#parts.spotlight?.settled()]);
    // Without waiting for all, if the transport has given up waiting for the destination.
    const flushed = this.#flushTransport(timeoutMillis).then((isFlushed) => isFlushed && all.then(() => true));
    return (await settlesWithin(flushed, timeoutMillis)) && flushed;
  }

  storeUnsent(finish?: () => void): void {
    const { storing, inFlight } = this.#parts;
    this.#isEnding = true;
    if (!this.#isJudged && this.#lastRefusal) this.#reportRefusals(this.#lastRefusal);
    if (this.#isClosed || !storing) finish?.();
    else storing.storeUnsent(finish);
    if (this.#isClosed) return;
    // A custom transport may never answer, and no item may stay queued for ever.
    inFlight.discardAll('network_error');
    if (storing) this.#reporter?.reportAtEnd();
  }

  close(): void {
    if (this.#isClosed) return;
    this.storeUnsent();
    this.#isClosed = true;
    this.#reporter?.stop();
    this.#parts.storing?.close();
    this.#parts.spotlight?.close();
  }

  #reasonToDiscard(type: EnvelopeItemType | undefined): DiscardReason | undefined {
    if (this.#isClosed) return 'disabled';
    return this.isFull(type) ? 'queue_overflow' : undefined;
  }

  /**
   * @param isPart whether the items are from an envelope that was too large
   * @returns whether the destination confirmed all items; never rejects
   */
  async #deliver(items: readonly OutgoingItem[], isPart = false): Promise<boolean> {
    const { transport, onDelivery, inFlight } = this.#parts;
    const envelope = this.#pack(items);
    const beginMillis = onDelivery ? monotonicMillis() : 0;
    let response: TransportResponse | undefined;
    try {
      response = this.#readAnswer(await transport.send(envelope), isPart);
    } catch (error) {
      this.#reportUnsent(error);
    }
    onDelivery?.(envelope, response, monotonicMillis() - beginMillis, inFlight.fateOf(envelope[1][0]));
    const smaller = response && kindOfAnswer(response) === 'too_large' ? this.#makeSmaller(items) : undefined;
    return smaller ? this.#deliverParts(smaller) : this.#settle(items, response);
  }

  /** Puts items into an envelope, which from now on is in flight. */
  #pack(items: readonly OutgoingItem[]): Envelope {
    const { dsn, tunnel, clock, inFlight, emit, spotlight } = this.#parts;
    for (const { content, quantities } of items) inFlight.add(content, quantities);
    const envelope = createEnvelope(items, { dsn, tunnel, nowMillis: clock() });
    guard('beforeEnvelope', () => emit?.('beforeEnvelope', envelope));
    spotlight?.copy(envelope);
    return envelope;
  }

  async #deliverParts(parts: readonly (readonly OutgoingItem[])[]): Promise<boolean> {
    const deliveries = await Promise.all(parts.map((items) => this.#deliver(items, true)));
    return deliveries.every((isDelivered) => isDelivered);
  }

  /** @returns whether the destination confirmed all items */
  #settle(items: readonly OutgoingItem[], response: TransportResponse | undefined): boolean {
    let areDelivered = true;
    for (const { content } of items) areDelivered = this.#parts.inFlight.settle(content, response) && areDelivered;
    for (const { onAnswer } of items) onAnswer?.(response ?? {});
    return areDelivered;
  }

  /** Takes items back that were too large. @returns what to send in their place, one envelope each; `undefined` for nothing */
  #makeSmaller(items: readonly OutgoingItem[]): readonly (readonly OutgoingItem[])[] | undefined {
    const { inFlight } = this.#parts;
    // The transport may have dropped some of them before.
    const refused = items.filter(({ content }) => inFlight.has(content));
    const smaller = splitOrShrink(refused);
    log.warn(explainTooLarge(items, smaller));
    if (smaller) for (const { content } of refused) inFlight.remove(content);
    return smaller;
  }

  #readAnswer(answer: unknown, isPart: boolean): TransportResponse {
    const response = readResponse(answer);
    this.#isUnreachable = false;
    if (!this.#isJudged) this.#judge(response, isPart);
    return response;
  }

  #judge(response: TransportResponse, isPart: boolean): void {
    const kind = kindOfAnswer(response);
    // A rate limit is about a time.
    if (kind === 'limited' || kind === 'unknown') return;
    if (kind === 'accepted') {
      this.#isJudged = true;
      return;
    }
    if (!isPart) this.#refusals += 1;
    // What is too large says nothing about the address.
    if (kind !== 'too_large') this.#lastRefusal = response;
    this.#reportRefusals(response);
  }

  /**
   * A destination that refuses the first envelope because of its key or address, any first three, or all until the process
   * ends, refuses all.
   */
  #reportRefusals(response: TransportResponse): void {
    // What earlier processes have stored may have been accepted.
    const problem = this.#parts.inFlight.hasDelivered
      ? undefined
      : explainRefusal(response, this.#parts, this.#refusals, this.#isEnding);
    if (problem === undefined) return;
    this.#isJudged = true;
    log.error(problem);
    this.#parts.notify?.('destination-refuses', problem);
  }

  /**
   * Logs once per outage, not for each envelope. The SDK's own transport keeps what the destination cannot take now, and rejects
   * only for what it cannot serialize.
   */
  #reportUnsent(error: unknown): void {
    if (this.#isUnreachable || this.#isClosed || this.#isEnding) return;
    if (this.#parts.storing) {
      log.error('an envelope cannot be serialized; it is lost', error);
      return;
    }
    this.#isUnreachable = true;
    log.warn(`the destination cannot be reached${describeCause(error)}; captured data is lost until it can`, error);
  }

  async #flushTransport(timeoutMillis: number | undefined): Promise<boolean> {
    try {
      return (await this.#parts.transport.flush(timeoutMillis)) !== false;
    } catch (error) {
      reportFailure('flush of the transport', error);
      return true;
    }
  }
}

/** Discards everything, because there is no destination; a Spotlight sidecar still gets its copies. */
export class NoopOutbox implements Outbox {
  readonly #ledger: Ledger;
  readonly #spotlight: Spotlight | undefined;

  constructor(ledger: Ledger, spotlight?: Spotlight) {
    this.#ledger = ledger;
    this.#spotlight = spotlight;
  }

  send(items: readonly OutgoingItem[]): void {
    this.#spotlight?.copy(createEnvelope(items, { dsn: undefined, nowMillis: nowMillis() }));
    discardItems(this.#ledger, 'disabled', items);
  }

  isFull(): boolean {
    return false;
  }

  flush(timeoutMillis?: number): Promise<boolean> {
    return this.#spotlight ? settlesWithin(this.#spotlight.settled(), timeoutMillis) : Promise.resolve(true);
  }

  flushRest(): Promise<void> {
    return Promise.resolve();
  }

  storeUnsent(finish?: () => void): void {
    finish?.();
  }

  hasStored(): boolean {
    return false;
  }

  close(): void {
    this.#spotlight?.close();
  }
}

function discardItems(ledger: Ledger, reason: DiscardReason, items: readonly OutgoingItem[]): void {
  for (const { quantities } of items) ledger.discard(reason, quantities);
}

/** The readable parts of what a transport answered. A status that is not a number, or cannot be read, is left out. */
function readResponse(answer: unknown): TransportResponse {
  const read = (): TransportResponse => {
    const { statusCode, headers, reason, isWebPage } = (answer ?? {}) as TransportResponse;
    const response: TransportResponse = { headers };
    if (typeof statusCode === 'number') response.statusCode = statusCode;
    if (typeof reason === 'string') response.reason = reason;
    if (isWebPage === true) response.isWebPage = true;
    return response;
  };
  return guard('the response of the transport', read, {});
}
