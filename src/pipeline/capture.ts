import type { Event } from '../model/event.js';
import type { EventHint } from '../model/hint.js';
import type { InnerClient } from '../model/inner-client.js';
import type { Discard } from '../model/outcome.js';
import type { Scope } from '../model/scope.js';
import type { ScopeState } from '../model/scope-state.js';
import type { SeverityLevel } from '../model/severity.js';

/** Data that accompanies an event through the pipeline. */
export interface Capture {
  readonly client: InnerClient;
  readonly hint: EventHint;
  /** The transaction name at capture. */
  readonly transaction: string | undefined;
  /** Level for this type of event if neither the caller nor a scope sets one. */
  readonly defaultLevel: SeverityLevel | undefined;
  /** Supplies the event's trace while no span is active. */
  readonly scope: Scope;
  /** Snapshot of the applicable scopes, taken at capture. */
  readonly states: readonly Readonly<ScopeState>[];
  /** Called with the current event when a step returns a promise. */
  readonly onWait?: (event: Event) => void;
}

export type StepResult = Event | Discard;

/**
 * One step of the pipeline. The pipeline owns the event, so a step may mutate it. Returns that event, another one, or a
 * discard; a promise only if user code returned one.
 */
export type Step = (event: Event, capture: Capture) => StepResult | Promise<StepResult>;
