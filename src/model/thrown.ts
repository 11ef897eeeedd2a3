import { types } from 'node:util';
import { readProperty, readString } from '../internal/read.js';
import { truncate } from '../internal/text.js';
import type { Exception, StackFrame } from './exception.js';
import { parseStack, stackOf } from './stack.js';

const MAX_TYPE_LENGTH = 256;

/** Whether a value is an error, of whatever realm: by its nature, its prototypes, or its message and stack. */
export function isError(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false;
  if (types.isNativeError(value)) return true;
  try {
    return value instanceof Error || hasOwnText(value, 'message', 'stack');
  } catch {
    return false;
  }
}

/** An error as one exception of an event, without a mechanism. What cannot be read of it is left out; never throws. */
export function exceptionFromError(error: unknown): Exception {
  const exception: Exception = { type: typeOf(error), value: readString(error, 'message') ?? '' };
  const frames = framesOf(error);
  if (frames.length > 0) exception.stacktrace = { frames };
  return exception;
}

/** The frames of an error's stack, outermost call first; empty without a stack. */
export function framesOf(error: unknown): StackFrame[] {
  return parseStack(stackOf(error), readString(error, 'message'));
}

function typeOf(error: unknown): string {
  const className = readString(readProperty(error, 'constructor'), 'name');
  return truncate(readString(error, 'name') || className || 'Error', MAX_TYPE_LENGTH);
}

function hasOwnText(value: object, ...keys: string[]): boolean {
  return keys.every((key) => typeof Object.getOwnPropertyDescriptor(value, key)?.value === 'string');
}
