import { isArray } from './read.js';

/* How a value is named in a message of the SDK to its users. Placeholders in events are in `placeholders.ts`. */

/** Describes any value for a message: short strings and primitives in full, everything else by type. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean' || value === undefined) return String(value);
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The consequence of an option with a bad value. */
export function describeReplacement(value: unknown): string {
  if (value === undefined) return 'it is ignored';
  return `${typeof value === 'object' ? 'the default' : describe(value)} is used instead`;
}

/** With its article: `an object`, `a string`, but `null` and `undefined`. */
export function typeOf(value: unknown): string {
  return typeof value === 'object' || value === undefined ? describe(value) : `a ${typeof value}`;
}
