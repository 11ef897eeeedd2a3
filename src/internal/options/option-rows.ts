import { types } from 'node:util';
import { isHttpUrl } from '../values/is-http-url.js';
import { isArray, isObject, readList } from '../values/read.js';
import { parseFlag } from './parse-flag.js';

/** Called with what is wrong with a value. */
export type Warn = (problem: string) => void;

/** One option: its default, its check, and the wording of that check. */
export interface OptionRow {
  /** Used when the option is absent, and when it is bad, unless there is a `whenBad`. */
  readonly default?: unknown;
  /** Used when the value is bad, where the default would send or trust more than was meant. */
  readonly whenBad?: unknown;
  /** Completes "must be …". */
  readonly expected: string;
  /**
   * The value to use, or `undefined` when it is bad. `mention` reports what may be intended: it is logged, but not written to
   * stderr.
   */
  readonly parse: (value: unknown, warn: Warn, mention: Warn) => unknown;
  /** What a bad value means, where that is not plain from the value that is used instead. */
  readonly consequence?: string;
  /** Whether the option is read from its environment variable when it is absent. */
  readonly hasVariable?: boolean;
  /** Whether the text of the variable stands for a number. */
  readonly isNumber?: boolean;
  /** Whether an empty string stands for an absent option: `release: process.env.RELEASE ?? ''` is not a mistake. */
  readonly isUnsetByEmpty?: boolean;
}

/** Bound of intervals. A timer of Node's fires at once if its delay exceeds 2^31 - 1 ms. */
const MAX_INTERVAL_MILLIS = 86_400_000;

export function nonEmptyString(): OptionRow {
  return {
    expected: 'a string that is not empty',
    parse: parseNonBlank,
    hasVariable: true,
    isUnsetByEmpty: true,
  };
}

export function rate(): OptionRow {
  return { expected: 'a number from 0 to 1', parse: parseRate, hasVariable: true };
}

export function count(expected = 'a number of at least 0'): OptionRow {
  const parse = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : undefined);
  return { expected, parse, hasVariable: true, isNumber: true };
}

export function interval(): OptionRow {
  const expected = `milliseconds, a number above 0 and at most ${MAX_INTERVAL_MILLIS}`;
  const parse = (value: unknown) =>
    typeof value === 'number' && value > 0 && value <= MAX_INTERVAL_MILLIS ? value : undefined;
  return { expected, parse, hasVariable: true, isNumber: true };
}

export function flag(): OptionRow {
  return { expected: 'true or false', parse: parseFlag, hasVariable: true };
}

export function flagOrUrl(expected: string): OptionRow {
  const parse = (value: unknown) =>
    parseFlag(value) ?? (typeof value === 'string' && isHttpUrl(value) ? value : undefined);
  return { expected, parse, hasVariable: true };
}

export function callback(): OptionRow {
  const parse = (value: unknown) => (typeof value === 'function' ? value : undefined);
  return { expected: 'a function', parse };
}

export function matchers(name: string): OptionRow {
  return listRow(name, 'an array of strings that are not empty and of regular expressions', isMatcher);
}

/** An allow list. If it has elements and none is usable, nothing passes, because letting everything pass could leak data. */
export function allowList(name: string): OptionRow {
  const { parse, ...row } = matchers(name);
  const isUsable = (value: unknown): boolean =>
    !isArray(value) || value.length === 0 || readList(value).some(isMatcher);
  return { ...row, parse: (value, ...warns) => (isUsable(value) ? parse(value, ...warns) : undefined) };
}

/**
 * A list; one element counts as a list of it. A bad element must not disable the others, or data would leave that they should
 * keep.
 */
export function listRow(name: string, expected: string, isUsable: (value: unknown) => boolean): OptionRow {
  const parse = (value: unknown, warn: Warn, mention: Warn): unknown[] | undefined => {
    if (!Array.isArray(value)) return isUsable(value) ? [value] : undefined;
    const elements = readList(value);
    const usable = elements.filter(isUsable);
    // `[process.env.NAME ?? '']` holds an empty string when the variable is not set; that is not a mistake.
    const isMeant = elements.length === value.length && elements.every((one) => one === '' || isUsable(one));
    if (usable.length < value.length)
      (isMeant ? mention : warn)(`${name}: must be ${expected}; other elements are ignored`);
    return usable;
  };
  return { expected, parse };
}

export function parseString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A blank string, for example from a badly parsed variable, counts as no value. */
export function parseNonBlank(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function parseObject(value: unknown): object | undefined {
  return isObject(value) && !isArray(value) ? value : undefined;
}

/**
 * `true` keeps all and `false` none, as results of `tracesSampler` do. Text is read wherever it comes from, because applications
 * pass variables of their own.
 */
function parseRate(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  const number = Number(value);
  return number >= 0 && number <= 1 ? number : undefined;
}

/** An empty string, as of a variable that is not set, would match everything. */
function isMatcher(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || types.isRegExp(value);
}
