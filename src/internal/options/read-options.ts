import { copyOwn } from '../values/copy-own.js';
import { describe } from '../values/in-message.js';
import { isArray, readList, readProperty } from '../values/read.js';
import { noteMistake } from './mistakes.js';
import { parseObject } from './option-rows.js';
import { describeUnknown, listUnknown } from './unknown-names.js';

type OptionType = 'boolean' | 'number' | 'string' | 'function' | 'object' | 'list';
/** Completes "must be …". */
const EXPECTED: Record<OptionType, string> = {
  boolean: 'true or false',
  number: 'a number',
  string: 'a string',
  function: 'a function',
  object: 'an object',
  list: 'an array',
};

type OptionTypes = OptionType | readonly OptionType[];

/**
 * Reads the options of an integration, whose caller may have passed anything. What is wrong is noted, for `init` to report.
 *
 * @param owner the function that got the options
 * @param defaults stand for absent options, and for those of another type than the default
 * @param types of options without a default, and of those that may have several types
 * @returns lists and objects are copied
 */
export function readOptions<T extends object, Name extends keyof T, Typed extends keyof T = never>(
  owner: string,
  options: T | undefined,
  defaults: { readonly [One in Name]-?: NonNullable<T[One]> },
  types: { readonly [One in Typed]: OptionTypes } = {} as never,
): { [One in Name]-?: NonNullable<T[One]> } & Partial<Pick<T, Typed>> {
  const read: Record<string, unknown> = { ...defaults };
  const typesByName: Record<string, OptionTypes> = { ...types };
  const names = Object.keys({ ...defaults, ...types });
  for (const name of names) {
    const value = readProperty(options, name);
    const accepted = [typesByName[name] ?? optionTypeOf(read[name])].flat();
    const type = accepted.find((one) => isOfType(value, one));
    if (type) read[name] = type === 'list' ? readList(value) : type === 'object' ? copyOwn(value) : value;
    else if (value !== undefined) {
      const expected = accepted.map((one) => EXPECTED[one]).join(' or ');
      noteMistake({
        owner,
        problem: `${name}: must be ${expected}, but is ${describe(value)}; it is ignored`,
      });
    }
  }
  if (options === undefined || parseObject(options)) noteUnknown(owner, '', copyOwn(options), names);
  else noteMistake({ owner, problem: `its options must be an object, but are ${describe(options)}` });
  return read as never;
}

/** Notes the options that do not exist. @param prefix precedes their names */
export function noteUnknown(owner: string, prefix: string, present: object, known: readonly string[]): void {
  const unknown = listUnknown('option', prefix, present, known);
  if (unknown.length > 0) noteMistake({ owner, problem: describeUnknown(unknown) });
}

function optionTypeOf(value: unknown): OptionType {
  return isArray(value) ? 'list' : (typeof value as OptionType);
}

function isOfType(value: unknown, type: OptionType): boolean {
  return type === 'list' ? isArray(value) : typeof value === type && value !== null;
}
