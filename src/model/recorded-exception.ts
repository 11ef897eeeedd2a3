import { detach } from '../internal/strings.js';
import type { Event } from './event.js';
import type { Mechanism } from './exception.js';

/** What OpenTelemetry keeps of an exception. */
export interface ExceptionStrings {
  readonly type?: string;
  readonly message?: string;
  /** As the `stack` property of an error holds it. */
  readonly stack?: string;
}

/** An exception as it was told to OpenTelemetry, on a span or in a log record. */
export interface RecordedException {
  /** The value that was thrown, where it could be seen. */
  readonly thrown?: unknown;
  readonly strings: ExceptionStrings;
  readonly traceId: string;
  /** Unix seconds. */
  readonly atSeconds: number;
  readonly mechanism: Mechanism;
  /** What its event says besides, its trace and the scopes it was recorded in among it. */
  readonly about: Event;
}

/** An exception by its text, as it is remembered to be told again. */
export interface ExceptionFingerprint {
  readonly message: string;
  /** Empty where there is none. */
  readonly stack: string;
  /** Unix seconds. */
  readonly atSeconds: number;
}

/** Reports of one error follow each other within this time; what comes later is another error of the same text. */
const MAX_DISTANCE_SECONDS = 5;
const MAX_MESSAGE_LENGTH = 200;
const MAX_STACK_LENGTH = 500;
/** Limits of OpenTelemetry may have cut a text; the beginning tells no more when it is shorter than this. */
const MIN_CUT_LENGTH = 100;

/** A sighting of bounded size, which keeps nothing alive that is longer. */
export function fingerprintOf({ message = '', stack = '' }: ExceptionStrings, atSeconds: number): ExceptionFingerprint {
  return {
    message: detach(message.slice(0, MAX_MESSAGE_LENGTH)),
    stack: detach(stack.slice(0, MAX_STACK_LENGTH)),
    atSeconds,
  };
}

/** Whether two sightings, of one trace, are taken for those of one error. */
export function isSameException(one: ExceptionFingerprint, other: ExceptionFingerprint): boolean {
  return (
    Math.abs(one.atSeconds - other.atSeconds) <= MAX_DISTANCE_SECONDS &&
    isSameText(one.message, other.message) &&
    (one.stack === '' || other.stack === '' || isSameText(one.stack, other.stack))
  );
}

function isSameText(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one === other || (length >= MIN_CUT_LENGTH && one.slice(0, length) === other.slice(0, length));
}
