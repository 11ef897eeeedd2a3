import { readProperty } from './read.js';
import { nonEmptyStringOf, truncate } from './strings.js';

const MAX_NAME_LENGTH = 100;
const MAX_REASON_LENGTH = 250;
/** Printing larger bigints takes more than linear time. */
const MAX_BIGINT_BITS = 1024;

/** Placeholder for a function, symbol or bigint: a short string. */
export function placeholderOf(value: bigint | symbol | ((...args: never[]) => unknown)): string {
  switch (typeof value) {
    case 'function':
      return `[Function: ${nameOf(value) ?? '<anonymous>'}]`;
    case 'symbol':
      return `[Symbol(${truncate(value.description ?? '', MAX_NAME_LENGTH)})]`;
    default:
      return `[BigInt: ${digitsOf(value)}]`;
  }
}

/** A bigint in decimal, or `too large` where that would be more than about 300 digits. */
export function digitsOf(value: bigint): string {
  return BigInt.asIntN(MAX_BIGINT_BITS, value) === value ? String(value) : 'too large';
}

/**
 * The name of an object's class, cut to a short string.
 *
 * @returns `undefined` for an object without a prototype
 * @throws what the object's traps throw
 */
export function classNameOf(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null ? undefined : (nameOf(readProperty(prototype, 'constructor')) ?? 'Object');
}

/** Beginning of the placeholder for a value that could not be read. */
export const UNREADABLE = '**non-serializable**';

/** Placeholder for a value that could not be read. */
export function placeholderOfFailure(error: unknown): string {
  const message = typeof error === 'string' ? error : readProperty(error, 'message');
  return `${UNREADABLE} (${typeof message === 'string' ? truncate(message, MAX_REASON_LENGTH) : typeof error})`;
}

function nameOf(value: unknown): string | undefined {
  const name = nonEmptyStringOf(readProperty(value, 'name'));
  return name && truncate(name, MAX_NAME_LENGTH);
}
