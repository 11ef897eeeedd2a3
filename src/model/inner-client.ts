import { readProperty } from '../internal/values/read.js';
import { hasClientBrand } from './client-brand.js';
import type { Client, ClientHooks } from './contracts.js';
import type { Ledger } from './delivery/ledger.js';
import type { OutgoingItem } from './delivery/outbox.js';
import type { TransactionEvent } from './event/event.js';
import type { RecordedException } from './event/recorded-exception.js';

/**
 * The internal interface of the client. Every `Client` implements it; `getInnerClient` returns the current one, and the
 * SDK's integrations declare it as the parameter of `setup`.
 */
export interface InnerClient extends Client {
  /** The ledger of all parts of this client. */
  readonly ledger: Ledger;
  /** Whether `close` was called. */
  readonly isClosed: boolean;
  /** Whether the process ends: no span that runs will end. `storeUnsent` sets it, and then emits `flush`. */
  readonly isEnding: boolean;

  /** Captures a transaction built from finished spans; unlike `captureEvent`, does not sanitize it. */
  captureTransaction(event: TransactionEvent): void;
  /**
   * Whether user code gets events on their way, by hooks, processors, integrations or a custom transport. Processors of
   * scopes are not considered.
   */
  showsEvents(): boolean;
  /** Whether a lifecycle hook has handlers. */
  listens(hook: keyof ClientHooks): boolean;
  /** Captures an error recorded through OpenTelemetry, unless it was already captured. */
  captureRecordedException(recorded: RecordedException): void;
  /** Sends an item that is not an event. The caller has counted it as captured. */
  send(item: OutgoingItem): void;
  /**
   * Stores what was not delivered, without waiting, because the process ends: also events that wait in the pipeline, and
   * what is captured later.
   */
  storeUnsent(): void;
  /** Whether something is stored on disk that `flush` would send. Synchronous. */
  hasStored(): boolean;
  /** Calls back when `close` has ended, after which nothing is captured: later than the teardown of integrations. */
  whenClosed(end: () => void): void;
  /**
   * This client's instance of a class that holds the state of a mechanism; created on first use. Clients share no
   * instances.
   */
  stateOf<State extends object>(stateClass: new (client: InnerClient) => State): State;
}

/** Whether a value is a client of this SDK. */
export function isClient(value: unknown): value is InnerClient {
  return hasClientBrand(value);
}

/** The option `client` of an OpenTelemetry part; without it, the part serves the current client. */
export function readClientOption(options: unknown): InnerClient | undefined {
  const client = readProperty(options, 'client');
  return isClient(client) ? client : undefined;
}
