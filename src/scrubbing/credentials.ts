import { oncePerObject } from '../internal/collections/once-per-object.js';
import { maskEncoded } from './looks/encoded.js';
import { LOOKS, LOOKS_BY_MIDDLE, WORD_START } from './looks/looks.js';
import { maskPathTokens } from './looks/path-tokens.js';
import { maskPaymentNumbers } from './looks/payment-numbers.js';
import { FILTERED, type SensitiveNames } from './sensitive-names.js';
import { AssignmentMask } from './text/assignments.js';
import { maskCalls } from './text/calls.js';
import { maskPrintedArguments } from './text/command-arguments.js';
import { maskCommandLines } from './text/command-lines.js';
import { maskProse } from './text/prose.js';
import { replaceEscaped } from './text/quotes.js';
import { maskStatements } from './text/statements.js';
import { maskUnexplained } from './text/unexplained-words.js';

/**
 * Tested first, because few strings match, and compiling the full patterns takes milliseconds, four times as long. Sorted,
 * because V8 merges neighbouring alternatives with a common prefix.
 */
const BEGINNING = new RegExp(joinAlternatives(LOOKS.map((look) => look.split(' ')[0]!).sort()));
/** With what is left of the word, as some services lengthen their tokens. */
const LOOK = new RegExp(
  `(?:${joinAlternatives(LOOKS.map((look) => look.replace(' ', '')))})[\\w-]*={0,2}(?:_[\\w-]*)?`,
  'g',
);

/** One pattern for all, in their order. Neighbours that begin with `\b` share one {@link WORD_START}, which halves the time. */
function joinAlternatives(patterns: readonly string[]): string {
  let joined = '';
  let isAtWord = false;
  for (const pattern of patterns) {
    const startsAtWord = pattern.startsWith('\\b');
    if (isAtWord && !startsAtWord) joined += ')';
    if (joined !== '') joined += '|';
    if (startsAtWord && !isAtWord) joined += `${WORD_START}(?:`;
    joined += startsAtWord ? pattern.slice('\\b'.length) : pattern;
    isAtWord = startsAtWord;
  }
  return isAtWord ? `${joined})` : joined;
}

/**
 * `user:password@` of a URL anywhere in a string. Passwords that should have been encoded may contain delimiters, so they end
 * at the last `@`. A port is not taken for a password, nor is a placeholder such as `${PASSWORD}`; users such as `git` have no
 * password, and `[` begins an address. Bounded, so that hostile strings take linear time.
 */
const USER_INFO =
  /(?<=^|:)\/\/(?!(?:git|deploy|root|postgres|app|admin)@|@|\[(?!Filtered\]:)|(?:[\w.-]{1,64}|\$\{[\w.]{1,64}\}):\$\{[\w.]{1,64}\}@)(?:[^\s/?#@:"'<>`]{0,128}:(?!\d+(?:[/?#]|$))[^\s"'<>`]{0,128}|[^\s/?#"'<>`]{0,128})@/g;

/** Words in which a user info would be longer than {@link USER_INFO} looks for. */
const LONG_WORD = /[^\s"'<>`]{128,}/g;

/** The same for tokens in place of a password, which may have thousands of characters. Looks at each word once. */
function maskLongUserInfo(word: string): string {
  const end = word.lastIndexOf('@');
  const begin = word.indexOf('//') + 2;
  if (begin < 2 || end < begin || (begin > 2 && word[begin - 3] !== ':')) return word;
  const info = word.slice(begin, end);
  const delimiter = END_OF_NAME.exec(info);
  const isUserInfo = delimiter === null || (delimiter[0] === ':' && !PORT.test(info.slice(delimiter.index + 1)));
  return isUserInfo ? `${word.slice(0, begin)}[filtered]:[filtered]${word.slice(end)}` : word;
}

/** Of a user or a host; addresses of IPv6 are in brackets. */
const END_OF_NAME = /[/?#:,;[]|[^\x21-\x7e]/;
const PORT = /^\d+(?:[/?#]|$)/;

/**
 * `user:password@` without a scheme: `me:Ab3dEf6h@host`, `me:Ab3dEf6h@tcp(host)`. Versions, digests and addresses with a
 * scheme of mail look alike, so that the password must have a digit and a capital letter or a punctuation mark, unless it is in
 * an address of Go or behind the code of an error: `getaddrinfo ENOTFOUND me:letmein@host`.
 */
const BARE_USER_INFO =
  /(?<![\w.@/:%+-])(\/\/)?(?:(?<=\bE[A-Z_]{5,16} )|(?!(?:mailto|sips?|xmpp|acct|im|npm|jsr|urn|from|to|cc|by|e-?mail|user|login)\b))[\w.+-]{1,64}:(?:(?=[^\s@]{0,64}?\d)(?=[^\s@]{0,64}?[A-Z!#$%^&*=~])|(?=\S{1,128}@(?:tcp|unix)\()|(?<=\bE[A-Z_]{5,16} \S{1,64}))(?![^\s@]{1,64}@sha\d)[^\s/:@"'<>(){}[\],]{6,128}@(?=[\w[(-])/g;

/** The same with quotes or angle brackets in the password, but none that begin or end a string or an element. */
const QUOTED_USER_INFO =
  /(?<=:)\/\/[\w.%+~-]{1,64}:(?!\d+["'<>`])(?=[^\s@]{0,128}["'<>`])(?:[^\s"'<>`@\\]|(?<![=(,:[{])["'`](?![,;:)}\]>=\s/\\]|$)|<(?!\/)|>(?![,;)\s]|$)){1,128}@(?=[\w[])/g;

/** Replaces credentials that are recognized by their looks, whatever their name is. */
export function maskCredentials(text: string, names: SensitiveNames): string {
  const replace = (found: string) => (names.isAllowedValue(found) ? found : FILTERED);
  const looked = maskPaymentNumbers(BEGINNING.test(text) ? text.replace(LOOK, replace) : text, replace);
  let masked = maskEncoded(looked, names);
  for (const [middle, look] of LOOKS_BY_MIDDLE) if (middle.test(masked)) masked = masked.replace(look, replace);
  if (masked.includes('/')) masked = maskPathTokens(masked);
  if (!masked.includes('@')) return masked;
  return masked
    .replace(USER_INFO, '//[filtered]:[filtered]@')
    .replace(QUOTED_USER_INFO, '//[filtered]:[filtered]@')
    .replace(LONG_WORD, maskLongUserInfo)
    .replace(BARE_USER_INFO, '$1[filtered]:[filtered]@');
}

/** A short word of letters, such as the name of an error, cannot hold a credential. */
const SHORT_WORD = /^[A-Za-z]{0,15}$/;

const assignmentMaskOf = oncePerObject((names: SensitiveNames) => new AssignmentMask(names));

/** Levels of nested quoted strings that are searched on their own; deeper ones are searched as part of the outer string. */
const MAX_NESTING = 3;

/**
 * Replaces credentials in prose: error messages, console output. Besides {@link maskCredentials} this finds values that
 * are assigned to a name: in queries of URLs, connection strings, JSON, arguments, and printed objects.
 */
export function maskText(text: string, names: SensitiveNames): string {
  if (SHORT_WORD.test(text)) return text;
  const plain = text.includes('[') ? text.replace(COLORS, '') : text;
  // `inspect` prints a string of several lines as a sum of strings.
  const joined = plain.includes('+') ? plain.replace(SUMS, '$1') : plain;
  const masked = maskNested(joined, names, 0);
  if (masked === joined) return text;
  return text.length > MAX_VALUE_LENGTH && hasLongWord(text) ? masked.replace(REST, FILTERED) : masked;
}

/**
 * Colors for a terminal, also as they look in a printed string. They stand where words begin and end, and between names and
 * values.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how they begin
const COLORS = /(?:\x1b|\\{1,3}(?:u001b|x1b|033|e))\[[\d;]{0,16}m/gi;

/** Longest part of a value that a pattern matches. */
const MAX_VALUE_LENGTH = 512;
/** What follows the matched part of a longer value, after the closing quote that the mask has added. */
const REST = /\[Filtered\](?:\\{0,7}["'`])?[\w+=][\w+/=.~%-]{15,}/g;

function hasLongWord(text: string): boolean {
  return text.split(/[\s"'`]/).some(({ length }) => length > MAX_VALUE_LENGTH);
}

const SUMS = /(\\n)(["'`]) \+\n\s{0,64}\2/g;

function maskNested(text: string, names: SensitiveNames, nesting: number): string {
  // First, as an escaped quote may look like the end of a value.
  let masked =
    nesting < MAX_NESTING ? replaceEscaped(text, (content) => maskNested(content, names, nesting + 1)) : text;
  masked = maskCalls(maskCredentials(masked, names));
  masked = maskCommandLines(maskPrintedArguments(masked));
  masked = maskProse(maskStatements(masked, names), names);
  masked = assignmentMaskOf(names).apply(masked);
  return nesting === 0 ? maskUnexplained(masked, names) : masked;
}
