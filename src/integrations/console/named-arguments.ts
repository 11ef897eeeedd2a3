import { inspect } from 'node:util';
import { isArray } from '../../internal/values/read.js';
import { maskText } from '../../scrubbing/credentials.js';
import { FILTERED, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { REMARK } from '../../scrubbing/text/plain-words.js';
import { INSPECTION } from './console-methods.js';

/** An argument that is only a name: `token`, `password ->`. */
const NAME = /^\s{0,8}([\w.-]{2,64})\s{0,3}(?:[:=]|[-=]>)?\s{0,8}$/;
const MAX_VALUE_CHARS = 256;
/** One word that is not a remark about a credential, as in `console.log('token', 'expired')`. */
const SECRET_WORD = new RegExp(String.raw`^\s*${REMARK}\S+\s*$`, 'i');
/** Names that are hardly ever labels of a message, as `auth` and `jwt` are. */
const SECRET_NAME = /(?:passw(?:or)?d|passphrase|pwd|secret|token|key|pin|otp|passcode)$/i;
/** Constants, paths, names of secrets and durations. */
const LABEL = /^(?:[A-Z]+(?:_[A-Z]+)*|\/.*|[a-z]+(?:\/[a-z-]+)+|arn:.*|\d+m?s)$/;

/** Replaces logged values of credentials that the argument before names: `console.log('password', password)`. */
export function filterNamedArguments(logged: readonly unknown[], names: SensitiveNames): readonly unknown[] {
  return logged.map((value, index) => (index > 0 && isNamed(logged[index - 1], value, names) ? FILTERED : value));
}

function isNamed(before: unknown, value: unknown, names: SensitiveNames): boolean {
  const name = typeof before === 'string' ? NAME.exec(before)?.[1] : undefined;
  if (name === undefined || !SECRET_NAME.test(name) || !names.areCredentialsMentionedIn(name)) return false;
  // Members of objects have names of their own.
  if (typeof value === 'object' && !isArray(value)) return false;
  if (typeof value === 'string' && (LABEL.test(value) || !SECRET_WORD.test(value))) return false;
  const assigned = `${name}: ${inspect(value, INSPECTION).slice(0, MAX_VALUE_CHARS)}`;
  return maskText(assigned, names) !== assigned;
}
