import type { Clock } from '../internal/clock.js';
import { settlesWithin } from '../internal/deadline.js';
import { createLogger } from '../internal/diag.js';
import { guard, reportFailure } from '../internal/guard.js';
import type { Attachment } from '../model/attachment.js';
import type { Client, Outbox, Transport, TransportResponse } from '../model/contracts.js';
import type { Dsn } from '../model/dsn.js';
import type { Envelope, EnvelopeItem } from '../model/envelope.js';
import { type Event, quantitiesOf } from '../model/event.js';
import type { DiscardedEvents, Ledger } from '../model/ledger.js';
import type { DiscardReason, Quantities } from '../model/outcome.js';
import type { SessionAggregates, SessionJSON } from '../model/session.js';
import type { DynamicSamplingContext } from '../model/trace.js';
import { ClientReporter } from './client-report.js';
import { createClientReportEnvelope, createEventEnvelope, createSessionEnvelope } from './envelope.js';
import type { InFlightItems } from './in-flight-items.js';
import { Pending } from './pending.js';
import type { Spotlight } from './spotlight.js';

const log = createLogger('transport');

const ONE_ATTACHMENT: Quantities = [['attachment', 1]];
const ONE_SESSION: Quantities = [['session', 1]];

export interface OutboxParts {
  readonly dsn: Dsn;
  readonly tunnel?: string;
  readonly transport: Transport;
  /** Envelopes under way at most. */
  readonly bufferSize: number;
  readonly ledger: Ledger;
  /** Where the transport's `recordDroppedEvent` goes, too. */
  readonly unsettled: InFlightItems;
  readonly sendClientReports: boolean;
  readonly emit?: Client['emit'];
  /** Gets a copy of each envelope. */
  readonly spotlight?: Spotlight;
  readonly clock: Clock;
  /** Called once, when the outbox is closed. */
  readonly onClose?: () => void;
}

/** Puts events and sessions into envelopes, hands these to a transport, which may be the host's, and tells the ledger their end. */
export class DefaultOutbox implements Outbox {
  readonly #parts: OutboxParts;
  readonly #pending = new Pending();
  readonly #reporter: ClientReporter | undefined;
  #isClosed = false;
  #isUnreachable = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    if (parts.sendClientReports) {
      this.#reporter = new ClientReporter(parts.ledger, (discards) => this.#sendReport(discards));
    }
  }

  sendEvent(event: Event, attachments: readonly Attachment[], dsc: DynamicSamplingContext | undefined): void {
    const refusal = this.#refusal();
    if (refusal) discardEvent(this.#parts.ledger, refusal, event, attachments);
    else this.#pending.add(this.#sendEvent(event, attachments, dsc));
  }

  sendSession(session: SessionJSON | SessionAggregates): void {
    const refusal = this.#refusal();
    if (refusal) this.#parts.ledger.discard(refusal, ONE_SESSION);
    else this.#pending.add(this.#sendSession(session));
  }

  async flush(timeoutMillis?: number): Promise<boolean> {
    const report = this.#isClosed ? undefined : this.#reporter?.report();
    let isFlushed = true;
    const flushed = this.#flushTransport(timeoutMillis).then((result) => {
      isFlushed = result;
    });
    const isSettled = await settlesWithin(
      Promise.all([report, flushed, this.#pending.settled(), this.#parts.spotlight?.settled()]),
      timeoutMillis,
    );
    return isSettled && isFlushed;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#reporter?.stop();
    this.#parts.onClose?.();
    this.#parts.spotlight?.close();
  }

  #refusal(): DiscardReason | undefined {
    if (this.#isClosed) return 'disabled';
    return this.#pending.size >= this.#parts.bufferSize ? 'queue_overflow' : undefined;
  }

  async #sendEvent(
    event: Event,
    attachments: readonly Attachment[],
    dsc: DynamicSamplingContext | undefined,
  ): Promise<void> {
    const { dsn, tunnel, clock, unsettled } = this.#parts;
    const envelope = createEventEnvelope(event, attachments, { dsn, tunnel, dsc, nowMillis: clock() });
    const items = [...envelope[1]];
    items.forEach((item, index) => {
      unsettled.add(item, index === 0 ? quantitiesOf(event) : ONE_ATTACHMENT);
    });
    const response = await this.#post(envelope);
    for (const item of items) settle(unsettled, item, response);
    this.#emit('afterSendEvent', event, response ?? {});
  }

  async #sendSession(session: SessionJSON | SessionAggregates): Promise<void> {
    const { dsn, tunnel, clock, unsettled } = this.#parts;
    const envelope = createSessionEnvelope(session, { dsn, tunnel, nowMillis: clock() });
    const item = envelope[1][0]!;
    unsettled.add(item, ONE_SESSION);
    settle(unsettled, item, await this.#post(envelope));
  }

  async #sendReport(discards: readonly DiscardedEvents[]): Promise<boolean> {
    const { dsn, tunnel, clock, unsettled } = this.#parts;
    const envelope = createClientReportEnvelope(discards, { dsn, tunnel, nowMillis: clock() });
    const item = envelope[1][0]!;
    unsettled.add(item, []);
    return settle(unsettled, item, await this.#post(envelope));
  }

  /** @returns the answer; `undefined` when there was none. Never rejects */
  async #post(envelope: Envelope): Promise<TransportResponse | undefined> {
    this.#emit('beforeEnvelope', envelope);
    this.#parts.spotlight?.copy(envelope);
    try {
      const answer: unknown = await this.#parts.transport.send(envelope);
      this.#isUnreachable = false;
      return readResponse(answer);
    } catch (error) {
      this.#reportUnreachable(error);
      return undefined;
    }
  }

  /** Says so once per outage, not once per event. */
  #reportUnreachable(error: unknown): void {
    if (this.#isUnreachable || this.#isClosed) return;
    this.#isUnreachable = true;
    log.warn('the destination cannot be reached; what is sent is lost until it can', error);
  }

  async #flushTransport(timeoutMillis: number | undefined): Promise<boolean> {
    try {
      return (await this.#parts.transport.flush(timeoutMillis)) !== false;
    } catch (error) {
      reportFailure('flush of the transport', error);
      return true;
    }
  }

  #emit: Client['emit'] = (hook, ...args) => {
    const { emit } = this.#parts;
    if (emit !== undefined) guard(hook, () => emit(hook, ...args), undefined);
  };
}

/** Sends nothing but the copies for a sidecar, because there is nowhere to send to. */
export class NoopOutbox implements Outbox {
  readonly #ledger: Ledger;
  readonly #spotlight: Spotlight | undefined;

  constructor(ledger: Ledger, spotlight?: Spotlight) {
    this.#ledger = ledger;
    this.#spotlight = spotlight;
  }

  sendEvent(event: Event, attachments: readonly Attachment[]): void {
    this.#spotlight?.copy(createEventEnvelope(event, attachments, { dsn: undefined, nowMillis: Date.now() }));
    discardEvent(this.#ledger, 'disabled', event, attachments);
  }

  sendSession(): void {
    this.#ledger.discard('disabled', ONE_SESSION);
  }

  flush(timeoutMillis?: number): Promise<boolean> {
    return this.#spotlight ? settlesWithin(this.#spotlight.settled(), timeoutMillis) : Promise.resolve(true);
  }

  close(): void {
    this.#spotlight?.close();
  }
}

function discardEvent(ledger: Ledger, reason: DiscardReason, event: Event, attachments: readonly Attachment[]): void {
  ledger.discard(reason, quantitiesOf(event));
  ledger.discard(reason, [['attachment', attachments.length]]);
}

function settle(unsettled: InFlightItems, item: EnvelopeItem, response: TransportResponse | undefined): boolean {
  if (response !== undefined) return unsettled.settle(item, response);
  unsettled.discard('network_error', item);
  return false;
}

/** What a transport answered, as far as it can be read: what is missing, no number or throws counts as not said. */
function readResponse(answer: unknown): TransportResponse {
  const read = (): TransportResponse => {
    const { statusCode, headers } = (answer ?? {}) as TransportResponse;
    return typeof statusCode === 'number' ? { statusCode, headers } : { headers };
  };
  return guard('the response of the transport', read, {});
}
