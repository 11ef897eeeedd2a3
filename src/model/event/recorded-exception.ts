import type { Event } from './event.js';
import type { Mechanism } from './exception.js';

/** What OpenTelemetry keeps of an exception. */
export interface ExceptionStrings {
  readonly type?: string;
  readonly message?: string;
  /** In the form of the `stack` property of errors. */
  readonly stack?: string;
}

/** An exception that was recorded through OpenTelemetry, on a span or in a log record. */
export interface RecordedException {
  /** The value that was thrown, if it was observed. */
  readonly thrown?: unknown;
  readonly strings: ExceptionStrings;
  readonly traceId: string;
  /** Unix seconds. */
  readonly atSeconds: number;
  readonly mechanism: Mechanism;
  /** Other members of its event, such as its trace and the scopes it was recorded in. */
  readonly about: Event;
}
