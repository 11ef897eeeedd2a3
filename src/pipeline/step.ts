import type { Discard } from '../model/delivery/outcome.js';
import type { Event } from '../model/event/event.js';
import type { SeverityLevel } from '../model/event/severity.js';
import type { EventHint } from '../model/hint.js';
import type { InnerClient } from '../model/inner-client.js';
import type { Scope } from '../model/scope/scope.js';
import type { ScopeStates } from './steps/merge-scopes.js';

/** Data that accompanies an event through the pipeline. */
export interface StepContext {
  readonly client: InnerClient;
  readonly hint: EventHint;
  /** The transaction name at capture. */
  readonly transaction: string | undefined;
  /** Level for this type of event if neither the caller nor a scope sets one. */
  readonly defaultLevel: SeverityLevel | undefined;
  /** Supplies the event's trace while no span is active. */
  readonly scope: Scope;
  /** Snapshot of the applicable scopes, taken at capture. */
  readonly states: ScopeStates;
  /**
   * Called when a step returns a promise, and again when it settles: with the current event, and with a function that
   * finishes it if the process ends now, as a rule by running the remaining steps.
   */
  readonly onWait: (event: Event, finish: Finish) => void;
  /** Whether the process is ending: steps then wait only if they must. */
  readonly isEnding?: boolean;
}

export type StepResult = Event | Discard;

/** Ends a wait. If the event has to wait again, it calls `onWait` again and returns a promise. */
export type Finish = () => StepResult | Promise<StepResult>;

/**
 * One step of the pipeline. The pipeline owns the event, so a step may mutate it. Returns that event, another one, or a
 * discard; a promise only if it waits for user code or for I/O.
 */
export interface Step {
  (event: Event, context: StepContext): StepResult | Promise<StepResult>;
  /**
   * What becomes of an event that waits in this step when the process ends. By default it is discarded, because user code
   * has not said yet whether and how it may leave.
   */
  readonly finish?: (event: Event, context: StepContext) => StepResult;
}
