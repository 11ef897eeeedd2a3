import { vi } from 'vitest';

/** Longer than anything takes on the busiest machine. */
export const PATIENCE_MILLIS = 30_000;

/** Calls until nothing is thrown, for as long as it takes: `vi.waitFor` gives up after a second. */
export function eventually<T>(expectation: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(expectation, PATIENCE_MILLIS);
}
