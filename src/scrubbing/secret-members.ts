import { isArray, isObject } from '../internal/values/read.js';
import { RANDOM, TOKEN_ELEMENT } from './looks/random-words.js';
import type { SensitiveNames } from './sensitive-names.js';
import { NAME_MEMBER, VALUE_MEMBER } from './text/assignment-patterns.js';

type Members = Readonly<Record<string, unknown>>;

/** Members that hold the name and the value of something: `{ name: 'password', value: 'x' }`. */
const NAME = new RegExp(`^(?:${NAME_MEMBER})$`, 'i');
const VALUE = new RegExp(`^(?:${VALUE_MEMBER})$`, 'i');
const FIELD = /^[$\w .[\]/-]{1,64}$/;
/** Members of a JSON Web Key that make it private. */
const PRIVATE_MEMBER = /^(?:d|p|q|dp|dq|qi|k|oth)$/;
const KEY_TYPE = /^(?:EC|RSA|oct|OKP)$/;
/** What statements run with. */
const PARAMETERS = /^(?:values|params|parameters|bindings|binds|replacements|args)$/i;
const STATEMENT = /^\s*(?:select|insert|update|delete|alter|create|call|exec|merge|with)\b/i;
/** Names that count only if the value looks random. */
const SALT = /^(?:salt|pepper|sess(?:ion)?|magic)$|\w_private$/i;
/** Names that count only if the value looks random and is long. */
const ACCESS = /^(?:access|refresh|plaintext|(?:primary|secondary)[-_]?key|key[12])$/i;
const MIN_ACCESS_LENGTH = 20;
/** Words from which a wallet is made. */
const PHRASE = /^(?:[a-z]{3,8}\s){11,23}[a-z]{3,8}$/;
/** Names of lists that count only if all elements look random. */
const TOKENS = /^(?:tokens|keys)$/i;
/** Elements that are checked; the rest is assumed to be alike. */
const MAX_TOKENS = 20;
const TOKEN = new RegExp(`^${TOKEN_ELEMENT}$`);

/** Finds the members of an object whose values are secrets because of the members beside them. */
export function findSecretMembers(members: Members, names: SensitiveNames): readonly string[] {
  const keys = Object.keys(members);
  const found = keys.filter((key) => isSecretByLooks(key, members[key]));
  const add = (pattern: RegExp) => found.push(...keys.filter((key) => pattern.test(key)));
  if (keys.some((key) => NAME.test(key) && isName(members[key], names))) add(VALUE);
  if (typeof members.kty === 'string' && KEY_TYPE.test(members.kty)) add(PRIVATE_MEMBER);
  // A command of a client of Redis: `{ name: 'auth', args: ['default', 'x8Qz3vT6kW1'] }`, which `hello` may contain.
  if (typeof members.name === 'string' && /^(?:auth|hello)$/i.test(members.name)) found.push('args');
  if (members.grant_type === 'authorization_code') found.push('code');
  if (runsWithCredentials(members, keys, names)) add(PARAMETERS);
  return found;
}

function isSecretByLooks(name: string, value: unknown): boolean {
  if (typeof value === 'string') {
    if (SALT.test(name)) return RANDOM.test(value);
    if (ACCESS.test(name)) return value.length >= MIN_ACCESS_LENGTH && TOKEN.test(value);
    return name === 'seed' && PHRASE.test(value);
  }
  if (isTokenList(name, value)) return true;
  // `tokens: { access: 'x8Qz3vT6kW1' }`
  return name === 'tokens' && isObject(value) && !isArray(value) && Object.values(value).some(isRandom);
}

/** `tokens: ['x8Qz3vT6kW1']` */
export function isTokenList(name: string, value: unknown): boolean {
  if (!TOKENS.test(name) || !isArray(value) || value.length === 0) return false;
  return value.slice(0, MAX_TOKENS).every((one) => typeof one === 'string' && TOKEN.test(one));
}

const isRandom = (value: unknown) => typeof value === 'string' && RANDOM.test(value);

/** Also of a path: `['user', 'password']`. */
function isName(value: unknown, names: SensitiveNames): boolean {
  const name = isArray(value) ? value.at(-1) : value;
  return typeof name === 'string' && FIELD.test(name) && names.hasField(name);
}

/** `{ text: 'UPDATE users SET password = $1', values: ['x'] }` */
function runsWithCredentials(members: Members, keys: readonly string[], names: SensitiveNames): boolean {
  if (!keys.some((key) => PARAMETERS.test(key))) return false;
  return keys.some((key) => {
    const value = members[key];
    return typeof value === 'string' && STATEMENT.test(value) && names.areCredentialsMentionedIn(value);
  });
}
