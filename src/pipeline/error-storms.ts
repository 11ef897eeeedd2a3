import { monotonicMillis } from '../internal/clock.js';
import { createLogger } from '../internal/diag.js';
import { unref } from '../internal/unref.js';
import { isObjectOrFunction, readString } from '../internal/values/read.js';
import { detach } from '../internal/values/strings.js';
import type { Event } from '../model/event/event.js';

const WINDOW_MILLIS = 1000;
/** How many different errors are counted; any others are sent. */
const MAX_STORMS = 1000;
/** Of a longer message, this many characters at the beginning and at the end are compared. */
const MAX_COMPARED_LENGTH = 500;
/** Formatting a stack takes longer than everything else here, so only the first ones of a second are compared. */
const MAX_READ_STACKS = 1000;
const MAX_PLACES = 100;
const PLACE_LENGTH = 300;

/** Member of `extra` with the number of errors that were not sent. */
const EXTRA = 'same_errors_not_sent';

const log = createLogger('pipeline');

/** A captured error that waits, because it may be the last one of its storm. */
export interface HeldError {
  /** @param notSent how many errors like this one were discarded */
  readonly send: (notSent: number) => void;
  readonly discard: () => void;
}

interface Storm {
  /** Errors in this window. */
  count: number;
  /** Whether the previous window had too many. */
  continues: boolean;
  /** Where errors of this storm were thrown, with their fingerprints. */
  readonly places: Set<string>;
  last: HeldError | undefined;
  notSent: number;
}

/**
 * Holds back errors with the same name and message that are captured very often. Of those beyond `maxPerSecond` within a
 * second, only the first from each new place and the last are sent, the last with the number of those that were not. From one
 * place, that is one event per second while the storm lasts.
 */
export class ErrorStorms {
  readonly #maxPerSecond: number;
  readonly #storms = new Map<string, Storm>();
  #windowEndMillis = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxPerSecond: number) {
    this.#maxPerSecond = maxPerSecond;
  }

  /**
   * @param thrown the captured error
   * @param readFingerprint returns the fingerprint that the application has set, if any
   * @param hold called when the error is held back; returns `undefined` if it was discarded instead
   * @returns whether the error is held back
   */
  holdBack(thrown: unknown, readFingerprint: () => readonly string[], hold: () => HeldError | undefined): boolean {
    const storm = this.#find(thrown);
    if (storm === undefined) return false;
    storm.count += 1;
    const isWithin = !storm.continues && storm.count <= this.#maxPerSecond;
    // The place of the last error within the limit is noted, so that the next one from there is not new.
    if (isWithin && storm.count < this.#maxPerSecond) return false;
    const isNew = storm.count <= MAX_READ_STACKS && isNewPlace(storm, thrown, readFingerprint());
    if (isWithin || isNew) return false;
    this.#timer ??= unref(setTimeout(() => this.#endWindow(), WINDOW_MILLIS));
    const held = hold();
    if (storm.last) {
      storm.last.discard();
      storm.notSent += 1;
    }
    storm.last = held;
    return true;
  }

  /** Sends the last error of each storm. */
  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const storm of this.#storms.values()) {
      const { last, notSent } = storm;
      storm.last = undefined;
      storm.notSent = 0;
      if (notSent > 0)
        log.info(`errors not sent, because so many like them were captured: ${notSent}; the last one is sent`);
      last?.send(notSent);
    }
  }

  #find(thrown: unknown): Storm | undefined {
    const nowMillis = monotonicMillis();
    if (nowMillis >= this.#windowEndMillis) this.#endWindow(nowMillis);
    const key = describeError(thrown);
    let storm = this.#storms.get(key);
    if (storm === undefined && this.#storms.size < MAX_STORMS) {
      storm = { count: 0, continues: false, places: new Set(), last: undefined, notSent: 0 };
      this.#storms.set(key, storm);
    }
    return storm;
  }

  #endWindow(nowMillis = monotonicMillis()): void {
    this.#windowEndMillis = nowMillis + WINDOW_MILLIS;
    this.release();
    for (const [key, storm] of this.#storms) {
      storm.continues = storm.count > this.#maxPerSecond;
      storm.count = 0;
      if (!storm.continues) this.#storms.delete(key);
    }
  }
}

/** Adds the number of errors like it that were not sent, if there were any. */
export function noteNotSent(event: Event, notSent: number): Event {
  return notSent > 0 ? { ...event, extra: { ...event.extra, [EXTRA]: notSent } } : event;
}

function describeError(thrown: unknown): string {
  const message = isObjectOrFunction(thrown)
    ? `${readString(thrown, 'name')}: ${readString(thrown, 'message')}`
    : String(thrown);
  if (message.length <= MAX_COMPARED_LENGTH) return message;
  return detach(`${message.slice(0, MAX_COMPARED_LENGTH)}${message.length}${message.slice(-MAX_COMPARED_LENGTH)}`);
}

/** Notes the place where an error was thrown. @returns whether it was unknown, and there was room to note it */
function isNewPlace({ places }: Storm, thrown: unknown, fingerprint: readonly string[]): boolean {
  const stack = readString(thrown, 'stack') ?? '';
  const begin = Math.max(stack.indexOf('\n    at '), 0);
  const place = detach(`${fingerprint.join()}${stack.slice(begin, begin + PLACE_LENGTH)}`);
  if (places.has(place) || places.size >= MAX_PLACES) return false;
  places.add(place);
  return true;
}
