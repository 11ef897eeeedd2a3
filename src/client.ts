import { monotonicMillis } from './internal/clock.js';
import { settlesWithin } from './internal/deadline.js';
import { createLogger } from './internal/diag.js';
import type { Emitter } from './internal/emitter.js';
import { guard, guardOwn } from './internal/guard.js';
import { uuid4 } from './internal/ids.js';
import { onProcessExit } from './internal/node/process-exit.js';
import { raiseStackTraceLimit } from './internal/node/stack-trace-limit.js';
import { append } from './internal/patching/originals.js';
import { runWithRoom } from './internal/stack-overflow.js';
import { readProperty, readString } from './internal/values/read.js';
import { CLIENT_BRAND } from './model/client-brand.js';
import type { Client as ClientContract, ClientHooks, Integration } from './model/contracts.js';
import type { Dsn } from './model/delivery/dsn.js';
import type { Ledger } from './model/delivery/ledger.js';
import type { Outbox, OutgoingItem } from './model/delivery/outbox.js';
import type { Transport } from './model/delivery/transport.js';
import type { Event, TransactionEvent } from './model/event/event.js';
import type { RecordedException } from './model/event/recorded-exception.js';
import { readSeverityLevel, type SeverityLevel } from './model/event/severity.js';
import type { EventHint, EventProcessor } from './model/hint.js';
import type { InnerClient } from './model/inner-client.js';
import { createSessionItem, ONE_SESSION } from './model/items/session-item.js';
import type { OpenTelemetryStatus } from './model/open-telemetry-status.js';
import type { Settings } from './model/options.js';
import type { Scope } from './model/scope/scope.js';
import { hasUserCode } from './model/send-hooks.js';
import { isSession, noteUpdate, type Session, sessionToJSON } from './model/session.js';
import { type CaptureInput, defaultLevelOf } from './pipeline/capture-input.js';
import { eventFromException, eventFromMessage, eventFromRecorded } from './pipeline/create-event.js';
import { Intake } from './pipeline/intake.js';
import { countCutSpans, outlineOf, sanitizeEvent, sanitizeHint } from './pipeline/sanitize/sanitize-event.js';

const log = createLogger('client');

/** The parts of a client; `init` puts them together. */
interface ClientParts {
  readonly settings: Settings;
  readonly dsn: Dsn | undefined;
  readonly ledger: Ledger;
  readonly hooks: Emitter<ClientHooks>;
  readonly outbox: Outbox;
  readonly integrations: readonly Integration[];
  readonly readOpenTelemetryStatus: (client: ClientContract) => OpenTelemetryStatus;
}

/**
 * Holds the parts that `init` has put together. Open from the start; `close` flushes and closes it, after which captures
 * still return ids, but nothing is sent. What happens to an event is in `Intake`.
 */
export class DefaultClient implements InnerClient {
  readonly [CLIENT_BRAND] = true;
  readonly settings: Settings;
  readonly dsn: Dsn | undefined;
  readonly ledger: Ledger;
  readonly #hooks: Emitter<ClientHooks>;
  readonly #outbox: Outbox;
  #integrations: readonly Integration[];
  /** Those added after `init`. */
  readonly #added: Integration[] = [];
  /** Whether there is user code that gets events: in the settings, or added since. */
  #hasUserCode: boolean;
  readonly #readOpenTelemetryStatus: ClientParts['readOpenTelemetryStatus'];
  readonly #intake: Intake;
  readonly #teardowns: Array<() => void> = [];
  readonly #ends: Array<() => void> = [];
  readonly #states = new Map<object, object>();
  readonly #eventProcessors: EventProcessor[] = [];
  isClosed = false;
  isEnding = false;
  #closing: Promise<boolean> | undefined;
  /** What `ledger.lost` was when the last flush ended. */
  #lostAtLastFlush = 0;

  constructor({ settings, dsn, ledger, hooks, outbox, integrations, readOpenTelemetryStatus }: ClientParts) {
    this.settings = settings;
    this.dsn = dsn;
    this.ledger = ledger;
    this.#hooks = hooks;
    this.#outbox = outbox;
    this.#integrations = integrations;
    this.#readOpenTelemetryStatus = readOpenTelemetryStatus;
    this.#intake = new Intake(this, outbox, integrations);
    this.#hasUserCode = hasUserCode(settings);
  }

  /** Begins to observe the process, in integrations and by itself. Called once, when the client has become the current one. */
  setupIntegrations(): void {
    this.#teardowns.push(raiseStackTraceLimit(this.settings.stackTraceLimit));
    for (const integration of this.#integrations) this.#setup(integration);
    this.#storeAtExit();
  }

  /** `process.exit()` leaves no time to send: what is unsent then goes to the store on disk. */
  #storeAtExit(): void {
    this.whenClosed(onProcessExit(() => guardOwn('storing at the end of the process', () => this.storeUnsent())));
  }

  addIntegration(integration: Integration): void {
    guardOwn('addIntegration', () => this.#addIntegration(integration));
  }

  #addIntegration(integration: Integration): void {
    const name = readProperty(integration, 'name');
    if (!this.#intake.isOpen || typeof name !== 'string' || this.getIntegration(name)) return;
    this.#integrations = [...this.#integrations, integration];
    this.#added.push(integration);
    this.#hasUserCode = true;
    const { integrations: optional = [] } = this.settings;
    // Listed in the settings, too, so that the pipeline sanitizes what the integration makes of events.
    const integrations = typeof optional === 'function' ? optional : [...optional, ...this.#added];
    this.#intake.useIntegrations({ ...this.settings, integrations }, this.#integrations);
    this.#setup(integration);
  }

  #setup(integration: Integration): void {
    const teardown = guard(`setup of ${readString(integration, 'name')}`, () => integration.setup?.(this));
    if (typeof teardown === 'function') this.#teardowns.push(teardown);
  }

  captureException(exception: unknown, hint?: EventHint, scope?: Scope): string {
    return this.#capture('captureException', hint, (ownHint, cutAttachments) => {
      ownHint.originalException = exception;
      const createEvent = () => eventFromException(exception, ownHint, this.settings);
      return { hint: ownHint, cutAttachments, scope, createEvent, defaultLevel: 'error', mayStorm: true };
    });
  }

  captureMessage(message: string, level?: SeverityLevel, hint?: EventHint, scope?: Scope): string {
    return this.#capture('captureMessage', hint, (ownHint, cutAttachments) => {
      const knownLevel = readSeverityLevel('captureMessage', level);
      const createEvent = () => eventFromMessage(message, knownLevel, ownHint, this.settings);
      return { hint: ownHint, cutAttachments, scope, createEvent, defaultLevel: 'info' };
    });
  }

  captureEvent(event: Event, hint?: EventHint, scope?: Scope): string {
    return this.#capture('captureEvent', hint, (ownHint, cutAttachments) => {
      const outline = this.#intake.refusesAll() ? outlineOf(event) : sanitizeEvent(event);
      const createEvent = () => outline;
      const cutSpans = countCutSpans(event, outline);
      const defaultLevel = defaultLevelOf(outline);
      return { hint: ownHint, cutAttachments, scope, outline, createEvent, cutSpans, defaultLevel };
    });
  }

  /**
   * Throws only when the call stack is exhausted, as any call would.
   *
   * @param prepare builds the input of the intake from a copy of the hint; may throw
   */
  #capture(
    what: string,
    hint: EventHint | undefined,
    prepare: (hint: EventHint, cutAttachments: number) => CaptureInput,
  ): string {
    const eventId = uuid4();
    const capture = () => {
      const own = sanitizeHint(hint);
      own.hint.event_id ??= eventId;
      return this.#intake.capture(prepare(own.hint, own.cutAttachments));
    };
    return runWithRoom(() => guardOwn(what, capture)) ?? eventId;
  }

  captureTransaction(event: TransactionEvent): void {
    this.#intake.capture({ hint: {}, outline: event, createEvent: () => event });
  }

  showsEvents(): boolean {
    return this.#hasUserCode || this.listens('preprocessEvent') || this.#intake.showsSentEvents();
  }

  captureRecordedException(recorded: RecordedException): void {
    const hint: EventHint = { mechanism: recorded.mechanism, originalException: recorded.thrown };
    const createEvent = () => eventFromRecorded(recorded, hint, this.settings);
    this.#intake.capture({ hint, outline: recorded.about, defaultLevel: 'error', createEvent, recorded });
  }

  captureSession(session: Session): void {
    const payload = isSession(session) ? guardOwn('a session', () => sessionToJSON(session, this.settings)) : undefined;
    if (!payload) return;
    noteUpdate(session);
    this.ledger.capture(ONE_SESSION);
    this.send(createSessionItem(payload));
  }

  send(item: OutgoingItem): void {
    this.#outbox.send([item]);
  }

  on<Hook extends keyof ClientHooks>(hook: Hook, handler: ClientHooks[Hook]): () => void {
    return this.#hooks.on(hook, handler);
  }

  emit<Hook extends keyof ClientHooks>(hook: Hook, ...args: Parameters<ClientHooks[Hook]>): void {
    this.#hooks.emit(hook, ...args);
  }

  listens(hook: keyof ClientHooks): boolean {
    return this.#hooks.has(hook);
  }

  get eventProcessors(): readonly EventProcessor[] {
    return this.#eventProcessors;
  }

  addEventProcessor(processor: EventProcessor): void {
    if (typeof processor !== 'function') return;
    append(this.#eventProcessors, processor);
    this.#hasUserCode = true;
  }

  stateOf<State extends object>(stateClass: new (client: InnerClient) => State): State {
    let state = this.#states.get(stateClass) as State | undefined;
    if (state === undefined) {
      state = new stateClass(this);
      this.#states.set(stateClass, state);
    }
    return state;
  }

  whenClosed(end: () => void): void {
    append(this.#ends, end);
  }

  getIntegration(name: string): Integration | undefined {
    return this.#integrations.find((integration) => readProperty(integration, 'name') === name);
  }

  getIntegrationByName(name: string): Integration | undefined {
    return this.getIntegration(name);
  }

  getOptions(): Settings {
    return this.settings;
  }

  getDsn(): Dsn | undefined {
    return this.dsn;
  }

  getTransport(): Transport | undefined {
    return this.#outbox.transport;
  }

  openTelemetryStatus(): OpenTelemetryStatus {
    return this.#readOpenTelemetryStatus(this);
  }

  async flush(timeoutMillis?: number): Promise<boolean> {
    try {
      return await this.#flush(timeoutMillis);
    } catch (error) {
      log.error('flush failed', error);
      return false;
    }
  }

  async #flush(timeoutMillis: number | undefined): Promise<boolean> {
    const left = countDown(timeoutMillis);
    const lostBefore = this.#lostAtLastFlush;
    this.#intake.release();
    this.emit('flush');
    const areProcessed = await this.#settleIntake(left);
    let isSettled = await this.#outbox.flush(left());
    if (!areProcessed) {
      // A closed client has discarded what still waited. An open one may be ready by now.
      const isProcessedNow = !this.isClosed && (await settlesWithin(this.#intake.settled(), left()));
      isSettled = isProcessedNow && (await this.#outbox.flush(left()));
    }
    const lost = this.ledger.lost + this.#intake.refused;
    if (isSettled) this.#lostAtLastFlush = lost;
    return isSettled && lost === lostBefore;
  }

  /**
   * Waits for user code that has events. When it takes long, sends the others, and leaves time for their delivery.
   *
   * @returns whether no event waits any more
   */
  async #settleIntake(left: TimeLeft): Promise<boolean> {
    const settled = this.#intake.settled();
    if (await settlesWithin(settled, left(ORDERED_SHARE))) return true;
    this.#intake.overtake();
    if (await settlesWithin(settled, left(HOOKS_SHARE))) return true;
    if (this.isClosed) this.#intake.finishWaiting();
    return false;
  }

  close(timeoutMillis?: number): Promise<boolean> {
    this.#closing ??= this.#close(timeoutMillis);
    return this.#closing;
  }

  async #close(timeoutMillis: number | undefined): Promise<boolean> {
    // In reverse order: the last wrapper of a function is removed first.
    for (const teardown of this.#teardowns.splice(0).reverse()) guard('teardown of an integration', teardown);
    this.isClosed = true;
    this.emit('close');
    const left = countDown(timeoutMillis);
    const isDelivered = await this.flush(timeoutMillis);
    await this.#outbox.flushRest(left);
    // What is captured while the rest is sent is stored, too.
    this.#intake.close();
    this.#outbox.close();
    for (const end of this.#ends.splice(0)) guardOwn('the end of the client', end);
    return isDelivered;
  }

  storeUnsent(): void {
    this.isEnding = true;
    this.#outbox.storeUnsent(() => {
      this.#intake.end();
      this.emit('flush');
    });
  }

  hasStored(): boolean {
    return this.#outbox.hasStored();
  }
}

/** Share of the time of a flush in which events keep their order, although one takes long. */
const ORDERED_SHARE = 0.5;
/** Share in which user code is waited for; the rest is for the destination. */
const HOOKS_SHARE = 0.9;

/** Milliseconds until a share of the time is over; `undefined` for no limit. */
type TimeLeft = (share?: number) => number | undefined;

function countDown(timeoutMillis: number | undefined): TimeLeft {
  const begin = monotonicMillis();
  if (typeof timeoutMillis !== 'number' || Number.isNaN(timeoutMillis)) return () => undefined;
  return (share = 1) => Math.max(timeoutMillis * share - (monotonicMillis() - begin), 0);
}

/** The client that `init` returns: its type, and the value for `instanceof`. */
export type Client = ClientContract;
export const Client: abstract new (...parts: never) => ClientContract = DefaultClient;
