import { AsyncResource } from 'node:async_hooks';
import { isolationOf } from '../context/captured-scopes.js';
import { KnownErrors } from '../context/known-errors.js';
import { noteErrorOfThread } from '../context/main-thread.js';
import { reportMistake, reportMistakesNow } from '../context/observed/report-mistakes.js';
import { currentTrace } from '../context/trace/trace.js';
import { unitOf } from '../context/unit-of-work.js';
import { createLogger } from '../internal/diag.js';
import { guardOwn, isPending } from '../internal/guard.js';
import { uuid4 } from '../internal/ids.js';
import type { Integration } from '../model/contracts.js';
import { traitsOf } from '../model/delivery/item-types.js';
import type { Outbox, OutgoingItem } from '../model/delivery/outbox.js';
import { Discard, type Quantities, sumQuantities } from '../model/delivery/outcome.js';
import type { TransportResponse } from '../model/delivery/transport.js';
import { ERROR_TYPE, type Event, exceptionsOf, quantitiesOf } from '../model/event/event.js';
import { withOwnParts } from '../model/event/shared-parts.js';
import { attachmentsOf, type EventHint, withAttachments } from '../model/hint.js';
import type { InnerClient } from '../model/inner-client.js';
import { createEventItems } from '../model/items/event-items.js';
import type { Settings } from '../model/options.js';
import { noteError, noteEvent, type Session } from '../model/session.js';
import { type CaptureInput, chosenFingerprintOf, currentScopeOf, type Origin, originOf } from './capture-input.js';
import { ErrorStorms, type HeldError, noteNotSent } from './error-storms.js';
import { EventsInUserCode } from './in-user-code.js';
import { capturesCrash, capturesError, noteInRequest } from './note-error.js';
import { createPipeline, type Pipeline } from './pipeline.js';
import { createErrorSampler, type ErrorSampler } from './sample-errors.js';
import type { Finish, StepResult } from './step.js';
import { isShown } from './steps/merge-scopes.js';
import { withLessData } from './steps/normalize-event.js';
import { WaitingEvents } from './waiting-events.js';

const log = createLogger('client');

const SENDING_HOOKS = ['beforeSendEvent', 'beforeEnvelope', 'afterSendEvent'] as const;

/** Of a capture that names no type. */
const OF_ERROR: Event = { type: ERROR_TYPE };

/**
 * Takes each event from its capture to the outbox. Each ends in one outcome.
 *
 * 1. `capture` leaves out errors that were captured before, and counts all others.
 * 2. `#refuse` discards what a closed client gets, what hooks capture endlessly, and what is sampled out.
 * 3. `#holdBack` keeps errors of a storm for later, or discards them.
 * 4. `#createAndProcess` discards what there is no room for, and creates the event.
 * 5. `#process` runs it through the steps of `pipeline.ts`, waits for user code, and notes it in its session.
 * 6. `#handOver` counts what the pipeline discarded, or hands the items to the outbox.
 */
export class Intake {
  readonly #client: InnerClient;
  readonly #outbox: Outbox;
  readonly #sampleError: ErrorSampler;
  #pipeline: Pipeline;
  readonly #storms: ErrorStorms;
  readonly #waiting = new WaitingEvents();
  readonly #inUserCode = new EventsInUserCode();
  #isOpen: boolean;
  /** Whether the client is closed or the process about to end: nothing can be awaited any more. */
  #isEnding = false;
  /** Captures after `close`. */
  #refused = 0;

  constructor(client: InnerClient, outbox: Outbox, integrations: readonly Integration[]) {
    const { settings } = client;
    this.#client = client;
    this.#outbox = outbox;
    this.#sampleError = createErrorSampler(settings);
    this.#pipeline = createPipeline(settings, integrations);
    this.#storms = new ErrorStorms(settings.maxSameErrorsPerSecond);
    this.#isOpen = settings.enabled;
  }

  /** False after `close`, and in a client that is not enabled. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Number of captures after `close`. */
  get refused(): number {
    return this.#refused;
  }

  /** Runs later events through these integrations, and reports mistakes in the added ones. */
  useIntegrations(settings: Settings, integrations: readonly Integration[]): void {
    this.#pipeline = createPipeline(settings, integrations);
    reportMistakesNow();
  }

  /** Whether user code gets the events that are sent. */
  showsSentEvents(): boolean {
    return this.#outbox.showsItems === true || SENDING_HOOKS.some((hook) => this.#client.listens(hook));
  }

  /** Whether any event would be refused now, whatever it contains. */
  refusesAll(): boolean {
    return (this.#refuseClosed() ?? this.#refuseFull({})) !== undefined;
  }

  /** Sends the errors that are held back. */
  release(): void {
    this.#storms.release();
  }

  /** Resolves when no event waits in the pipeline. */
  settled(): Promise<void> {
    return this.#waiting.settled();
  }

  /** Stops keeping the order: sends what has waited only for an earlier event. */
  overtake(): void {
    this.#waiting.overtake();
  }

  /** Sends what waits, without waiting for user code. */
  finishWaiting(): void {
    this.#waiting.finish();
  }

  /** Called when the process ends: sends what waits, what is held back and what is captured later, without waiting for user code. */
  end(): void {
    this.#isEnding = true;
    this.#storms.release();
    this.#waiting.finish();
    this.#inUserCode.end();
    // Scopes and hooks may hold a wrong level that no later capture reports.
    reportMistakesNow();
  }

  /** Sends what waits or is held back, and refuses what is captured later. */
  close(): void {
    this.#isEnding = true;
    this.#storms.release();
    this.#isOpen = false;
    this.#waiting.finish();
    reportMistakesNow();
  }

  /** @returns the id of the event, whatever becomes of it */
  capture(input: CaptureInput): string {
    reportMistakesNow();
    const { hint, outline } = input;
    const eventId = outline?.event_id ?? hint.event_id ?? uuid4();
    hint.event_id = eventId;
    const isolation = isolationOf(outline);
    if (this.#isOpen) noteInRequest(isolation, outline, hint);
    if (this.#isKnown(input, unitOf(isolation))) {
      log.debug('an error was captured before; it is not sent again');
      if (capturesCrash(outline, hint)) this.#noteUnsent(input);
      return eventId;
    }
    const quantities = withAttachments(quantitiesOf(outline ?? OF_ERROR), hint);
    this.#client.ledger.capture(quantities);
    this.#countCut(input);
    const discard = (refusal: Discard) => this.#discard(refusal, quantities, eventId);
    // Errors in a storm are compared by their name and message, which may be getters.
    const obstacle = this.#inUserCode.during(discard, () => {
      if (outline?.type === undefined) isolation.setLastEventId(eventId);
      return this.#refuse(input) ?? (this.#holdBack(input, quantities) ? 'held back' : undefined);
    });
    if (obstacle instanceof Discard) discard(obstacle);
    else if (obstacle === undefined) this.#createAndProcess(input, quantities);
    return eventId;
  }

  /** Counts what was cut from lists of the application. */
  #countCut({ cutSpans = 0, cutAttachments = 0 }: CaptureInput): void {
    const { ledger } = this.#client;
    if (cutSpans > 0) ledger.captureAndDiscard('buffer_overflow', [['span', cutSpans]]);
    if (cutAttachments > 0) ledger.captureAndDiscard('buffer_overflow', [['attachment', cutAttachments]]);
  }

  #isKnown({ hint, scope, outline, recorded }: CaptureInput, unit: object | undefined): boolean {
    if (recorded) return this.#client.stateOf(KnownErrors).noteRecorded(recorded, unit);
    // `undefined` can be thrown, too.
    if (!('originalException' in hint)) return false;
    const traceOf = () => outline?.contexts?.trace?.trace_id ?? currentTrace(this.#client, scope).traceId;
    return this.#client.stateOf(KnownErrors).noteThrown(hint.originalException, traceOf, unit);
  }

  #refuse(input: CaptureInput): Discard | undefined {
    const refusal = this.#refuseClosed() ?? this.#refuseNested() ?? this.#sampleError(input.outline ?? OF_ERROR);
    if (refusal?.reason === 'disabled' && this.#client.settings.enabled) this.#refused += 1;
    if (refusal?.reason === 'sample_rate') this.#noteUnsent(input);
    return refusal;
  }

  #refuseClosed(): Discard | undefined {
    return this.#isOpen ? undefined : new Discard('disabled', 'the client is closed or not enabled');
  }

  #refuseNested(): Discard | undefined {
    if (!this.#inUserCode.isFull) return undefined;
    const problem = 'they capture something on every call; what they capture then is discarded';
    reportMistake('hooks and event processors', problem);
    return new Discard('event_processor', 'a hook or an event processor captures on every call');
  }

  #refuseFull(outline: Event | undefined): Discard | undefined {
    const type = outline?.type ?? 'event';
    if (this.#waiting.isFull(traitsOf(type).priority))
      return new Discard('queue_overflow', 'too many events wait in the pipeline');
    if (!this.#outbox.isFull(type)) return undefined;
    return new Discard('queue_overflow', 'too many events wait for the destination');
  }

  /** @returns whether the error is held back, because so many like it were captured */
  #holdBack(input: CaptureInput, quantities: Quantities): boolean {
    if (!input.mayStorm) return false;
    const { hint, scope } = input;
    const hold = (): HeldError | undefined => {
      // Nobody would release it.
      if (this.#isEnding) {
        this.#client.ledger.discard('backpressure', quantities);
        return undefined;
      }
      const origin = originOf(input);
      // Not `AsyncResource.bind`, which takes four times as long, and a storm calls this for each error.
      const resource = new AsyncResource('FaultlineHeldError');
      const send = (notSent: number) => this.#createAndProcess(input, quantities, notSent, origin);
      return {
        send: (notSent) => resource.runInAsyncScope(send, undefined, notSent),
        discard: () => this.#client.ledger.discard('backpressure', quantities),
      };
    };
    return this.#storms.holdBack(hint.originalException, () => chosenFingerprintOf(hint, scope), hold);
  }

  /**
   * Never throws: the event was counted, and ends in one outcome.
   *
   * @param notSent how many errors like this one were discarded
   * @param origin scopes and session at the capture, for an error that was held back
   */
  #createAndProcess(input: CaptureInput, quantities: Quantities, notSent = 0, origin?: Origin): void {
    const { hint, outline, createEvent } = input;
    let isSettled = false;
    const settle = (result: StepResult) => {
      if (isSettled) return;
      const outcome = result instanceof Discard ? result : this.#createItems(result, hint, settle);
      // A hook may have ended the process, which has settled the event.
      if (isSettled) return;
      isSettled = true;
      this.#handOver(outcome, hint, quantities);
    };
    const refusal = this.#inUserCode.during(settle, () => {
      const full = this.#refuseFull(outline);
      if (!full) this.#process(noteNotSent(createEvent(), notSent), origin ?? originOf(input), input, settle);
      return full;
    });
    if (refusal) settle(refusal);
  }

  #process(
    event: Event,
    { scope, session: ofScope, states }: Origin,
    { hint, defaultLevel }: CaptureInput,
    settle: (result: StepResult) => void,
  ): void {
    const { transaction } = event;
    const session = event.type === undefined ? ofScope : undefined;
    let lastKnown = event;
    let finish: Finish = () => event;
    const onWait = (waiting: Event, finishNow: Finish) => {
      lastKnown = waiting;
      finish = finishNow;
    };
    const context = { client: this.#client, hint, transaction, defaultLevel, scope, states, onWait };
    const result = this.#pipeline(event, context);
    // The session may end while the event waits. No user code sees the event, so that none can drop it.
    const isPendingUnseen = isPending(result) && !isShown(this.#client, states);
    const isNoted = isPendingUnseen && session !== undefined && noteEvent(session, lastKnown);
    if (isNoted && session.status !== 'ok') this.#client.captureSession(session);
    const finishWaiting = () => finish();
    const noteAndSettle = (one: StepResult) => {
      if (!(one instanceof Discard)) {
        if (session) this.#noteSent(session, one, isNoted);
        if (one.type === undefined && exceptionsOf(one).length > 0) noteErrorOfThread();
      }
      settle(one);
    };
    this.#waiting.add(
      result,
      traitsOf(event.type ?? 'event').priority,
      [lastKnown, hint.attachments],
      finishWaiting,
      noteAndSettle,
    );
    if (this.#isEnding) this.#waiting.finish();
  }

  /** Hands the items of a processed event to the outbox, or counts it as discarded. Never throws. */
  #handOver(outcome: OutgoingItem[] | Discard, hint: EventHint, quantities: Quantities): void {
    if (outcome instanceof Discard) {
      // The pipeline may have added attachments of scopes.
      const all = withAttachments(quantities, hint);
      this.#client.ledger.adjust(quantities, all);
      this.#discard(outcome, all, hint.event_id);
      return;
    }
    this.#client.ledger.adjust(quantities, sumQuantities(outcome.map(quantitiesOfItem)));
    this.#outbox.send(outcome);
  }

  #createItems(result: Event, hint: EventHint, settle: (result: StepResult) => void): OutgoingItem[] | Discard {
    return this.#inUserCode.during(settle, () => {
      const event = this.showsSentEvents() ? withOwnParts(result) : result;
      this.#client.emit('beforeSendEvent', event, hint);
      // Otherwise the event would stay in memory until the answer.
      const onAnswer = this.#client.listens('afterSendEvent')
        ? (response: TransportResponse) => this.#client.emit('afterSendEvent', event, response)
        : undefined;
      return createEventItems(event, attachmentsOf(hint), onAnswer, withLessData);
    });
  }

  /** Counts an error in its session although its event is not sent: it happened all the same. */
  #noteUnsent({ hint, scope, outline }: CaptureInput): void {
    if (!this.#isOpen || !capturesError(outline, hint)) return;
    noteErrorOfThread();
    const session = currentScopeOf(outline, scope).getSession() ?? isolationOf(outline).getSession();
    if (session && noteError(session, capturesCrash(outline, hint))) this.#client.captureSession(session);
  }

  /** @param isNoted whether the session has counted the error while its event waited */
  #noteSent(session: Session, event: Event, isNoted: boolean): void {
    const isUnsent = isNoted && session.status === 'ok';
    const note = () => (noteEvent(session, event) || isUnsent) && this.#client.captureSession(session);
    guardOwn('a session', note, undefined);
  }

  #discard(discard: Discard, quantities: Quantities, eventId: string | undefined): void {
    this.#client.ledger.discard(discard.reason, quantities);
    log.debug(`${quantities[0]?.[0]} event ${eventId} discarded (${discard.reason}): ${discard.detail}`);
  }
}

const quantitiesOfItem = ({ quantities }: OutgoingItem): Quantities => quantities;
