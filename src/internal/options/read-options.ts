import { describe } from '../diag.js';
import { copyOwn } from '../values/copy-own.js';
import { isArray, isObject, readList, readProperty } from '../values/read.js';
import { noteMistake } from './mistakes.js';
import { describeUnknown, listUnknown } from './unknown-names.js';

/** Type of an option of an integration. */
type OptionType = 'boolean' | 'number' | 'string' | 'function' | 'object' | 'list';

/**
 * Reads the options of an integration, whose caller may have passed anything. What is wrong is noted, for `init` to report.
 *
 * @param owner the function that got the options
 * @returns the options that have the right type, or one of several; the others are absent, so that their defaults
 *   apply. Lists and objects are copied
 */
export function readOptions<T extends object>(
  owner: string,
  options: T | undefined,
  types: { readonly [Name in keyof Required<T>]: OptionType | readonly OptionType[] },
): Partial<T> {
  const valid: Record<string, unknown> = {};
  for (const [name, accepted] of Object.entries<OptionType | readonly OptionType[]>(types)) {
    const value = readProperty(options, name);
    const type = [accepted].flat().find((one) => isOfType(value, one));
    if (type) valid[name] = type === 'list' ? readList(value) : type === 'object' ? copyOwn(value) : value;
    else if (value !== undefined) {
      const problem = `${name}: must be of type ${[accepted].flat().join(' or ')}, but is ${describe(value)}; it is ignored`;
      noteMistake({ owner, problem, isCostly: false });
    }
  }
  if (options === undefined || (isObject(options) && !isArray(options)))
    noteUnknown(owner, '', copyOwn(options), Object.keys(types));
  else noteMistake({ owner, problem: `its options must be an object, but are ${describe(options)}`, isCostly: true });
  return valid as Partial<T>;
}

/** Notes the options that do not exist. @param prefix stands in front of their names */
export function noteUnknown(owner: string, prefix: string, present: object, known: readonly string[]): void {
  const unknown = listUnknown('option', prefix, present, known);
  if (unknown.length > 0) noteMistake({ owner, problem: describeUnknown(unknown), isCostly: true });
}

function isOfType(value: unknown, type: OptionType): boolean {
  return type === 'list' ? isArray(value) : typeof value === type && value !== null;
}
