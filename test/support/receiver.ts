import type { EnvelopeHeaders, EnvelopeItemHeaders } from '../../src/model/delivery/envelope.js';
import type { DiscardedEvents } from '../../src/model/delivery/ledger.js';
import type { DataCategory, DiscardReason } from '../../src/model/delivery/outcome.js';
import type { ErrorEvent, TransactionEvent } from '../../src/model/event/event.js';
import type * as received from '../../src/receiver/received.js';
import * as receiver from '../../src/receiver/receiver.js';
import { PATIENCE_MILLIS } from './eventually.js';

export type Answer = receiver.Answer;

/** Tests name what they expect to be there; what is missing fails them. */
type Present<T> = T extends (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [Member in keyof T]-?: Present<NonNullable<T[Member]>> }
    : T;

export type ReceivedErrorEvent = Present<Omit<ErrorEvent, 'sdkProcessingMetadata'>> & {
  sdkProcessingMetadata?: undefined;
};
export type ReceivedTransaction = Present<Omit<TransactionEvent, 'sdkProcessingMetadata'>> & {
  sdkProcessingMetadata?: undefined;
};
export type ClientReport = { timestamp: number; discarded_events: DiscardedEvents[] };

export interface ReceivedItem extends Omit<received.ReceivedItem, 'headers' | 'json'> {
  headers: EnvelopeItemHeaders;
  /** The parsed payload, for all but attachments. */
  json?: Record<string, unknown>;
}

export interface ReceivedEnvelope {
  headers: EnvelopeHeaders;
  items: ReceivedItem[];
}

export interface ReceivedRequest extends Omit<received.ReceivedRequest, 'envelope'> {
  /** Absent when the body is none. */
  envelope?: ReceivedEnvelope;
}

type Untyped = Pick<receiver.Receiver, 'url' | 'port' | 'dsn' | 'clear' | 'listen' | 'close'>;

/** The package's receiver, with what arrives typed by the SDK's own model. */
export interface Receiver extends Untyped {
  readonly requests: readonly ReceivedRequest[];
  readonly envelopes: readonly ReceivedEnvelope[];
  readonly events: readonly ReceivedErrorEvent[];
  readonly transactions: readonly ReceivedTransaction[];
  readonly attachments: readonly ReceivedItem[];
  readonly clientReports: readonly ClientReport[];
  /** What a strict server would have objected to; empty after a good test. */
  readonly violations: readonly string[];
  items(type?: EnvelopeItemHeaders['type']): ReceivedItem[];
  counts(): Partial<Record<DataCategory, number>>;
  refused(): Partial<Record<DataCategory, number>>;
  discards(): DiscardedEvents[];
  discardedTotal(reason?: DiscardReason, category?: DataCategory): number;
  respondWith(respond?: Answer | Respond): void;
  waitFor<T>(predicate: (receiver: Receiver) => T, timeoutMillis?: number): Promise<NonNullable<T>>;
}

type Respond = (request: ReceivedRequest) => Answer | undefined | Promise<Answer | undefined>;

export interface ReceiverOptions extends Omit<receiver.ReceiverOptions, 'respond' | 'onEnvelope'> {
  respond?: Answer | Respond;
  onEnvelope?: (envelope: ReceivedEnvelope, request: ReceivedRequest) => void;
}

/** Starts the package's receiver, typed by the SDK's own model. Close it after the test. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const started = (await receiver.startReceiver(options as receiver.ReceiverOptions)) as unknown as Receiver;
  const waitFor = started.waitFor.bind(started) as Receiver['waitFor'];
  return Object.assign(started, {
    waitFor: ((predicate, timeoutMillis = PATIENCE_MILLIS) => waitFor(predicate, timeoutMillis)) as Receiver['waitFor'],
  });
}
