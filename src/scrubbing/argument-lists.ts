import { maskText } from './credentials.js';
import { FILTERED, type SensitiveNames } from './sensitive-names.js';

/** A name alone, as an option of a command or as in a list of raw headers: `--password`, `X-Api-Key`. */
const NAME = /^[\w.-]{1,64}:?$/;

/**
 * Whether an element of a list is the value of the sensitive name before it, as in `['--password', 'x']`. The next option
 * of a command is no value.
 */
export function isSecretArgument(value: unknown, previous: unknown, names: SensitiveNames): boolean {
  if (typeof previous !== 'string' || !(typeof value === 'string' || typeof value === 'number')) return false;
  if (typeof value === 'string' && value.startsWith('--')) return false;
  return NAME.test(previous) && names.hasField(previous);
}

/** Masks the arguments of a command, as one string or as a list. */
export function maskArguments<T>(value: T, names: SensitiveNames): T {
  if (typeof value === 'string') return maskText(value, names) as T;
  if (!Array.isArray(value)) return value;
  return value.map((one, index) => {
    if (isSecretArgument(one, value[index - 1], names)) return FILTERED;
    return typeof one === 'string' ? maskText(one, names) : one;
  }) as T;
}
