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
  if (isAuthentication(value)) return { ...value, args: FILTERED };
  const masked = Object.entries(value).map(([name, member]) => [name, maskMember(name, member, names)]);
  return Object.fromEntries(masked);
}

/** A command of a client of Redis: `{ name: 'auth', args: ['default', 'x8Qz3vT6kW1'] }`. */
function isAuthentication(value: object): boolean {
  const { name, args } = value as { name?: unknown; args?: unknown };
  return typeof name === 'string' && /^auth$/i.test(name) && isArray(args);
}

/** The same for one member of an object. */
export function maskMember(name: string, value: unknown, names: SensitiveNames): unknown {
  return names.hasField(name) ? FILTERED : maskJson(value, names);
}
