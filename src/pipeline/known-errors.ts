import { wasThrown } from '../context/thrown-primitives.js';
import { stackOf } from '../errors/stack.js';
import { nowSeconds } from '../internal/clock.js';
import { readString } from '../internal/read.js';
import { RecentMap } from '../internal/recent-map.js';
import type { Settings } from '../model/options.js';
import {
  type ExceptionFingerprint,
  type ExceptionText,
  fingerprintOf,
  isSameException,
  type RecordedException,
} from '../model/recorded-exception.js';

const MIN_TRACES = 1000;
const MAX_SIGHTINGS_PER_TRACE = 10;

/** Sightings by trace. */
type Sightings = RecentMap<string, ExceptionFingerprint[]>;

/**
 * The errors that one client has captured, so that each is captured once, however many ways it is reported.
 *
 * An error that is seen itself is known by its identity. Of one that was told to OpenTelemetry, often only the text is
 * seen: then each such text stands for one error of its trace, and the second of both is a repetition.
 */
export class KnownErrors {
  readonly #seen = new WeakSet<object>();
  readonly #byText: { readonly thrown: Sightings; readonly told: Sightings } | undefined;

  constructor({ captureRecordedExceptions }: Pick<Settings, 'captureRecordedExceptions'>) {
    if (!captureRecordedExceptions) return;
    this.#byText = { thrown: new RecentMap(MIN_TRACES), told: new RecentMap(MIN_TRACES) };
  }

  /**
   * Notes an error that is seen itself, be it frozen or not. Primitives have no identity, as equal ones need not be the
   * same error; of them only those that are on their way up through spans are known.
   *
   * @param traceOf tells the trace it was captured in; called only where texts are to be compared
   * @returns whether it was known
   */
  noteThrown(thrown: unknown, traceOf: () => string): boolean {
    if ((typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function') {
      if (this.#seen.has(thrown)) return true;
      this.#seen.add(thrown);
    } else if (wasThrown(thrown)) {
      return true;
    }
    if (!this.#byText) return false;
    const { told, thrown: own } = this.#byText;
    return isPaired(traceOf(), fingerprintOf(recordedTextOf(thrown), nowSeconds()), told, own);
  }

  /** Notes an error that was told to OpenTelemetry. @returns whether it was known */
  noteRecorded({ thrown, text, traceId, atSeconds }: RecordedException): boolean {
    if (thrown !== undefined) return this.noteThrown(thrown, () => traceId);
    return (
      this.#byText !== undefined &&
      isPaired(traceId, fingerprintOf(text, atSeconds), this.#byText.thrown, this.#byText.told)
    );
  }
}

/** The text that OpenTelemetry would keep of a thrown value. */
function recordedTextOf(thrown: unknown): ExceptionText {
  const isPrimitive = (typeof thrown !== 'object' || thrown === null) && typeof thrown !== 'function';
  return isPrimitive ? { message: String(thrown) } : { message: readString(thrown, 'message'), stack: stackOf(thrown) };
}

/** Takes what was seen the other way, or remembers what is seen now for the other way. */
function isPaired(traceId: string, sighting: ExceptionFingerprint, others: Sightings, own: Sightings): boolean {
  const candidates = others.get(traceId);
  const index = candidates?.findIndex((one) => isSameException(one, sighting)) ?? -1;
  if (index >= 0) {
    candidates?.splice(index, 1);
    return true;
  }
  const remembered = own.get(traceId);
  if (!remembered) own.set(traceId, [sighting]);
  else if (remembered.push(sighting) > MAX_SIGHTINGS_PER_TRACE) remembered.shift();
  return false;
}
