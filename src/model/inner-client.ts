import { readProperty } from '../internal/read.js';
import { SDK_MAJOR } from '../internal/version.js';
import type { Client } from './contracts.js';
import type { TransactionEvent } from './event.js';
import type { Ledger } from './ledger.js';
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
  /**
   * The state that a mechanism keeps for this client: the one instance of its class, made when it is first asked for.
   * Clients share nothing.
   */
  part<Part extends object>(partClass: new (client: InnerClient) => Part): Part;
}

/** Is on every client, whichever copy of this package made it. */
export const CLIENT_BRAND = Symbol.for(`faultline.v${SDK_MAJOR}.client`);

/** Whether a value is a client of this SDK. */
export function isClient(value: unknown): value is InnerClient {
  return readProperty(value, CLIENT_BRAND) === true;
}
