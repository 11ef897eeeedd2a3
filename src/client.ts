import { AsyncResource } from 'node:async_hooks';
import { isolationOf } from './context/captured-scopes.js';
import { KnownErrors } from './context/known-errors.js';
import { currentTrace } from './context/trace.js';
import { monotonicMillis } from './internal/clock.js';
import { settlesWithin } from './internal/deadline.js';
import { createLogger } from './internal/diag.js';
import type { Emitter } from './internal/emitter.js';
import { guard } from './internal/guard.js';
import { uuid4 } from './internal/ids.js';
import { append } from './internal/originals.js';
import { readProperty } from './internal/read.js';
import { raiseStackTraceLimit } from './internal/stack-trace-limit.js';
import { CLIENT_BRAND } from './model/client-brand.js';
import type { Client as ClientContract, ClientHooks, Integration } from './model/contracts.js';
import type { Dsn } from './model/dsn.js';
import { priorityOfType } from './model/envelope.js';
import { type Event, quantitiesOf, type TransactionEvent } from './model/event.js';
import { attachmentsOf, type EventHint, type EventProcessor, withAttachments } from './model/hint.js';
import type { InnerClient } from './model/inner-client.js';
import { createEventItems } from './model/items/event-items.js';
import { createSessionItem, ONE_SESSION } from './model/items/session-item.js';
import type { Ledger } from './model/ledger.js';
import type { OpenTelemetryStatus } from './model/open-telemetry-status.js';
import type { Settings } from './model/options.js';
import type { Outbox, OutgoingItem } from './model/outbox.js';
import { Discard, type Quantities, sumQuantities } from './model/outcome.js';
import type { RecordedException } from './model/recorded-exception.js';
import type { Scope } from './model/scope.js';
import { hasUserCode } from './model/send-hooks.js';
import { isSession, noteError, noteEvent, type Session, sessionToJSON } from './model/session.js';
import { isSeverityLevel, type SeverityLevel } from './model/severity.js';
import { withOwnParts } from './model/shared-parts.js';
import type { Transport, TransportResponse } from './model/transport.js';
import {
  type Captured,
  currentScopeOf,
  defaultLevelOf,
  fingerprintOf,
  type Origin,
  originOf,
} from './pipeline/captured.js';
import { eventFromException, eventFromMessage, eventFromRecorded } from './pipeline/create-event.js';
import { ErrorStorms, type HeldError, noteNotSent } from './pipeline/error-storms.js';
import type { ScopeStates } from './pipeline/merge-scopes.js';
import { capturesCrash, capturesError, noteInRequest } from './pipeline/note-error.js';
import { createPipeline, type Pipeline } from './pipeline/pipeline.js';
import { createErrorSampler, type ErrorSampler } from './pipeline/sample-errors.js';
import { countCutSpans, outlineOf, sanitizeEvent, sanitizeHint } from './pipeline/sanitize-event.js';
import type { Finish, StepResult } from './pipeline/step.js';
import { WaitingEvents } from './pipeline/waiting-events.js';

const log = createLogger('client');

const SENDING_HOOKS = ['beforeSendEvent', 'beforeEnvelope', 'afterSendEvent'] as const;

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
 * Takes events through the pipeline to the outbox. Open from the start; `close` flushes and closes it, after which
 * captures still return ids, but nothing is sent.
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
  /** Whether the settings have user code that gets events. */
  readonly #hasUserCode: boolean;
  readonly #readOpenTelemetryStatus: ClientParts['readOpenTelemetryStatus'];
  readonly #sampleError: ErrorSampler;
  #pipeline: Pipeline;
  readonly #storms: ErrorStorms;
  readonly #waiting = new WaitingEvents();
  readonly #teardowns: Array<() => void> = [];
  readonly #parts = new Map<object, object>();
  readonly #eventProcessors: EventProcessor[] = [];
  #open: boolean;
  /** Whether the process is about to end: nothing can be awaited any more. */
  #isEnding = false;
  #closing: Promise<boolean> | undefined;
  /** What `ledger.lost` was when the last flush ended. */
  #lostAtLastFlush = 0;
  /** Captures after `close`. */
  #refused = 0;

  constructor({ settings, dsn, ledger, hooks, outbox, integrations, readOpenTelemetryStatus }: ClientParts) {
    this.settings = settings;
    this.dsn = dsn;
    this.ledger = ledger;
    this.#hooks = hooks;
    this.#outbox = outbox;
    this.#integrations = integrations;
    this.#readOpenTelemetryStatus = readOpenTelemetryStatus;
    this.#sampleError = createErrorSampler(settings);
    this.#pipeline = createPipeline(settings, integrations);
    this.#storms = new ErrorStorms(settings.maxSameErrorsPerSecond);
    this.#open = settings.enabled;
    this.#hasUserCode = hasUserCode(settings);
  }

  /** Calls `setup` of each integration. Called once, when the client has become the current one. */
  setupIntegrations(): void {
    this.#teardowns.push(raiseStackTraceLimit(this.settings.stackTraceLimit));
    for (const integration of this.#integrations) this.#setup(integration);
    // After the integrations, which may capture something in their own listeners.
    process.on('exit', this.#storeAtExit);
  }

  addIntegration(integration: Integration): void {
    const name = readProperty(integration, 'name');
    if (!this.#open || typeof name !== 'string' || this.getIntegration(name)) return;
    this.#integrations = [...this.#integrations, integration];
    this.#added.push(integration);
    const { integrations: optional = [] } = this.settings;
    // Listed in the settings, too, so that the pipeline sanitizes what the integration makes of events.
    const integrations = typeof optional === 'function' ? optional : [...optional, ...this.#added];
    this.#pipeline = createPipeline({ ...this.settings, integrations }, this.#integrations);
    this.#setup(integration);
  }

  #setup(integration: Integration): void {
    const teardown = guard(`setup of ${integration.name}`, () => integration.setup?.(this), undefined);
    if (typeof teardown === 'function') this.#teardowns.push(teardown);
  }

  captureException(exception: unknown, hint?: EventHint, scope?: Scope): string {
    return guard('captureException', () => this.#captureException(exception, hint, scope), undefined) ?? uuid4();
  }

  #captureException(exception: unknown, hint?: EventHint, scope?: Scope): string {
    const ownHint = sanitizeHint(hint);
    ownHint.originalException = exception;
    const createEvent = () => eventFromException(exception, ownHint, this.settings);
    return this.#capture({ hint: ownHint, scope, defaultLevel: 'error', createEvent, mayStorm: true });
  }

  captureMessage(message: string, level?: SeverityLevel, hint?: EventHint, scope?: Scope): string {
    return guard('captureMessage', () => this.#captureMessage(message, level, hint, scope), undefined) ?? uuid4();
  }

  #captureMessage(message: string, level?: SeverityLevel, hint?: EventHint, scope?: Scope): string {
    const ownHint = sanitizeHint(hint);
    const knownLevel = isSeverityLevel(level) ? level : undefined;
    const createEvent = () => eventFromMessage(message, knownLevel, ownHint, this.settings);
    return this.#capture({ hint: ownHint, scope, defaultLevel: 'info', createEvent });
  }

  captureEvent(event: Event, hint?: EventHint, scope?: Scope): string {
    return guard('captureEvent', () => this.#captureEvent(event, hint, scope), undefined) ?? uuid4();
  }

  #captureEvent(event: Event, hint?: EventHint, scope?: Scope): string {
    const outline = this.#refuseAll() ? outlineOf(event) : sanitizeEvent(event);
    const defaultLevel = defaultLevelOf(outline);
    const cutSpans = countCutSpans(event, outline);
    return this.#capture({
      hint: sanitizeHint(hint),
      scope,
      outline,
      cutSpans,
      defaultLevel,
      createEvent: () => outline,
    });
  }

  captureTransaction(event: TransactionEvent): void {
    this.#capture({ hint: {}, outline: event, createEvent: () => event });
  }

  showsEvents(): boolean {
    const isShown = this.#hasUserCode || this.#added.length > 0 || this.#eventProcessors.length > 0;
    return isShown || this.listens('preprocessEvent') || this.#isShown();
  }

  captureRecordedException(recorded: RecordedException): void {
    const hint: EventHint = { mechanism: recorded.mechanism, originalException: recorded.thrown };
    const createEvent = () => eventFromRecorded(recorded, hint, this.settings);
    this.#capture({ hint, outline: recorded.about, defaultLevel: 'error', createEvent, recorded });
  }

  captureSession(session: Session): void {
    const payload = isSession(session)
      ? guard('a session', () => sessionToJSON(session, this.settings), undefined)
      : undefined;
    if (!payload) return;
    guard('a session', () => Object.assign(session, { init: false }), session);
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
    if (typeof processor === 'function') append(this.#eventProcessors, processor);
  }

  part<Part extends object>(partClass: new (client: InnerClient) => Part): Part {
    let part = this.#parts.get(partClass) as Part | undefined;
    if (part === undefined) {
      part = new partClass(this);
      this.#parts.set(partClass, part);
    }
    return part;
  }

  getIntegration(name: string): Integration | undefined {
    return this.#integrations.find((integration) => integration.name === name);
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
    const begin = monotonicMillis();
    const timeout = typeof timeoutMillis === 'number' && !Number.isNaN(timeoutMillis) ? timeoutMillis : undefined;
    const lostBefore = this.#lostAtLastFlush;
    this.#storms.release();
    this.emit('flush');
    if (!(await settlesWithin(this.#waiting.settled(), timeout))) return false;
    const remaining = timeout === undefined ? undefined : Math.max(timeout - (monotonicMillis() - begin), 0);
    const isSettled = await this.#outbox.flush(remaining);
    const lost = this.ledger.lost + this.#refused;
    if (isSettled) this.#lostAtLastFlush = lost;
    return isSettled && lost === lostBefore;
  }

  close(timeoutMillis?: number): Promise<boolean> {
    this.#closing ??= this.#close(timeoutMillis);
    return this.#closing;
  }

  async #close(timeoutMillis: number | undefined): Promise<boolean> {
    for (const teardown of this.#teardowns.splice(0)) guard('teardown of an integration', teardown, undefined);
    this.emit('close');
    const isDelivered = await this.flush(timeoutMillis);
    this.#storms.release();
    this.#open = false;
    // What is captured while the rest is sent is stored, too.
    this.#waiting.finish();
    this.#outbox.close();
    process.off('exit', this.#storeAtExit);
    return isDelivered;
  }

  storeUnsent(): void {
    this.#isEnding = true;
    this.#outbox.storeUnsent(() => {
      this.#storms.release();
      this.emit('flush');
      this.#waiting.finish();
    });
  }

  hasStored(): boolean {
    return this.#outbox.hasStored();
  }

  readonly #storeAtExit = (): void => guard('storing at the end of the process', () => this.storeUnsent(), undefined);

  #capture(captured: Captured): string {
    const { hint, outline, cutSpans = 0 } = captured;
    const eventId = hint.event_id ?? uuid4();
    hint.event_id = eventId;
    const isolation = isolationOf(outline);
    if (this.#open) noteInRequest(isolation, outline, hint);
    if (this.#isKnown(captured)) {
      log.debug('an error was captured before; it is not sent again');
      if (capturesCrash(outline, hint)) this.#noteUnsent(captured);
      return eventId;
    }
    const quantities = withAttachments(quantitiesOf(outline ?? {}), hint);
    this.ledger.capture(quantities);
    if (cutSpans > 0) this.ledger.captureAndDiscard('buffer_overflow', [['span', cutSpans]]);
    try {
      if (outline?.type === undefined) isolation.setLastEventId(eventId);
      const refusal = this.#refuse(captured);
      if (refusal) this.#discard(refusal, quantities, eventId);
      else if (!this.#holdBack(captured, quantities)) this.#send(captured, quantities);
    } catch (error) {
      this.#discard(failure(error), quantities, eventId);
    }
    return eventId;
  }

  #refuse(captured: Captured): Discard | undefined {
    const refusal = this.#refuseClosed() ?? this.#sampleError(captured.outline ?? {});
    if (refusal?.reason === 'disabled' && this.settings.enabled) this.#refused += 1;
    if (refusal?.reason === 'sample_rate') this.#noteUnsent(captured);
    return refusal;
  }

  /** @returns whether the error is held back, because so many like it were captured */
  #holdBack(captured: Captured, quantities: Quantities): boolean {
    if (!captured.mayStorm) return false;
    const { hint, scope } = captured;
    const hold = (): HeldError => {
      const origin = originOf(captured);
      // Not `AsyncResource.bind`, which takes four times as long, and a storm calls this for each error.
      const resource = new AsyncResource('FaultlineHeldError');
      const send = (notSent: number) => this.#send(captured, quantities, notSent, origin);
      return {
        send: (notSent) => resource.runInAsyncScope(send, undefined, notSent),
        discard: () => this.ledger.discard('backpressure', quantities),
      };
    };
    return this.#storms.holdBack(hint.originalException, () => fingerprintOf(hint, scope), hold);
  }

  /**
   * Never throws: the event was counted, and ends in one outcome.
   *
   * @param notSent how many errors like this one were discarded
   * @param origin of the capture, if it was some time ago
   */
  #send(captured: Captured, quantities: Quantities, notSent = 0, origin?: Origin): void {
    const { hint, outline, createEvent } = captured;
    let isSettled = false;
    const settle = (result: StepResult) => {
      if (isSettled) return;
      isSettled = true;
      this.#settle(result, hint, quantities);
    };
    try {
      const refusal = this.#refuseFull(outline);
      if (refusal) settle(refusal);
      else this.#process(noteNotSent(createEvent(), notSent), origin ?? originOf(captured), captured, settle);
    } catch (error) {
      settle(failure(error));
    }
  }

  #isKnown({ hint: { originalException: thrown }, scope, outline, recorded }: Captured): boolean {
    if (recorded) return this.part(KnownErrors).noteRecorded(recorded);
    const traceOf = () => outline?.contexts?.trace?.trace_id ?? currentTrace(this, scope).traceId;
    return thrown !== undefined && this.part(KnownErrors).noteThrown(thrown, traceOf);
  }

  /** Counts an error in its session although its event is not sent: it happened all the same. */
  #noteUnsent({ hint, scope, outline }: Captured): void {
    if (!this.#open || !capturesError(outline, hint)) return;
    const session = currentScopeOf(outline, scope).getSession() ?? isolationOf(outline).getSession();
    if (session && noteError(session, capturesCrash(outline, hint))) this.captureSession(session);
  }

  #refuseClosed(): Discard | undefined {
    return this.#open ? undefined : new Discard('disabled', 'the client is closed or not enabled');
  }

  /** The reason to refuse any event, whatever it contains. */
  #refuseAll(): Discard | undefined {
    return this.#refuseClosed() ?? this.#refuseFull({});
  }

  #refuseFull(outline: Event | undefined): Discard | undefined {
    const priority = priorityOfType(outline?.type ?? 'event');
    if (this.#waiting.isFull(priority)) return new Discard('queue_overflow', 'too many events wait in the pipeline');
    if (!this.#outbox.isFull(priority)) return undefined;
    return new Discard('queue_overflow', 'too many events wait for the destination');
  }

  #process(
    event: Event,
    { scope, session: ofScope, states }: Origin,
    { hint, defaultLevel }: Captured,
    settle: (result: StepResult) => void,
  ): void {
    const { transaction } = event;
    const session = event.type === undefined ? ofScope : undefined;
    let held = event;
    let finish: Finish = () => event;
    const onWait = (waiting: Event, finishNow: Finish) => {
      held = waiting;
      finish = finishNow;
    };
    const capture = { client: this, hint, transaction, defaultLevel, scope, states, onWait };
    const result = this.#pipeline(event, capture);
    // The session may end while the event waits.
    const isCertain = result instanceof Promise && !this.#mayDiscard(states);
    const isNoted = isCertain && session !== undefined && noteEvent(session, held);
    if (isNoted && session.status !== 'ok') this.captureSession(session);
    const finishHeld = () => finish();
    const settleOne = (one: StepResult) => {
      if (session && !(one instanceof Discard)) this.#noteSent(session, one, isNoted);
      settle(one);
    };
    this.#waiting.add(result, priorityOfType(event.type ?? 'event'), [held, hint.attachments], finishHeld, settleOne);
    if (this.#isEnding) this.#waiting.finish();
  }

  /** @param isNoted whether the session has counted the error while its event waited */
  #noteSent(session: Session, event: Event, isNoted: boolean): void {
    const isUnsent = isNoted && session.status === 'ok';
    guard('a session', () => (noteEvent(session, event) || isUnsent) && this.captureSession(session), undefined);
  }

  /** Whether user code may still discard an event that waits. */
  #mayDiscard(states: ScopeStates): boolean {
    return this.showsEvents() || states.some(({ eventProcessors }) => eventProcessors.length > 0);
  }

  /** Sends the event that came out of the pipeline, and counts what the pipeline discarded of it. Never throws. */
  #settle(result: StepResult, hint: EventHint, quantities: Quantities): void {
    const items = result instanceof Discard ? result : this.#createItems(result, hint);
    if (items instanceof Discard) {
      // The pipeline may have added attachments of scopes.
      const all = withAttachments(quantities, hint);
      this.ledger.adjust(quantities, all);
      this.#discard(items, all, hint.event_id);
      return;
    }
    this.ledger.adjust(
      quantities,
      items.length === 1 ? items[0]!.quantities : sumQuantities(items.map(quantitiesOfItem)),
    );
    this.#outbox.send(items);
  }

  #createItems(result: Event, hint: EventHint): OutgoingItem[] | Discard {
    try {
      const event = this.#isShown() ? withOwnParts(result) : result;
      this.emit('beforeSendEvent', event, hint);
      // Otherwise the event would stay in memory until the answer.
      const onAnswer = this.listens('afterSendEvent')
        ? (response: TransportResponse) => this.emit('afterSendEvent', event, response)
        : undefined;
      return createEventItems(event, attachmentsOf(hint), onAnswer);
    } catch (error) {
      return failure(error);
    }
  }

  /** Whether user code gets the events that are sent. */
  #isShown(): boolean {
    return this.#outbox.showsItems === true || SENDING_HOOKS.some((hook) => this.listens(hook));
  }

  #discard(discard: Discard, quantities: Quantities, eventId: string | undefined): void {
    this.ledger.discard(discard.reason, quantities);
    log.debug(`${quantities[0]?.[0]} event ${eventId} discarded (${discard.reason}): ${discard.detail ?? ''}`);
  }
}

function failure(error: unknown): Discard {
  log.error('processing what was captured failed; it is discarded', error);
  return new Discard('internal_sdk_error', 'processing failed');
}

const quantitiesOfItem = ({ quantities }: OutgoingItem): Quantities => quantities;

/** The client that `init` returns: its type, and the value for `instanceof`. */
export type Client = ClientContract;
export const Client: abstract new (...parts: never) => ClientContract = DefaultClient;
