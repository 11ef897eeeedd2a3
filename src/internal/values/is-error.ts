import { types } from 'node:util';
import { isObject } from './read.js';

/** Whether a value is an error, also one of another realm, or an object with its own `message` and `stack`. */
export function isError(value: unknown): value is Error {
  if (!isObject(value)) return false;
  if (types.isNativeError(value)) return true;
  try {
    return value instanceof Error || hasOwnStrings(value, 'message', 'stack');
  } catch {
    return false;
  }
}

function hasOwnStrings(value: object, ...keys: string[]): boolean {
  return keys.every((key) => typeof Object.getOwnPropertyDescriptor(value, key)?.value === 'string');
}
