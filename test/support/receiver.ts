import type { EnvelopeHeaders, EnvelopeItemHeaders } from '../../src/model/delivery/envelope.js';
import type { DiscardedEvents } from '../../src/model/delivery/ledger.js';
import type { DataCategory, DiscardReason } from '../../src/model/delivery/outcome.js';
import type { ErrorEvent, TransactionEvent } from '../../src/model/event/event.js';
import { type Answer, type Respond, startReceiver as start } from '../../src/receiver/receiver.js';
import { PATIENCE_MILLIS } from './eventually.js';

export type { Answer };

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

export interface ReceivedItem {
  headers: EnvelopeItemHeaders;
  payload: Buffer;
  /** The parsed payload, for all but attachments. */
  json?: Record<string, unknown>;
}

export interface ReceivedEnvelope {
  headers: EnvelopeHeaders;
  items: ReceivedItem[];
}

export interface ReceivedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  /** Length of the body as it was sent. */
  wireBytes: number;
  /** Decompressed. */
  body: Buffer;
  /** Absent when the body is none. */
  envelope?: ReceivedEnvelope;
  /** What was answered; absent while, or because, there is no answer. */
  statusCode?: number;
}

/** A destination on a real local port; `src/receiver/receiver.ts` says what each member does. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly dsn: string;
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
  respondWith(
    respond?: Answer | ((request: ReceivedRequest) => Answer | undefined | Promise<Answer | undefined>),
  ): void;
  waitFor<T>(predicate: (receiver: Receiver) => T, timeoutMillis?: number): Promise<NonNullable<T>>;
  clear(): void;
  /** Opens it again, after `close`. */
  listen(port: number): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** A free one, when absent. */
  port?: number;
  /** Of the DSN; a random one, when absent. */
  publicKey?: string;
  /** Of the DSN, before the project, with a leading slash. */
  path?: string;
  /** Takes envelopes that name their destination in their `dsn` header. */
  tunnelPath?: string;
  respond?: Answer | ((request: ReceivedRequest) => Answer | undefined | Promise<Answer | undefined>);
  onEnvelope?: (envelope: ReceivedEnvelope, request: ReceivedRequest) => void;
}

/** Starts the package's receiver, typed by the SDK's own model. Close it after the test. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { respond, onEnvelope, ...rest } = options;
  const receiver = (await start({
    ...rest,
    respond: respond as Respond,
    onEnvelope: onEnvelope as never,
  })) as unknown as Receiver;
  const waitFor = receiver.waitFor.bind(receiver) as Receiver['waitFor'];
  return Object.assign(receiver, {
    waitFor: ((predicate, timeoutMillis = PATIENCE_MILLIS) => waitFor(predicate, timeoutMillis)) as Receiver['waitFor'],
  });
}
