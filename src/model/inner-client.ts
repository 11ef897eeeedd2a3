import { readProperty } from '../internal/read.js';
import type { Client } from './contracts.js';
import type { TransactionEvent } from './event.js';
import { Ledger } from './ledger.js';
import type { OutgoingItem } from './outbox.js';
import type { RecordedException } from './recorded-exception.js';

/**
 * The client as the SDK's own parts see it. Every `Client` is one; `getInnerClient` returns the current one, and
 * integrations of the SDK declare it as the parameter of `setup`.
 */
export interface InnerClient extends Client {
  /** The count that all parts of this client write to. */
  readonly ledger: Ledger;

  /** Captures a transaction that was made of finished spans; unlike one from `captureEvent` it is not sanitized. */
  captureTransaction(event: TransactionEvent): void;
  /** Captures an error that was recorded through OpenTelemetry, unless it was captured another way before. */
  captureRecordedException(recorded: RecordedException): void;
  /** Sends an item that is no event. The caller has counted it as captured. */
  send(item: OutgoingItem): void;
}

/** Whether a value is a client of this SDK. */
export function isClient(value: unknown): value is InnerClient {
  return readProperty(value, 'ledger') instanceof Ledger;
}
