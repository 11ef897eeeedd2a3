import { types } from 'node:util';
import { freeName } from '../../internal/values/free-name.js';
import { isObjectOrFunction } from '../../internal/values/read.js';
import { define } from '../../internal/values/set-own.js';
import { nonEmptyStringOf, truncate } from '../../internal/values/strings.js';
import { maskText } from '../../scrubbing/credentials.js';
import { isTokenList } from '../../scrubbing/secret-members.js';
import { FILTERED, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { isSecretArgument } from '../../scrubbing/text/command-arguments.js';

/** Variables in sent form: strings and numbers, one level of lists and objects. */
export type PrintedVariables = Record<string, unknown>;

const MAX_VARIABLES = 50;
const MAX_MEMBERS = 20;
const MAX_STRING_LENGTH = 256;
/** Extra characters, because a credential at the cut is recognized by what follows it. */
const MAX_SEARCHED_LENGTH = 1024;
const MAX_NAME_LENGTH = 64;
const MIN_CARD_NUMBER = 1e11;
const { getTime, toISOString } = Date.prototype;
/** Printing larger bigints takes more than linear time. */
const MAX_BIGINT_BITS = 256;

/**
 * Prints the variables of scopes. Runs no user code (neither getters nor proxy traps), and takes bounded time and
 * space. Values with sensitive names, and credentials in strings, are not printed.
 *
 * @param scopes variables by name, innermost scope first
 */
export function printVariables(scopes: readonly object[], names: SensitiveNames): PrintedVariables {
  const printed: PrintedVariables = {};
  let count = 0;
  for (const scope of scopes) {
    for (const name of Object.keys(scope)) {
      if (count === MAX_VARIABLES) return printed;
      if (Object.hasOwn(printed, name) || !printMember(scope, name, printed, names, true)) continue;
      count++;
    }
  }
  return printed;
}

/** @returns whether anything was printed */
function printMember(from: object, key: string, to: object, names: SensitiveNames, expands: boolean): boolean {
  const descriptor = Object.getOwnPropertyDescriptor(from, key);
  if (descriptor === undefined || !('value' in descriptor) || typeof descriptor.value === 'function') return false;
  const isSecret = names.hasValue(key, descriptor.value) || isTokenList(key, elementsOf(descriptor.value));
  const value = isSecret ? FILTERED : print(descriptor.value, names, expands);
  const name = freeName(to, truncate(printText(key, names), MAX_NAME_LENGTH));
  define(to, name, { value, enumerable: true, configurable: true, writable: true });
  return true;
}

/** The elements of a list, without calling getters. */
function elementsOf(value: unknown): readonly unknown[] {
  if (types.isProxy(value) || !Array.isArray(value)) return [];
  const { length } = value;
  return Array.from(
    { length: Math.min(length, MAX_MEMBERS) },
    (_, i) => Object.getOwnPropertyDescriptor(value, i)?.value,
  );
}

/** @param expands whether members and elements are printed, too */
function print(value: unknown, names: SensitiveNames, expands: boolean): unknown {
  switch (typeof value) {
    case 'string':
      return printText(value, names);
    case 'number':
      return Number.isFinite(value) ? printNumber(value, names) : `<${value}>`;
    case 'boolean':
      // Some servers reject frames with values other than strings and numbers.
      return String(value);
    case 'bigint':
      return BigInt.asIntN(MAX_BIGINT_BITS, value) === value ? `<${printText(String(value), names)}n>` : '<bigint>';
    case 'symbol':
      return `<${truncate(printText(String(value), names), MAX_NAME_LENGTH)}>`;
    case 'object':
      return value === null ? '<null>' : printObject(value, names, expands);
    default:
      return `<${typeof value}>`;
  }
}

/** Numbers of payment cards are found by their digits. */
function printNumber(value: number, names: SensitiveNames): unknown {
  if (!(Math.abs(value) >= MIN_CARD_NUMBER)) return value;
  const printed = String(value);
  const masked = printText(printed, names);
  return masked === printed ? value : masked;
}

function printObject(value: object, names: SensitiveNames, expands: boolean): unknown {
  if (types.isProxy(value)) return '<Proxy>';
  if (Array.isArray(value)) return expands ? printList(value, names) : `<Array(${value.length})>`;
  if (types.isDate(value)) return `<${printDate(value)}>`;
  const name = classNameOf(value);
  if (isErrorLike(value)) return `<${printText(`${name}: ${dataOf(value, 'message') ?? ''}`, names)}>`;
  return expands && (name === 'Object' || name === undefined) ? printMembers(value, names) : `<${name ?? 'Object'}>`;
}

/** Also true for classes made with `util.inherits`. The stack is not read, as that may run user code. */
function isErrorLike(value: object): boolean {
  return types.isNativeError(value) || (Object.hasOwn(value, 'stack') && typeof dataOf(value, 'message') === 'string');
}

/** With the own methods of dates: those of a subclass are user code. */
function printDate(date: Date): string {
  return Number.isNaN(getTime.call(date)) ? 'Invalid Date' : toISOString.call(date);
}

/** The name of the class in the prototype, which may be a proxy. */
function classNameOf(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || types.isProxy(prototype)) return undefined;
  return nonEmptyStringOf(dataOf(dataOf(prototype, 'constructor'), 'name')) ?? 'Object';
}

/** An own member that is not a getter. */
function dataOf(value: unknown, key: string): unknown {
  if (!isObjectOrFunction(value) || types.isProxy(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function printList(list: readonly unknown[], names: SensitiveNames): unknown[] {
  const printed = Array.from({ length: Math.min(list.length, MAX_MEMBERS) }, (_, index) => {
    const descriptor = Object.getOwnPropertyDescriptor(list, index);
    if (descriptor && !('value' in descriptor)) return '<getter>';
    const previous: unknown = Object.getOwnPropertyDescriptor(list, index - 1)?.value;
    return isSecretArgument(descriptor?.value, previous, names) ? FILTERED : print(descriptor?.value, names, false);
  });
  return list.length > MAX_MEMBERS ? [...printed, `<${list.length - MAX_MEMBERS} more>`] : printed;
}

function printMembers(value: object, names: SensitiveNames): object {
  const printed = {};
  let count = 0;
  for (const key of Object.keys(value)) {
    if (count === MAX_MEMBERS) break;
    if (printMember(value, key, printed, names, false)) count++;
  }
  return printed;
}

function printText(text: string, names: SensitiveNames): string {
  return truncate(maskText(truncate(text, MAX_SEARCHED_LENGTH), names), MAX_STRING_LENGTH);
}
