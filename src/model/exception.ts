/** One call on a stack. All fields optional; line and column count from 1. */
export interface StackFrame {
  filename?: string;
  abs_path?: string;
  function?: string;
  module?: string;
  lineno?: number;
  colno?: number;
  /** Whether the frame is the application's own code rather than a dependency's or Node's. */
  in_app?: boolean;
  /** Source lines before `context_line`, nearest last. */
  pre_context?: string[];
  context_line?: string;
  /** Source lines after `context_line`, nearest first. */
  post_context?: string[];
  vars?: Record<string, unknown>;
  platform?: string;
}

/** Frames from the outermost call to the one that threw. */
export interface Stacktrace {
  frames?: StackFrame[];
}

/** How an exception came to be captured. */
export interface Mechanism {
  /** What captured it, for example `generic` or `auto.node.onuncaughtexception`. */
  type: string;
  /** False when nobody caught it. */
  handled?: boolean;
  data?: Record<string, unknown>;
  /** True when the stack was made by the SDK because the thrown value had none. */
  synthetic?: boolean;
  help_link?: string;
  description?: string;
  meta?: Record<string, unknown>;
  /** Where in its parent the exception was found: `cause`, `errors[0]`. */
  source?: string;
  /** Position among the linked exceptions of the event; the caught one is 0. */
  exception_id?: number;
  parent_id?: number;
  is_exception_group?: boolean;
}

/** One thrown value. Of an event's `exception.values` the oldest cause is first and the caught exception last. */
export interface Exception {
  type?: string;
  value?: string;
  mechanism?: Mechanism;
  module?: string;
  thread_id?: number;
  stacktrace?: Stacktrace;
}
