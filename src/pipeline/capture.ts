import type { Event } from '../model/event.js';
import type { EventHint } from '../model/hint.js';
import type { InnerClient } from '../model/inner-client.js';
import type { Discard } from '../model/outcome.js';
import type { Scope } from '../model/scope.js';
import type { ScopeState } from '../model/scope-state.js';
import type { SeverityLevel } from '../model/severity.js';

/** What travels with an event through the pipeline. */
export interface Capture {
  readonly client: InnerClient;
  readonly hint: EventHint;
  /** The name that the event was captured with. */
  readonly transaction: string | undefined;
  /** Of this kind of event, where neither the caller nor a scope gives a level. */
  readonly defaultLevel: SeverityLevel | undefined;
  /** The scope whose trace the event belongs to while there is no span. */
  readonly scope: Scope;
  /** The scopes that apply, as they were at the time of the capture. */
  readonly states: readonly Readonly<ScopeState>[];
  /** Called with the event in its present form when a step returns a promise. */
  readonly onWait?: (event: Event) => void;
}

export type StepResult = Event | Discard;

/**
 * One thing that happens to an event. Gets an event of the pipeline's own, which it may change, and returns it, another
 * one, or the discard that ends its way. A promise only where the host's code returned one.
 */
export type Step = (event: Event, capture: Capture) => StepResult | Promise<StepResult>;
