import type { Discard } from '../model/delivery/outcome.js';
import { failure, heldAtEnd } from './pipeline.js';

type Settle = (discard: Discard) => void;

/** The events that user code may have right now; several, if it captures something. */
export class EventsInUserCode {
  readonly #settle: Settle[] = [];

  /**
   * Calls a function that may run user code.
   *
   * @param settle called if that ends the process, after which the function does not return
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

  /** Discards them: the process ends. */
  end(): void {
    for (const settle of this.#settle.splice(0)) settle(heldAtEnd());
  }
}
