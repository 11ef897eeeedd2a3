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

/** What a value is in place of an event, a span or a breadcrumb: `a Date`, `boolean`; `undefined` for an object that may be one. */
export function describeUnlessObject(value: unknown): string | undefined {
  return typeof value === 'object' ? builtInClassOf(value) : typeof value;
}
