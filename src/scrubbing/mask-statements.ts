import { FILTERED } from './sensitive-names.js';

/** Where SQL begins within a text. */
const BEGINNING =
  /\b(?:insert\s{1,8}(?:ignore\s{1,8})?into|update\s{1,8}\S{1,128}\s{1,8}set|delete\s{1,8}from|select\s(?=[^\n]{1,1024}\s(?:from|where)\s)|merge\s{1,8}into|(?:alter|create)\s{1,8}(?:user|role|login)|exec(?:ute)?\s{1,8}\w|(?:declare|set)\s{1,8}@)/gi;
const MAX_LENGTH = 4096;
/** One without a closing quote extends to the end. What has a name (`'x' as state`) is the value of no column. */
const LITERAL = /'(?:[^'\\]|\\.|'')*(?:'|$)(\s{1,3}as\s)?/gis;
/** Values that the statement runs with: `["x",7]` */
const JSON_LIST = /\[\s{0,8}"[^\]]{1,2048}\]?/g;
const QUOTES: Readonly<Record<string, RegExp>> = { '"': /(?<!\\)"/, "'": /(?<!\\)'/, '`': /`/ };
/** What a literal is compared with or assigned to. */
const COLUMN = /([\w$.]{1,64})["`\]]?\s{0,3}(?:[<>!]?=|<>|[<>]|(?:\bnot\s{1,3})?\bi?like\b)\s{0,3}$/i;
/** Names that say nothing about a value. */
const COMMON_COLUMN = /^(?:\w{1,32}\.)?(?:\w{0,16}value|val|data|setting)$/i;
const MAX_COLUMN_LENGTH = 80;
const IS_PARAMETRIZED = /\?|\$\d|:\w|@\w/;

/**
 * Masks the literals of a statement that mentions a credential, except those of other columns: SQL has many ways to say which
 * value a column gets.
 *
 * @param mentionsCredential whether a statement has the name of a credential in it
 */
export function maskStatements(text: string, mentionsCredential: (statement: string) => boolean): string {
  if (text.search(BEGINNING) < 0) return text;
  let masked = '';
  let end = 0;
  for (const { index } of text.matchAll(BEGINNING)) {
    if (index < end) continue;
    masked += text.slice(end, index);
    end = endOf(text, index);
    const statement = text.slice(index, end);
    masked += mentionsCredential(statement) ? withoutLiterals(statement, mentionsCredential) : statement;
  }
  return masked + text.slice(end);
}

/** Up to the quote in front of it, if it stands in quotes, or to an empty line. */
function endOf(text: string, begin: number): number {
  const quote = /["'`]\s{0,8}$/.exec(text.slice(Math.max(0, begin - 9), begin))?.[0][0];
  const rest = text.slice(begin, begin + MAX_LENGTH);
  const end = rest.search(quote === undefined ? /\n\s*\n|\n\s{1,8}at / : QUOTES[quote]!);
  return begin + (end < 0 ? rest.length : end);
}

function withoutLiterals(statement: string, mentionsCredential: (column: string) => boolean): string {
  const masked = statement.replace(LITERAL, (literal, name: string | undefined, offset: number) => {
    const column = COLUMN.exec(statement.slice(Math.max(0, offset - MAX_COLUMN_LENGTH), offset))?.[1];
    const isOther = name || (column !== undefined && !COMMON_COLUMN.test(column) && !mentionsCredential(column));
    return isOther ? literal : `'${FILTERED}'`;
  });
  return IS_PARAMETRIZED.test(statement) ? masked.replace(JSON_LIST, FILTERED) : masked;
}
