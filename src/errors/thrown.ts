import { stringify } from '../internal/values/json.js';
import { normalize } from '../internal/values/normalize.js';
import { ignoreMadePromise, isObject, readProperty, readString } from '../internal/values/read.js';
import { MAX_STRING_LENGTH, stringifySafely, truncate } from '../internal/values/strings.js';
import type { Exception, StackFrame } from '../model/event/exception.js';
import { parseStack } from './stack.js';

const MAX_TYPE_LENGTH = 256;
/** Of an object that was assigned to `message`. */
const MAX_MESSAGE_MEMBERS = 20;
const UNREADABLE = '[message cannot be read]';

/** Converts an error to one exception of an event, without a mechanism. Unreadable parts are omitted; never throws. */
export function exceptionFromError(error: unknown): Exception {
  const exception: Exception = { type: typeNameOf(error), value: truncate(messageOf(error), MAX_STRING_LENGTH) };
  const frames = framesOf(error);
  if (frames.length > 0) exception.stacktrace = { frames };
  return exception;
}

/** The frames of an error's stack, outermost call first; empty without a stack. */
export function framesOf(error: unknown): StackFrame[] {
  return parseStack(readString(error, 'stack'), readString(error, 'message'));
}

/** An event without any message would be filtered out, so a placeholder replaces a message whose getter throws. */
function messageOf(error: unknown): string {
  try {
    const { message } = error as { message?: unknown };
    if (typeof message === 'string') return message;
    ignoreMadePromise(message, error as object, 'message');
    return describeMessage(message);
  } catch {
    return UNREADABLE;
  }
}

/** Any value may be assigned to `message`. */
function describeMessage(message: unknown): string {
  if (message === undefined || message === null) return '';
  if (!isObject(message)) return stringifySafely(message);
  const json = stringify(normalize(message, 2, MAX_MESSAGE_MEMBERS));
  return json === '{}' ? '' : json;
}

function typeNameOf(error: unknown): string {
  const className = readString(readProperty(error, 'constructor'), 'name');
  return truncate(readString(error, 'name') || className || 'Error', MAX_TYPE_LENGTH);
}
