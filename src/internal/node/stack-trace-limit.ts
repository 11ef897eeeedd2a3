/** The limits asked for, one for each {@link raiseStackTraceLimit} that was not undone. */
const wanted = new Set<{ readonly limit: number }>();

/** V8's limit before the first of them. */
let original = 0;

/** The limit as last set here; another value is the application's. */
let applied: number | undefined;

/**
 * Lets V8 record at least this many frames of an error's stack. A limit that the application changes later is left
 * alone.
 *
 * @returns restores the limit, once all who asked for more have done so
 * @see https://v8.dev/docs/stack-trace-api
 */
export function raiseStackTraceLimit(limit: number): () => void {
  const present: unknown = Error.stackTraceLimit;
  // Without a limit, V8 records no stacks: somebody has turned them off.
  if (typeof present !== 'number') return () => undefined;
  if (wanted.size === 0 || present !== applied) {
    wanted.clear();
    original = present;
  }
  const entry = { limit };
  wanted.add(entry);
  apply();
  return () => {
    if (wanted.delete(entry) && Error.stackTraceLimit === applied) apply();
  };
}

function apply(): void {
  applied = Math.max(original, ...Array.from(wanted, ({ limit }) => limit));
  // `Reflect.set` does not throw where the intrinsics are frozen.
  if (Error.stackTraceLimit !== applied) Reflect.set(Error, 'stackTraceLimit', applied);
}
