import { copyOwn } from './guard.js';
import { isArray, readList, readProperty } from './read.js';

/** What an option of the host's may be. */
type OptionType = 'boolean' | 'number' | 'string' | 'function' | 'object' | 'list';

/**
 * Those options that are of their type, for factories whose caller may have given anything.
 *
 * @returns without those that are not, so that their defaults apply; lists and objects are copied
 */
export function readOptions<T extends object>(
  given: T | undefined,
  types: { readonly [Name in keyof Required<T>]: OptionType },
): Partial<T> {
  const options: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(types)) {
    const value = readProperty(given, name);
    if (type === 'list' ? isArray(value) : typeof value === type && value !== null) {
      options[name] = type === 'list' ? readList(value) : type === 'object' ? copyOwn(value) : value;
    }
  }
  return options as Partial<T>;
}
