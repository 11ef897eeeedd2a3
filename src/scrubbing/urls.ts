import { maskCredentials } from './credentials.js';
import { filterUnlessHarmless } from './harmless-strings.js';
import { RANDOM, RANDOM_PARAMETER, RANDOM_VALUE } from './looks/random-words.js';
import { FILTERED, type SensitiveNames } from './sensitive-names.js';

/** Levels of URLs within parameters. A deeper parameter is replaced if it may hold a secret. */
const MAX_NESTING = 3;

/** Looked for only where one may begin, which takes linear time. */
const PARAMETER = /(?<=^|[?&#;])([^?&=#;]+)=([^&]*)/g;

/**
 * A path, or an address with one, of words and short numbers, as most are. No credential looks like that, and a search for one
 * takes twenty times as long.
 */
const PLAIN_PATH =
  /^(?:https?:\/\/(?:[a-z]{1,20}|\d{1,3})(?:\.(?:[a-z]{1,20}|\d{1,3}))*(?::\d{1,5})?)?(?:\/(?:[a-z]{1,20}|\d{1,7}))*\/?$/;

/** Common names, of a credential only where the value looks random: `?session=x8Qz3vT6kW1`. */
const COMMON_NAME = /(?:^|[-_])(?:sess(?:ion)?|magic|pepper|salt|private)$/i;
const RANDOM_PAIR = new RegExp(`^${RANDOM_PARAMETER}${RANDOM_VALUE}$`, 'i');
/** The same without digits: letters of both cases in no order that names have. */
const LETTERS_PAIR = /^(?:code|key|magic|access|refresh)=(?=(?:[\w~-]*?[a-z][A-Z]){3})[\w~-]{16,512}$/;
const HINT =
  /%|(?:code|sess(?:ion)?|private|pepper|salt|magic|key|ticket|appid|licen[cs]e|invite|verify|confirm|tok|refresh|access|\b[tku])=/i;

/** The parts of a URL, or of the path of one. */
interface UrlParts {
  /** Without user info, query and fragment. */
  readonly url: string;
  /** Without the `?`, secrets replaced; the empty string when there is none. */
  readonly query: string;
  /** Without the `#`, secrets replaced; the empty string when there is none. */
  readonly fragment: string;
}

/** Takes a URL apart and its secrets out. Text operations only, so that it works for malformed ones too. */
export function splitUrl(url: string, names: SensitiveNames): UrlParts {
  const [beforeFragment, fragment] = splitAt(url, '#');
  const [base, query] = splitAt(beforeFragment, '?');
  return {
    url: filterPath(withoutUserInfo(base), names),
    query: filterQuery(query, names),
    fragment: filterQuery(fragment, names),
  };
}

/** A URL without its user info, query and fragment, secrets replaced. */
export function filterLocation(url: string, names: SensitiveNames): string {
  const end = url.search(/[?#]/);
  return filterPath(withoutUserInfo(end < 0 ? url : url.slice(0, end)), names);
}

/** A URL, or its path and query, with the values of secrets replaced. Accepts any string. */
export function filterUrl(url: string, names: SensitiveNames): string {
  const [beforeFragment, fragment] = splitAt(url, '#');
  const [base, query] = splitAt(beforeFragment, '?');
  const path = filterPath(base, names);
  const isWhole = query === '' && fragment === '' && base.length === url.length;
  if (isWhole) return path;
  return `${path}${query && `?${filterQuery(query, names)}`}${fragment && `#${filterQuery(fragment, names)}`}`;
}

/** A query string (or a body or a fragment of the same form), with the values of secrets replaced. Never throws. */
export function filterQuery(query: string, names: SensitiveNames): string {
  return query === '' ? query : filterUnlessHarmless('(query)', query, names, (text) => filterPairs(text, names));
}

function filterPairs(query: string, names: SensitiveNames, nesting = 0): string {
  if (!names.areMentionedIn(query) && !HINT.test(query)) return maskCredentials(query, names);
  // The code with which a browser comes back from signing in is as good as a token.
  const isSignIn = query.includes('state=') || query.includes('=authorization_code');
  const filtered = query.replace(PARAMETER, (pair, name: string, value: string) => {
    const decoded = decodePercent(name);
    const isCode =
      (isSignIn && name === 'code') ||
      (name === 'p' && RANDOM.test(value) && /(?:^|&)u=/.test(query)) ||
      (COMMON_NAME.test(decoded) && RANDOM.test(value)) ||
      RANDOM_PAIR.test(`${decoded}=${value}`) ||
      LETTERS_PAIR.test(`${decoded}=${value}`);
    const isFlag = value === 'true' || value === 'false';
    if (names.hasValue(decoded, isFlag || value) || isCode) return `${name}=${FILTERED}`;
    const inner = filterParameter(value, names, nesting);
    return inner === value ? pair : `${name}=${inner}`;
  });
  return maskCredentials(filtered, names);
}

/** The part of a URL before its query: `;name=value` of secrets, and credentials, replaced. */
export function filterPath(path: string, names: SensitiveNames): string {
  return PLAIN_PATH.test(path) ? path : filterUnlessHarmless('(path)', path, names, filterParameters);
}

function filterParameters(path: string, names: SensitiveNames): string {
  const filtered = path.includes(';')
    ? path.replace(/;([^;=/]+)=([^;/]*)/g, (pair, name: string) =>
        names.hasField(decodePercent(name)) ? `;${name}=${FILTERED}` : pair,
      )
    : path;
  return maskCredentials(filtered, names);
}

/** A parameter may be a URL, a query or JSON itself, as it is or encoded once more. */
function filterParameter(value: string, names: SensitiveNames, nesting: number): string {
  const decoded = decodePercent(value);
  const isEncodedAgain = decoded !== value && /%[2-7][\da-f]/i.test(decoded);
  if (!isEncodedAgain && !/[=@:]/.test(decoded)) return value;
  if (nesting >= MAX_NESTING) return names.areMentionedIn(decoded) ? FILTERED : value;
  if (isEncodedAgain) {
    const inner = filterParameter(decoded, names, nesting + 1);
    if (inner !== decoded) return encodeURIComponent(inner);
  }
  // An assignment that is not a query has a format that this code does not know, so the whole value is replaced.
  const filtered = filterPairs(decoded, names, nesting + 1);
  if (filtered === decoded) return names.areAssignedIn(decoded) ? FILTERED : value;
  return decoded === value ? filtered : encodeURIComponent(filtered);
}

function withoutUserInfo(url: string): string {
  const begin = url.indexOf('://') + '://'.length;
  if (begin < '://'.length) return url;
  const slash = url.indexOf('/', begin);
  const authority = slash < 0 ? url.slice(begin) : url.slice(begin, slash);
  const at = authority.lastIndexOf('@');
  return at < 0 ? url : url.slice(0, begin) + url.slice(begin + at + 1);
}

function splitAt(text: string, separator: string): [before: string, after: string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

/** Never throws, so that a malformed character hides no other. */
function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
}
