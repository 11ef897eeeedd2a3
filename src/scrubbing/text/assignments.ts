import { escapePattern } from '../custom-names.js';
import { FILTERED, type SensitiveNames } from '../sensitive-names.js';
import { type Assignment, createAssignments, createPlainAssignment } from './assignment-patterns.js';
import { endOfBrackets } from './brackets.js';
import { Assigned, isExempt } from './exemptions.js';

/**
 * Redis, in capitals, because prose says "auth" too: `AUTH x8Qz3vT6kW1`, `AUTH default x8Qz3vT6kW1`, and any word where a
 * command is named or printed.
 */
const AUTH =
  /(?<![\w-])(AUTH\s{1,3})(?!\[Filtered|<|(?:LOGIN|PLAIN|CRAM|XOAUTH|OAUTHBEARER)\b)(?:default\s{1,3}\S{1,512}|(?:[\w.@-]{1,64}\s{1,3})?(?=[^\s\d"'\]]{0,64}\d)(?=[\d]{0,64}[^\s\d"'\]])(?!\d{1,9}\w{0,3}(?!\S))[^\s"'\]]{6,512})/g;
const AUTH_COMMAND =
  /((?:command:?|cmd:?|>|["'`])\s{0,3}AUTH\s{1,3})(?!\[Filtered|[<$?]|(?:LOGIN|PLAIN|CRAM|XOAUTH|OAUTHBEARER)\b)[^\s"'`]{1,512}(?:\s{1,3}[^\s"'`]{1,512})?/g;
/** The same in a list: `['AUTH', 'default', 'value']`, and as `MONITOR` prints it: `"AUTH" "value"`. */
const AUTH_LIST =
  /((["'])AUTH\2(?:,\s{0,8}|\s))(?:"[^"]{0,512}"|'[^']{0,512}')(?:,\s{0,8}(?:"[^"]{0,512}"|'[^']{0,512}'))?/g;
/** What Redis says: ``unknown command `AUTH`, with args beginning with: `value` `` */
const AUTH_REFUSED = /(['`]AUTH['`], with args beginning with: )(?!\[Filtered)[^\n]{1,512}/g;
/** A table that `console.table` draws; trees have no columns. */
const DRAWN_TABLE = /\u2500[\u252c\u253c\u2534]\u2500/;
/** The names of columns, and a line below them. */
const COLUMNS = /(?<![\w.,;-])[\w.-]{1,32}(?:[,;\t][\w.-]{1,32}){1,32}\r?\n(?=(\S[^\n]{0,1024}))/;
/**
 * Characters that were encoded within a string: `\u0022`, `\x22`, `%2522`, `&quot;`, `&lt;`; and letters, which nobody has to
 * encode: `%61`; wide colons and equals signs.
 */
const ENCODED =
  /(?:\\u00|\\x|%(?=[46][1-9a-f]|[57][\da]))([2-7][\da-f])|%25(?=[2-7][\da-f])|&(?:quot|apos|lt|gt|#(?:34|39|61|x22|x27|x3d));|[：＝]/gi;

/** Before an object: what follows would read `secret: Map(1) [Filtered]`, which is no value of a field. */
const TYPE_OF_VALUE = /(?<=[:=>]\s{0,3})[<[\w$][^"'`]* $/;
/** Shorter values are too common to be masked wherever they occur. */
const MIN_REPEATED_LENGTH = 6;
/** Values that are looked for again in one text. */
const MAX_REPEATED = 20;

/** Words other than names after which a credential may follow. */
const OTHER_MENTION =
  /identified|requirepass|masterauth|pragma|attach|crypt|\btokens|\bkeys\W{1,8}\[|\bseed\b|\bm?tan\b|\b2fa\b|authenticator/i;

/** Looks for values that are assigned to names of credentials. */
export class AssignmentMask {
  readonly #names: SensitiveNames;
  readonly #custom: RegExp | undefined;
  readonly #assignments: readonly Assignment[];

  /** @param customSource source of a regular expression for the only names to look for; without it, those of `names` */
  constructor(names: SensitiveNames, customSource?: string) {
    const source = customSource ?? names.credentialSource;
    this.#names = names;
    this.#custom = customSource === undefined ? undefined : new RegExp(customSource, 'i');
    const assignments = createAssignments(String.raw`${source}[\w-]{0,32}`);
    this.#assignments = this.#custom
      ? [...assignments.filter((one) => one.source.includes(source)), createPlainAssignment(source)]
      : assignments;
  }

  apply(text: string): string {
    const found = new Set<string>();
    return withoutRepeated(this.#maskDecoded(text, found), found);
  }

  #maskDecoded(text: string, found: Set<string>): string {
    const masked = this.#mask(text, found);
    const decoded = masked.replace(ENCODED, decode);
    if (decoded === masked) return masked;
    const maskedOnceMore = this.#mask(decoded, found);
    return maskedOnceMore === decoded ? masked : maskedOnceMore;
  }

  /** @param found gets the values that are masked, if they cannot be words of the text */
  #mask(text: string, found: Set<string>): string {
    if (!this.#mayAssign(text)) return text;
    if (DRAWN_TABLE.test(text)) return FILTERED;
    const replace = (assignment: string, name: string, offset: number, whole: string) =>
      this.#replaceValue(new Assigned(assignment, name, offset, whole), found);
    let masked = this.#withoutRows(text);
    for (const one of this.#assignments) {
      if (!one.hint.test(masked)) continue;
      one.pattern ??= new RegExp(one.source, 'gi');
      masked = replaceEach(masked, one.pattern, replace);
    }
    return this.#custom
      ? masked
      : masked
          .replace(AUTH_COMMAND, `$1${FILTERED}`)
          .replace(AUTH, `$1${FILTERED}`)
          .replace(AUTH_LIST, `$1'${FILTERED}'`)
          .replace(AUTH_REFUSED, `$1${FILTERED}`);
  }

  #mayAssign(text: string): boolean {
    return this.#custom ? this.#custom.test(text) : this.#names.mayNameCredential(text) || OTHER_MENTION.test(text);
  }

  /** Masks rows of which the first one names the columns, and the next one has as many. */
  #withoutRows(text: string): string {
    const found = COLUMNS.exec(text);
    if (!found) return text;
    const [line, next = ''] = found;
    const separators = line.match(/[,;\t]/g)!;
    const isRow = next.split(separators[0]!).length > separators.length;
    const isSecret = isRow && line.split(/[,;\s]/).some((name) => this.#names.hasCredential(name));
    return isSecret ? text.slice(0, found.index) + FILTERED : text;
  }

  /** Keeps the quotes around the value. @returns `undefined` for what stays */
  #replaceValue(assigned: Assigned, found: Set<string>): string | undefined {
    const { name, fullName, value } = assigned;
    const isCustom = this.#custom !== undefined || this.#names.hasCustomField(fullName);
    if (isExempt(assigned, this.#names, isCustom)) return undefined;
    const [quote = ''] = /^\\*["'`]/.exec(value) ?? [];
    const bare = value.slice(quote.length, quote && value.endsWith(quote) ? -quote.length : undefined);
    if (found.size < MAX_REPEATED && bare.length >= MIN_REPEATED_LENGTH && !isWords(bare)) found.add(bare);
    return (isBracket(value) ? name.replace(TYPE_OF_VALUE, '') : name) + quote + FILTERED + quote;
  }
}

/**
 * Replaces what a pattern finds. A value that begins with a bracket goes on to where that is closed.
 *
 * @param replace gets the same as that of `String.replace`, and returns nothing for what stays
 */
function replaceEach(
  text: string,
  pattern: RegExp,
  replace: (assignment: string, name: string, offset: number, text: string) => string | undefined,
): string {
  let replaced = '';
  let end = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [assignment, name = ''] = found;
    const replacement = replace(assignment, name, found.index, text);
    if (replacement === undefined) continue;
    replaced += text.slice(end, found.index) + replacement;
    const begin = found.index + name.length;
    end = isBracket(assignment.slice(name.length))
      ? endOfBrackets(text, begin)
      : begin + assignment.length - name.length;
    pattern.lastIndex = end;
  }
  return end === 0 ? text : replaced + text.slice(end);
}

function isBracket(value: string): boolean {
  return value.startsWith('{') || value.startsWith('[');
}

/** A message may quote a value again, without its name. */
function withoutRepeated(text: string, values: ReadonlySet<string>): string {
  if (values.size === 0) return text;
  const escaped = Array.from(values, escapePattern).join('|');
  return text.replace(new RegExp(`(?<!\\w)(?:${escaped})(?!\\w)`, 'g'), FILTERED);
}

/** Whether a value consists of words: the text may use them with another meaning. */
function isWords(value: string): boolean {
  return /[\s{[]/.test(value) || !/\d/.test(value) || !/[a-z]/i.test(value);
}

function decode(encoded: string, code: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (encoded === '：') return ': ';
  if (encoded.startsWith('%')) return '%';
  if (encoded === '&lt;') return '<';
  if (encoded === '&gt;') return '>';
  if (/＝|61|3d/i.test(encoded)) return '=';
  return /apos|39|27/.test(encoded) ? "'" : '"';
}
