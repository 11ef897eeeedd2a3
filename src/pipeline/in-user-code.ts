import type { Discard } from '../model/delivery/outcome.js';
import { failure, inUserCodeAtEnd } from './pipeline.js';
import { chainLength } from './run-hook.js';

type Settle = (discard: Discard) => void;

/** Beyond this many nested or successive events, user code captures something each time it is called. */
const MAX_EVENTS = 10;

/** The events that user code has at the moment: several, when user code captures something itself. */
export class EventsInUserCode {
  readonly #settle: Settle[] = [];

  /** Whether user code captures on every call, which would fill the stack or, if the code waits, never stop. */
  get isFull(): boolean {
    return this.#settle.length > MAX_EVENTS || chainLength() > MAX_EVENTS;
  }

  /**
   * Calls a function that may run user code.
   *
   * @param settle called if the function ends the process, and so never returns
   * @returns its result; a discard if it throws
   */
  during<T>(settle: Settle, call: () => T): T | Discard {
    this.#settle.push(settle);
    try {
      return call();
    } catch (error) {
      return failure(error);
    } finally {
      this.#settle.pop();
    }
  }

  /** Discards these events, because the process ends. */
  end(): void {
    for (const settle of this.#settle.splice(0)) settle(inUserCodeAtEnd());
  }
}
