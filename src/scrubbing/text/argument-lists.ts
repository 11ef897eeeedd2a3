import { maskText } from '../credentials.js';
import { FILTERED, type SensitiveNames } from '../sensitive-names.js';
import { maskCommandLines } from './command-lines.js';
import { isFieldName } from './field-names.js';

/** A name alone, as an option of a command or as in a list of raw headers: `--password`, `X-Api-Key`. */
const NAME = /^[\w.-]{1,64}:?$/;

/**
 * Whether an element of a list is the value of the sensitive name before it, as in `['--password', 'x']`. The next option
 * of a command is no value, and neither is the next of a list of names.
 */
export function isSecretArgument(value: unknown, previous: unknown, names: SensitiveNames): boolean {
  if (typeof previous !== 'string' || !(typeof value === 'string' || typeof value === 'number')) return false;
  if (typeof value === 'string' && value.startsWith('--')) return false;
  if (!NAME.test(previous) || !names.hasField(previous)) return false;
  return previous.startsWith('-') || typeof value !== 'string' || !isFieldName(value) || names.hasCustomField(previous);
}

/** More arguments, and longer ones, are not searched together. */
const MAX_ARGUMENTS = 100;
const MAX_ARGUMENT_LENGTH = 256;
const MIN_SECRET_LENGTH = 4;

/**
 * Finds elements of a list that are secrets because of the command that they are part of: `['redis-cli', '-a', 'x']`.
 *
 * @returns their indexes
 */
export function findSecretArguments(list: readonly unknown[]): ReadonlySet<number> {
  const found = new Set<number>();
  const args = list.slice(0, MAX_ARGUMENTS);
  if (args.length < 2 || !args.every((one) => typeof one === 'string' && one.length <= MAX_ARGUMENT_LENGTH))
    return found;
  const line = args.join(' ');
  const masked = maskCommandLines(line);
  if (masked === line) return found;
  args.forEach((one, index) => {
    if ((one as string).length >= MIN_SECRET_LENGTH && !masked.includes(one as string)) found.add(index);
  });
  return found;
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
