import { maskText } from '../credentials.js';
import { FILTERED, type SensitiveNames } from '../sensitive-names.js';
import { findSecretArguments } from './command-arguments.js';
import { isFieldName } from './field-names.js';

/** A name alone, as an option of a command or as in a list of raw headers: `--password`, `X-Api-Key`. */
const NAME = /^[\w.-]{1,64}:?$/;

/**
 * Whether an element of a list is the value of the sensitive name before it, as in `['--password', 'x']`. The next option of a
 * command does not count as a value, and neither does the next name in a list of names.
 */
export function isSecretArgument(value: unknown, previous: unknown, names: SensitiveNames): boolean {
  if (typeof previous !== 'string' || !(typeof value === 'string' || typeof value === 'number')) return false;
  if (typeof value === 'string' && value.startsWith('--')) return false;
  if (!NAME.test(previous) || !names.hasField(previous)) return false;
  return previous.startsWith('-') || typeof value !== 'string' || !isFieldName(value) || names.hasCustomField(previous);
}

/**
 * Masks the arguments of a command, as one string or as a list.
 *
 * @param command its name, where the list does not begin with it
 */
export function maskArguments<T>(value: T, names: SensitiveNames, command?: string): T {
  if (typeof value === 'string') return maskText(value, names) as T;
  if (!Array.isArray(value)) return value;
  const offset = command === undefined ? 0 : 1;
  const secret = findSecretArguments(command === undefined ? value : [command, ...value]);
  return value.map((one, index) => {
    if (secret.has(index + offset) || isSecretArgument(one, value[index - 1], names)) return FILTERED;
    return typeof one === 'string' ? maskText(one, names) : one;
  }) as T;
}
