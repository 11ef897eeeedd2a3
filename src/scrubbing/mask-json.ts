import { isArray, isObject } from '../internal/read.js';
import { isSecretArgument } from './argument-lists.js';
import { maskText } from './credentials.js';
import { FILTERED, type SensitiveNames } from './sensitive-names.js';

/**
 * Masks credentials in data, by the names of its members and inside its strings.
 *
 * @param value JSON of bounded depth; not mutated
 */
export function maskJson(value: unknown, names: SensitiveNames): unknown {
  if (typeof value === 'string') return maskText(value, names);
  if (!isObject(value)) return value;
  if (isArray(value)) {
    return value.map((one, i) => (isSecretArgument(one, value[i - 1], names) ? FILTERED : maskJson(one, names)));
  }
  const masked = Object.entries(value).map(([name, member]) => [name, maskMember(name, member, names)]);
  return Object.fromEntries(masked);
}

/** The same for one member of an object. */
export function maskMember(name: string, value: unknown, names: SensitiveNames): unknown {
  return names.hasField(name) ? FILTERED : maskJson(value, names);
}
