import { readProperty } from '../values/read.js';

/** At most so many wrappers are looked through: one may name itself as its original, as those of Express's layers do. */
const MAX_WRAPPERS = 20;

/**
 * Returns the function in the wrappers of OpenTelemetry's instrumentations, which keep what they wrap as `__original`. What is
 * registered through them has a span in every trace; what the SDK registers itself should have none.
 */
export function withoutInstrumentation<T>(fn: T): T {
  let inner = fn;
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const original = readProperty(inner, '__original');
    if (typeof original !== 'function') break;
    inner = original as T;
  }
  return inner;
}
