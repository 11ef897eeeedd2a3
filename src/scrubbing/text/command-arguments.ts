import { FILTERED, type SensitiveNames } from '../sensitive-names.js';
import { maskCommandLines } from './command-lines.js';
import { isFieldName } from './field-names.js';
import { unquote } from './quotes.js';

/** More arguments, and longer ones, are not searched together. */
const MAX_ARGUMENTS = 100;
const MAX_ARGUMENT_LENGTH = 256;
const MIN_SECRET_LENGTH = 4;

/** A name alone, as an option of a command or as in a list of raw headers: `--password`, `X-Api-Key`. */
const NAME = /^[\w.-]{1,64}:?$/;
/** An argument that looks random, whatever the command is: `-pAb3dEf6h9J`, `me:Ab3dEf6h9J` */
const RANDOM_ARGUMENT =
  /^(?:-\w|[\w.@-]{1,32}:)?(?=\w{0,64}?\d[A-Za-z]{1,24}\d)(?=\w{0,64}?[a-z])(?=\w{0,64}?[A-Z])\w{10,128}$/;
/** An option within a printed list, or at its beginning after a command. */
const HINT = /(?:["'],\s{0,16}\[?|\[)\s{0,16}["']-/;
const ELEMENT = String.raw`(?:"(?:[^"\\\n]|\\.){0,256}"|'(?:[^'\\\n]|\\.){0,256}')`;
const LIST = new RegExp(
  String.raw`(?:${ELEMENT},\s{0,16})?\[\s{0,16}${ELEMENT}(?:,\s{0,16}${ELEMENT}){1,${MAX_ARGUMENTS - 1}}`,
  'g',
);
const ELEMENTS = new RegExp(ELEMENT, 'g');

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
 * Finds elements of a list that are secrets because of the command that they are part of: `['redis-cli', '-a', 'x']`.
 *
 * @returns their indexes
 */
export function findSecretArguments(list: readonly unknown[]): ReadonlySet<number> {
  const found = new Set<number>();
  const args = list.slice(0, MAX_ARGUMENTS);
  if (args.length < 2 || !args.every((one) => typeof one === 'string' && one.length <= MAX_ARGUMENT_LENGTH))
    return found;
  // As behind a command, which a list without it lacks.
  const line = ` ${args.join(' ')}`;
  const masked = maskCommandLines(line);
  const hasOptions = args.some((one) => (one as string).startsWith('-'));
  args.forEach((one, index) => {
    const isMasked = (one as string).length >= MIN_SECRET_LENGTH && !masked.includes(one as string);
    if (isMasked || (hasOptions && RANDOM_ARGUMENT.test(one as string))) found.add(index);
  });
  return found;
}

/** Masks the same in a list that is printed in a text, on one line or on several: `['redis-cli', '-a', 'x']`, `'redis-cli', ['-a', 'x']`. */
export function maskPrintedArguments(text: string): string {
  if (!HINT.test(text)) return text;
  return text.replace(LIST, (list) => {
    const elements = list.match(ELEMENTS)!;
    const secret = findSecretArguments(elements.map(unquote));
    let index = 0;
    return list.replace(ELEMENTS, (one) => (secret.has(index++) ? one[0] + FILTERED + one[0] : one));
  });
}
