import { types } from 'node:util';
import { isArray, isInstance } from './read.js';

const CLASSES: readonly (readonly [isOne: (value: unknown) => boolean, name: string])[] = [
  [isArray, 'an array'],
  [(value) => types.isNativeError(value) || isInstance(value, Error), 'an error'],
  [types.isDate, 'a Date'],
  [types.isMap, 'a Map'],
  [types.isSet, 'a Set'],
  [types.isRegExp, 'a RegExp'],
  [types.isBoxedPrimitive, 'a boxed primitive'],
  [(value) => types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value), 'binary data'],
];

/** Names an object whose data is not in own members, so that it cannot be an event, span or breadcrumb: `a Date`. */
export function builtInClassOf(value: unknown): string | undefined {
  return CLASSES.find(([isOne]) => isOne(value))?.[1];
}
