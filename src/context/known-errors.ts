import { type Span, trace } from '@opentelemetry/api';
import { nowSeconds } from '../internal/clock.js';
import { RecentMap } from '../internal/collections/recent-map.js';
import { setImmediate } from '../internal/patching/originals.js';
import { unref } from '../internal/unref.js';
import { isObjectOrFunction, readString } from '../internal/values/read.js';
import { detach, MAX_STRING_LENGTH } from '../internal/values/strings.js';
import type { Client } from '../model/contracts.js';
import type { ExceptionStrings, RecordedException } from '../model/event/recorded-exception.js';
import { getScopes } from './current-scopes.js';
import { processWide } from './process-wide.js';

/** Equal strings within this time are one error; later ones are another. */
const MAX_DISTANCE_SECONDS = 5;
const MAX_MESSAGE_LENGTH = 200;
const MAX_STACK_LENGTH = 500;
/** OpenTelemetry may have cut a string: its beginning identifies the error if it is at least this long. */
const MIN_CUT_LENGTH = 100;
const MAX_FINGERPRINTS_PER_ID = 10;
const MIN_IDS = 1000;
/** How many primitives are kept of a span, a request or a job, which may run as long as the process. */
const MAX_PRIMITIVES = 100;

/** Stands for the code outside of units of work, and outside of spans. */
const OUTSIDE = {};

/**
 * The errors that one client has captured, so that each becomes one event, however often and in whatever way it is
 * reported:
 *
 * - The same object or function is one error within a request or job, together with the jobs that run inside it. A further
 *   request or job that fails with it is another error: several may await one promise.
 * - An equal primitive counts as the captured one in the spans that it leaves, outside of spans until the turn of the event
 *   loop ends, and in the same request or job.
 * - A thrown value, and an exception recorded through OpenTelemetry of which only the strings are known, are one error
 *   if they have the same trace, about the same time and equal strings. Each thrown value pairs with one recorded
 *   exception.
 * - Equal strings recorded on a span and then on it or on a span above it are one error, which was rethrown.
 *
 * Equal events of different errors are left to the optional integration `Dedupe`.
 */
export class KnownErrors {
  readonly #comparesStrings: boolean;
  /** With the unit of work in which each was captured first. */
  readonly #objects = new WeakMap<object, object>();
  /** Those that were captured in several units. */
  readonly #inFurtherUnits = new WeakMap<object, WeakSet<object>>();
  readonly #primitives = new WeakMap<object, Set<unknown>>();
  readonly #thrown = new Fingerprints();
  readonly #recorded = new Fingerprints();
  readonly #onSpans = new Fingerprints();

  constructor({ settings }: Client) {
    this.#comparesStrings = settings.captureRecordedExceptions;
  }

  /**
   * Notes a thrown value, frozen or not.
   *
   * @param traceOf returns the id of the trace it was captured in; called only if strings are to be compared
   * @param unit that of the work it was captured in, if it is known
   * @returns whether it was known
   */
  noteThrown(thrown: unknown, traceOf: () => string, unit: object | undefined): boolean {
    if (isObjectOrFunction(thrown) ? this.noteObject(thrown, unit) : this.#surfaces(thrown)) return true;
    if (!this.#comparesStrings) return false;
    const traceId = traceOf();
    const fingerprint = fingerprintOf(stringsOf(thrown), nowSeconds());
    if (this.#recorded.take(traceId, fingerprint)) return true;
    this.#thrown.add(traceId, fingerprint);
    return false;
  }

  /** Notes an exception that was recorded through OpenTelemetry. @returns whether it was known */
  noteRecorded({ thrown, strings, traceId, atSeconds }: RecordedException, unit: object | undefined): boolean {
    if (thrown !== undefined) return this.noteThrown(thrown, () => traceId, unit);
    const fingerprint = fingerprintOf(strings, atSeconds);
    if (this.#thrown.take(traceId, fingerprint)) return true;
    this.#recorded.add(traceId, fingerprint);
    return false;
  }

  /** Notes an object, in a unit of work or outside of them. @returns whether it was known there */
  noteObject(object: object, unit: object = OUTSIDE): boolean {
    const first = this.#objects.get(object);
    // What was captured outside of units may have lost the context of this one.
    if (first === undefined || first === OUTSIDE) {
      this.#objects.set(object, unit);
      return first === OUTSIDE;
    }
    return unit === OUTSIDE || unit === first || this.#wasInFurtherUnit(object, unit);
  }

  #wasInFurtherUnit(object: object, unit: object): boolean {
    const further = this.#inFurtherUnits.get(object);
    if (further?.has(unit)) return true;
    if (further) further.add(unit);
    else this.#inFurtherUnits.set(object, new WeakSet([unit]));
    return false;
  }

  /** Notes strings recorded on a span. @returns whether they were recorded on it or on a descendant before */
  noteOnSpan({ strings, atSeconds }: RecordedException, spanId: string, parentSpanId: string | undefined): boolean {
    const fingerprint = fingerprintOf(strings, atSeconds);
    const isKnown = this.#onSpans.has(spanId, fingerprint);
    this.#onSpans.add(spanId, fingerprint);
    if (parentSpanId) this.#onSpans.add(parentSpanId, fingerprint);
    return isKnown;
  }

  /** Passes the strings recorded on a span to its parent. */
  noteSpanEnd(spanId: string, parentSpanId: string | undefined): void {
    if (parentSpanId) for (const one of this.#onSpans.of(spanId)) this.#onSpans.add(parentSpanId, one);
  }

  /**
   * Notes a captured primitive that passes from a span to the code around it: it may surface in the latter and, as the
   * rejection of a promise, in the span itself. The framework may report it in any other span of the request or job.
   */
  notePassing(error: unknown, from: Span | undefined, to: Span | undefined): void {
    if (isObjectOrFunction(error)) return;
    if (from) this.notePrimitive(error, from);
    const { isolation } = getScopes();
    if (isolation !== processWide().fallback.isolation) this.notePrimitive(error, isolation);
    this.notePrimitive(error, to ?? OUTSIDE);
    // All code outside of spans shares one place, so entries are only valid during this turn of the event loop.
    if (!to) this.#forgetAfterTurn(OUTSIDE);
  }

  /**
   * Notes a primitive that a framework reports in the running request or job.
   *
   * @param unit what the framework knows the request or job by
   * @returns whether it was reported before, or has left a span of the request or job
   */
  noteReported(primitive: unknown, unit: object): boolean {
    const isKnown = this.#isNoted(primitive, getScopes().isolation);
    return this.notePrimitive(primitive, unit) || isKnown;
  }

  /** Notes a primitive in a span, a request or a job. @returns whether it was known there */
  notePrimitive(primitive: unknown, place: object): boolean {
    if (this.#isNoted(primitive, place)) return true;
    const noted = this.#primitives.get(place) ?? new Set();
    if (noted.size >= MAX_PRIMITIVES) noted.delete(noted.values().next().value);
    this.#primitives.set(place, noted.add(keyOf(primitive)));
    return false;
  }

  #isNoted(primitive: unknown, place: object): boolean {
    return this.#primitives.get(place)?.has(keyOf(primitive)) === true;
  }

  #surfaces(primitive: unknown): boolean {
    const place = trace.getActiveSpan() ?? OUTSIDE;
    if (!this.#isNoted(primitive, place)) return false;
    this.#forgetAfterTurn(place);
    return true;
  }

  #forgetAfterTurn(place: object): void {
    unref(setImmediate(() => this.#primitives.delete(place)));
  }
}

/** Of a string as much as would be sent, copied, so that it keeps no longer one alive. */
function keyOf(primitive: unknown): unknown {
  return typeof primitive === 'string' ? detach(primitive.slice(0, MAX_STRING_LENGTH)) : primitive;
}

type ExceptionFingerprint = ReturnType<typeof fingerprintOf>;

/** The latest fingerprints of each of the latest spans or traces. */
class Fingerprints {
  readonly #byId = new RecentMap<string, ExceptionFingerprint[]>(MIN_IDS);

  of(id: string): readonly ExceptionFingerprint[] {
    return this.#byId.get(id) ?? [];
  }

  has(id: string, fingerprint: ExceptionFingerprint): boolean {
    return this.of(id).some((one) => isSame(one, fingerprint));
  }

  add(id: string, fingerprint: ExceptionFingerprint): void {
    const present = this.#byId.get(id);
    if (!present) this.#byId.set(id, [fingerprint]);
    else if (!present.includes(fingerprint) && present.push(fingerprint) > MAX_FINGERPRINTS_PER_ID) present.shift();
  }

  /** Removes an equal fingerprint. @returns whether there was one */
  take(id: string, fingerprint: ExceptionFingerprint): boolean {
    const index = this.of(id).findIndex((one) => isSame(one, fingerprint));
    if (index >= 0) this.#byId.get(id)?.splice(index, 1);
    return index >= 0;
  }
}

/** The strings that OpenTelemetry would keep of a thrown value. */
function stringsOf(thrown: unknown): ExceptionStrings {
  return isObjectOrFunction(thrown)
    ? { message: readString(thrown, 'message'), stack: readString(thrown, 'stack') }
    : { message: String(thrown) };
}

/** Identifies an exception by copies of the beginnings of its strings, which keep no long string alive. Empty if absent. */
function fingerprintOf({ message = '', stack = '' }: ExceptionStrings, atSeconds: number) {
  return {
    message: detach(message.slice(0, MAX_MESSAGE_LENGTH)),
    stack: detach(stack.slice(0, MAX_STACK_LENGTH)),
    atSeconds,
  };
}

function isSame(one: ExceptionFingerprint, other: ExceptionFingerprint): boolean {
  return (
    Math.abs(one.atSeconds - other.atSeconds) <= MAX_DISTANCE_SECONDS &&
    isSameString(one.message, other.message) &&
    (one.stack === '' || other.stack === '' || isSameString(one.stack, other.stack))
  );
}

function isSameString(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one === other || (length >= MIN_CUT_LENGTH && one.slice(0, length) === other.slice(0, length));
}
