import { nowSeconds } from '../internal/clock.js';
import { readString } from '../internal/read.js';
import { RecentMap } from '../internal/recent-map.js';
import type { Settings } from '../model/options.js';
import {
  type ExceptionFingerprint,
  type ExceptionStrings,
  fingerprintOf,
  isSameException,
  type RecordedException,
} from '../model/recorded-exception.js';
import { stackOf } from './stack.js';

const MIN_TRACES = 1000;
const MAX_SIGHTINGS_PER_TRACE = 10;

/** Sightings by trace. */
type Sightings = RecentMap<string, ExceptionFingerprint[]>;

/**
 * The errors that one client has captured, so that each is captured once, however many ways it is reported. What counts
 * as the same error is decided in these places:
 *
 * - The same object or function: here, by identity.
 * - An equal primitive on its way up through spans: `context/thrown-primitives.ts`, asked through `wasThrown`.
 * - A thrown error, and an exception recorded through OpenTelemetry of which only the strings are known: here. Within a
 *   trace and a few seconds, each of the one pairs with one of the other whose strings agree.
 * - Equal strings recorded on a span and on one above it: `tracing/recorded-exceptions.ts`, before they come here.
 * - An event that equals the event before it: the optional integration `Dedupe`, in the pipeline.
 */
export class KnownErrors {
  readonly #seen = new WeakSet<object>();
  readonly #wasThrown: (primitive: unknown) => boolean;
  readonly #byText: { readonly thrown: Sightings; readonly recorded: Sightings } | undefined;

  /** @param wasThrown whether an equal primitive was captured before it reached the running code */
  constructor(
    { captureRecordedExceptions }: Pick<Settings, 'captureRecordedExceptions'>,
    wasThrown: (primitive: unknown) => boolean,
  ) {
    this.#wasThrown = wasThrown;
    if (captureRecordedExceptions) {
      this.#byText = { thrown: new RecentMap(MIN_TRACES), recorded: new RecentMap(MIN_TRACES) };
    }
  }

  /**
   * Notes a thrown value, frozen or not.
   *
   * @param traceOf returns the id of the trace it was captured in; called only if strings are to be compared
   * @returns whether it was known
   */
  noteThrown(thrown: unknown, traceOf: () => string): boolean {
    if ((typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function') {
      if (this.#seen.has(thrown)) return true;
      this.#seen.add(thrown);
    } else if (this.#wasThrown(thrown)) {
      return true;
    }
    if (!this.#byText) return false;
    const traceId = traceOf();
    const fingerprint = fingerprintOf(recordedTextOf(thrown), nowSeconds());
    return isPaired(traceId, fingerprint, this.#byText.recorded, this.#byText.thrown);
  }

  /** Notes an exception that was recorded through OpenTelemetry. @returns whether it was known */
  noteRecorded({ thrown, strings, traceId, atSeconds }: RecordedException): boolean {
    if (thrown !== undefined) return this.noteThrown(thrown, () => traceId);
    if (!this.#byText) return false;
    return isPaired(traceId, fingerprintOf(strings, atSeconds), this.#byText.thrown, this.#byText.recorded);
  }
}

/** The strings that OpenTelemetry would keep of a thrown value. */
function recordedTextOf(thrown: unknown): ExceptionStrings {
  const isPrimitive = (typeof thrown !== 'object' || thrown === null) && typeof thrown !== 'function';
  return isPrimitive ? { message: String(thrown) } : { message: readString(thrown, 'message'), stack: stackOf(thrown) };
}

/** Removes the same exception from those seen the other way; if there is none, remembers this one to be paired later. */
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
