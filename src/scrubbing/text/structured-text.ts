import { maskCredentials, maskText } from '../credentials.js';
import { FILTERED, type SensitiveNames } from '../sensitive-names.js';
import { filterQuery } from '../urls.js';
import { maskProse, secretVariables } from './prose.js';
import { unquote } from './quotes.js';

const STARTS_LIKE_JSON = /^\s*[[{]/;
const FORM = /^[^\s=&]+=\S*$/;
/** Columns in the first of several lines, or the parts of a form. */
const TABULAR = /^[^\n,;\t]*[,;\t][^\n]*\n|form-data/;
/** Several words in one line, as in prose and in SQL. */
const SENTENCE = /^[\p{L}'"]+(?:[,:;]?\s[^\s{}[\]]+){2,}$/u;
/** What a text that was cut ends with. */
const CUT = '...';
/** Longer texts are searched for fields only. */
const MAX_MASKED_LENGTH = 16 * 1024;
/** Texts within texts: beyond this many, one is replaced where it may hold a secret. */
const MAX_NESTING = 3;

/**
 * Quoted strings, which without a closing quote extend to the end of the text; brackets and separators; and what is between
 * them.
 */
const TOKEN =
  /"[^"\\]*(?:\\.[^"\\]*)*"?|'[^'\\]*(?:\\.[^'\\]*)*'?|`[^`\\]*(?:\\.[^`\\]*)*`?|[{}[\](),:]|[^\s{}[\](),:"'`]+/gs;
/** Values without quotes, in JSON and as `inspect` prints them. */
const BARE = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);
/** What may stand for itself, without quotes. Other words may be the beginning of a longer text. */
const LITERAL = /^(?:["'`]|(?:[-+]?[\d.][\w.+-]*|true|false|null|undefined|NaN|-?Infinity)$)/;

/**
 * Filters a text of unknown format, which may have been cut. In JSON and forms, the values of secret fields are replaced. Any
 * other text is replaced as a whole if it mentions a secret.
 *
 * @param isForm whether its content type is that of a form, even if it begins like JSON
 */
export function filterText(text: string, names: SensitiveNames, isForm = false, nesting = 0): string {
  const masked = maskProse(maskCredentials(text, names), names);
  // Names can be escaped.
  if (!names.areMentionedIn(masked) && !/\\u|%/.test(masked)) return masked;
  const filtered = filterMention(masked, names, isForm, nesting);
  return text.endsWith(CUT) && !filtered.endsWith(CUT) ? filtered + CUT : filtered;
}

function filterMention(text: string, names: SensitiveNames, isForm: boolean, nesting: number): string {
  if (STARTS_LIKE_JSON.test(text)) {
    const fields = filterFields(text, names, nesting);
    // Values beside names, and sentences in strings.
    const filtered = text.length <= MAX_MASKED_LENGTH && nesting === 0 ? maskText(fields, names) : fields;
    return isForm ? filterQuery(filtered, names) : filtered;
  }
  if (isForm || FORM.test(text)) return filterQuery(text, names);
  // In a member of JSON, a sentence is searched like a message; a whole body would be replaced.
  if (nesting > 0 && SENTENCE.test(text)) return maskText(text, names);
  return mayHoldSecret(text, names) ? FILTERED : text;
}

/** A mention of a credential is enough. Personal data has common names (`address`), so that a value must follow. */
function mayHoldSecret(text: string, names: SensitiveNames): boolean {
  if (names.areCredentialsMentionedIn(text) || names.areAssignedIn(text)) return true;
  return TABULAR.test(text) && names.areMentionedIn(text);
}

/**
 * The fields of JSON, or of what looks like it (`inspect` of objects, JavaScript), with the values of secrets replaced.
 * Reads along rather than parses, so that the rest stays as it is written, and the text may end anywhere.
 */
export function filterFields(text: string, names: SensitiveNames, nesting = 0): string {
  const filter = new FieldFilter(text, names, nesting);
  for (const { 0: token, index } of text.matchAll(TOKEN)) filter.take(token, index);
  return filter.end();
}

class FieldFilter {
  readonly #text: string;
  readonly #names: SensitiveNames;
  readonly #nesting: number;
  #output = '';
  /** Up to where the text is in the output, or left out of it. */
  #done = 0;
  /** The last text or word: a name, if a colon follows. */
  #name: string | undefined;
  #isValueNext = false;
  /** Brackets open in a value that is left out; infinite if nothing ends it. */
  #depth = 0;
  readonly #variables: ReadonlySet<string>;

  constructor(text: string, names: SensitiveNames, nesting: number) {
    this.#text = text;
    this.#names = names;
    this.#nesting = nesting;
    this.#variables = secretVariables(text, names);
  }

  take(token: string, index: number): void {
    const bracket = bracketOf(token);
    if (this.#depth > 0) {
      this.#depth += bracket;
      if (this.#depth === 0) this.#done = index + token.length;
      return;
    }
    if (token === ':') {
      this.#isValueNext = this.#name !== undefined;
      return;
    }
    const isValue = this.#isValueNext && token !== ',' && bracket >= 0;
    this.#isValueNext = false;
    if (isValue && this.#isSecret(this.#name!, BARE.has(token) ? BARE.get(token) : token))
      this.#leaveOut(token, index, bracket);
    else if (token === ',' || bracket !== 0) this.#name = undefined;
    else this.#keep(token, index);
  }

  #isSecret(name: string, value: unknown): boolean {
    return this.#names.hasValue(name, value) || this.#variables.has(name);
  }

  end(): string {
    return this.#output + this.#text.slice(this.#done);
  }

  #leaveOut(token: string, index: number, bracket: number): void {
    this.#replace(index, `"${FILTERED}"`, token.length);
    this.#name = undefined;
    // A value without a closing quote or bracket extends to the end of the text, and so does a value of unquoted words.
    this.#depth = bracket > 0 || LITERAL.test(token) ? bracket : Number.POSITIVE_INFINITY;
    if (this.#depth > 0) this.#done = this.#text.length;
  }

  #keep(token: string, index: number): void {
    const filtered = filterInner(token, this.#names, this.#nesting);
    if (filtered !== token) this.#replace(index, filtered, token.length);
    this.#name = unquote(token);
  }

  #replace(index: number, replacement: string, length: number): void {
    this.#output += this.#text.slice(this.#done, index) + replacement;
    this.#done = index + length;
  }
}

function bracketOf(token: string): number {
  if (token === '{' || token === '[' || token === '(') return 1;
  return token === '}' || token === ']' || token === ')' ? -1 : 0;
}

/** A text in quotes that has fields itself. */
function filterInner(token: string, names: SensitiveNames, nesting: number): string {
  const isText = /^["'`]/.test(token);
  if (!isText || !(names.areAssignedIn(token) || token.includes('\\u'))) return token;
  const inner = unquote(token);
  if (!names.areAssignedIn(inner)) return token;
  if (nesting >= MAX_NESTING) return JSON.stringify(FILTERED);
  const filtered = filterText(inner, names, false, nesting + 1);
  return filtered === inner ? token : JSON.stringify(filtered);
}
