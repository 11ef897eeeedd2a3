import { FILTERED, type SensitiveNames } from '../sensitive-names.js';

/** Where SQL begins within a text. Sentences have such verbs, too, so that something of its syntax must follow. */
const BEGINNING = new RegExp(
  [
    String.raw`insert\s{1,8}(?:ignore\s{1,8})?into\s{1,8}\S{1,128}\s{0,8}(?:\(|values\b|select\b|set\b)`,
    String.raw`update\s{1,8}\S{1,128}\s{1,8}set\s(?=[^=]{1,128}=)`,
    String.raw`delete\s{1,8}from\s{1,8}\S{1,128}\s{1,8}where\b`,
    String.raw`select\s(?=[^\n]{1,1024}\s(?:from\s{1,8}\S{1,128}\s|where\s))`,
    String.raw`merge\s{1,8}into\s`,
    String.raw`(?:alter|create)\s{1,8}(?:user|role|login)\s{1,8}[^\s:]{1,128}\s{1,8}(?:identified|with|password|for)\b`,
    String.raw`exec(?:ute)?\s{1,8}[\w.]{1,128}\s{1,8}N?[@']`,
    String.raw`(?:declare|set)\s{1,8}@\w{1,64}\s[^\n']{0,64}=`,
  ]
    .map((one) => `\\b${one}`)
    .join('|'),
  'gi',
);
/** The end of a statement that is in no quotes: an empty line, or a stack. */
const END = /\n\s*\n|\n\s{1,8}at /g;
/** Of a statement that is looked at. A literal that begins before that is masked to its end. */
const MAX_LENGTH = 4096;
/**
 * One without a closing quote extends to the end. An apostrophe within a word begins none. What has a name (`'x' as state`) is the
 * value of no column.
 */
const LITERAL = /(?<![A-Za-z]{2})'(?:[^'\\]|\\.|'')*(?:'|$)(\s{1,3}as\s)?/gis;
/** Values that the statement runs with: `["x",7]` */
const JSON_LIST = /\[\s{0,8}"[^\]]{1,2048}\]?/g;
const PARAMETER = /\?|\$\d|:\w|@\w/;
/** What a literal is compared with or assigned to. */
const COLUMN = /([\w$.]{1,64})["`\]]?\s{0,3}(?:[<>!]?=|<>|[<>]|(?:\bnot\s{1,3})?\bi?like\b)\s{0,3}$/i;
/** Names that say nothing about a value. */
const COMMON_COLUMN = /^(?:\w{1,32}\.)?(?:\w{0,16}value|val|data|setting)$/i;
const MAX_COLUMN_LENGTH = 80;
const TABLE = /\b(?:from|into|update|join|table)\s{1,8}["`[]?[\w$."`\]]{1,128}/gi;
const IDENTIFIER = /[A-Za-z_$][\w$]{0,63}/g;
const VALUE_COLUMN = /\b(?:\w{0,16}value|val|setting)\b/i;
const NAME_IN_LITERAL = /(?<=')[\w.-]{1,64}(?=')/g;

/**
 * Masks the literals of a statement that uses a credential, except those of other columns: SQL has many ways to say which
 * value a column gets.
 */
export function maskStatements(text: string, names: SensitiveNames): string {
  if (text.search(BEGINNING) < 0) return text;
  let masked = '';
  let end = 0;
  for (const { index } of text.matchAll(BEGINNING)) {
    if (index < end) continue;
    masked += text.slice(end, index);
    end = endOf(text, index);
    const statement = text.slice(index, end);
    masked += usesCredential(statement, names) ? withoutLiterals(statement, names) : statement;
  }
  return masked + text.slice(end);
}

/**
 * Whether a column or a variable is a credential, or a literal names one where another column has its value:
 * `SET value = 'x' WHERE name = 'smtp_password'`.
 */
function usesCredential(statement: string, names: SensitiveNames): boolean {
  const isCredential = (name: string) => names.hasField(name);
  const code = statement.replace(LITERAL, ' ').replace(TABLE, ' ');
  if (code.match(IDENTIFIER)?.some(isCredential)) return true;
  return VALUE_COLUMN.test(code) && statement.match(NAME_IN_LITERAL)?.some(isCredential) === true;
}

/** Where a statement ends: at the quote that it began with, else at an empty line or a stack; never within a literal. */
function endOf(text: string, begin: number): number {
  const quote = /["'`]\s{0,8}$/.exec(text.slice(Math.max(0, begin - 9), begin))?.[0][0];
  const ending = quote === undefined ? END : new RegExp(`(?<!\\\\)${quote}`, 'g');
  ending.lastIndex = begin;
  const end = Math.min(ending.exec(text)?.index ?? text.length, begin + MAX_LENGTH);
  if (quote === "'") return end;
  LITERAL.lastIndex = begin;
  for (let literal = LITERAL.exec(text); literal && literal.index < end; literal = LITERAL.exec(text)) {
    if (LITERAL.lastIndex > end) return LITERAL.lastIndex;
  }
  return end;
}

function withoutLiterals(statement: string, names: SensitiveNames): string {
  const masked = statement.replace(LITERAL, (literal, name: string | undefined, offset: number) => {
    const column = COLUMN.exec(statement.slice(Math.max(0, offset - MAX_COLUMN_LENGTH), offset))?.[1];
    const isOther = name || (column !== undefined && !COMMON_COLUMN.test(column) && !names.hasField(column));
    return isOther ? literal : `'${FILTERED}'`;
  });
  return PARAMETER.test(statement) ? masked.replace(JSON_LIST, FILTERED) : masked;
}
