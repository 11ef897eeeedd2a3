import { copyOwn } from '../values/copy-own.js';
import { isArray, readList, readProperty } from '../values/read.js';

/** Type of an option of an integration. */
type OptionType = 'boolean' | 'number' | 'string' | 'function' | 'object' | 'list';

/**
 * Reads the options of an integration, whose caller may have passed anything.
 *
 * @returns the options that have the right type, or one of several; the others are absent, so that their defaults
 *   apply. Lists and objects are copied
 */
export function readOptions<T extends object>(
  options: T | undefined,
  types: { readonly [Name in keyof Required<T>]: OptionType | readonly OptionType[] },
): Partial<T> {
  const valid: Record<string, unknown> = {};
  for (const [name, accepted] of Object.entries<OptionType | readonly OptionType[]>(types)) {
    const value = readProperty(options, name);
    const type = [accepted].flat().find((one) => isOfType(value, one));
    if (type) valid[name] = type === 'list' ? readList(value) : type === 'object' ? copyOwn(value) : value;
  }
  return valid as Partial<T>;
}

function isOfType(value: unknown, type: OptionType): boolean {
  return type === 'list' ? isArray(value) : typeof value === type && value !== null;
}
