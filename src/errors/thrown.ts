import { readProperty, readString } from '../internal/read.js';
import { MAX_TEXT_LENGTH, truncate } from '../internal/text.js';
import type { Exception, StackFrame } from '../model/exception.js';
import { parseStack, stackOf } from './stack.js';

const MAX_TYPE_LENGTH = 256;

/** An error as one exception of an event, without a mechanism. What cannot be read of it is left out; never throws. */
export function exceptionFromError(error: unknown): Exception {
  const exception: Exception = {
    type: typeOf(error),
    value: truncate(readString(error, 'message') ?? '', MAX_TEXT_LENGTH),
  };
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
