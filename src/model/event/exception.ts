/**
 * One call on a stack.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/stacktrace/
 */
export interface StackFrame {
  /** Absolute path of the source, `node:…` for Node's own, or the name in the stack if there is no path. */
  filename?: string | undefined;
  /** Absolute path, if `filename` is not the absolute path. */
  abs_path?: string | undefined;
  /** Name of the function; `?` when it has none. */
  function?: string | undefined;
  /** Dotted folder and file, counted from the main script's folder or the package: `routes.admin:cart`. */
  module?: string | undefined;
  /** From 1. */
  lineno?: number | undefined;
  /** From 1. */
  colno?: number | undefined;
  /** Whether the frame is the application's own code rather than a dependency's or Node's. */
  in_app?: boolean | undefined;
  /** Source lines before `context_line`, nearest last. */
  pre_context?: string[] | undefined;
  /** The source line at `lineno`; long ones are cut to a window around the column. */
  context_line?: string | undefined;
  /** Source lines after `context_line`, nearest first. */
  post_context?: string[] | undefined;
  /** Local variables by name. */
  vars?: Record<string, unknown> | undefined;
  /** Platform, if it differs from the event's. */
  platform?: string | undefined;
}

/**
 * The calls that led to an exception.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/stacktrace/
 */
export interface Stacktrace {
  /**
   * From the outermost call to the one that threw. At most 50 for captured errors; events passed to `captureEvent` keep 250.
   */
  frames?: StackFrame[] | undefined;
}

/**
 * How an exception was captured.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/exception/
 */
export interface Mechanism {
  /** What captured it, for example `generic` or `auto.node.onuncaughtexception`. */
  type: string;
  /** False when nobody caught it. @default true */
  handled?: boolean | undefined;
  /** Flat data about the capture. */
  data?: Record<string, unknown> | undefined;
  /** True if the SDK created the stack because the thrown value had none. */
  synthetic?: boolean | undefined;
  /** URL of a page about the error. */
  help_link?: string | undefined;
  description?: string | undefined;
  /** Error codes of the system: `errno`, `signal`. */
  meta?: Record<string, unknown> | undefined;
  /** Where in its parent the exception was found: `cause`, `errors[0]`. */
  source?: string | undefined;
  /** Position among the linked exceptions of the event; the caught one is 0. */
  exception_id?: number | undefined;
  /** `exception_id` of the exception that contains this one. */
  parent_id?: number | undefined;
  /** Whether the exception is an aggregate of others. */
  is_exception_group?: boolean | undefined;
}

/**
 * One thrown value. In an event's `exception.values`, the oldest cause is first and the caught exception last.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/exception/
 */
export interface Exception {
  /** Name of the error's class. */
  type?: string | undefined;
  /** The error's message, cut to `maxValueLength` characters. */
  value?: string | undefined;
  mechanism?: Mechanism | undefined;
  /** Package or module of the class. */
  module?: string | undefined;
  thread_id?: number | undefined;
  stacktrace?: Stacktrace | undefined;
}

/** A copy of an exception whose frames are changed, with all other members. One without frames is returned as it is. */
export function mapFrames(exception: Exception, change: (frames: StackFrame[]) => StackFrame[]): Exception {
  const { stacktrace } = exception;
  if (!stacktrace?.frames) return exception;
  return { ...exception, stacktrace: { ...stacktrace, frames: change(stacktrace.frames) } };
}
