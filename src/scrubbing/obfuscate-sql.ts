import { RecentMap } from '../internal/collections/recent-map.js';

/** Stands for a value, as in a prepared statement. */
const PLACEHOLDER = '?';
/** Shorter numbers (`SELECT 1`, `LIMIT 20`) tell nothing of anybody, and statements read better with them. */
const MIN_DIGITS = 3;
/** Databases for which double quotes hold names; for the others they hold values. */
const NAMES_IN_DOUBLE_QUOTES =
  /postgres|^pg$|redshift|cockroach|sqlite|sql_?server|mssql|oracle|db2|snowflake|clickhouse|cassandra|trino|presto|firebird|duckdb|derby/;
const HASH_COMMENTS = /mysql|maria/;
const KEY_VALUE_STORES = /redis|valkey|memcache/;

/** Comments, quoted strings of all kinds, closed or not, and numbers that are not part of a name. */
const TOKENS = [
  String.raw`--[^\r\n]*`,
  String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
  String.raw`(?<!\w)n?q'`,
  String.raw`'[^'\\]*(?:(?:''|\\[^'])[^'\\]*)*'?`,
  String.raw`"[^"\\]*(?:(?:""|\\[^"])[^"\\]*)*"?`,
  '`[^`]*`?',
  String.raw`\$([a-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)`,
  String.raw`(?<![\w$@])\d[\w.]*`,
].join('|');
const TOKEN = new RegExp(TOKENS, 'gi');
const TOKEN_OR_HASH_COMMENT = new RegExp(String.raw`#[^\r\n]*|${TOKENS}`, 'gi');
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?(\s*:)?|(?<![\w$@])\d[\w.]*/gs;

const MIN_CACHED = 250;
const MAX_CACHED_LENGTH = 4000;

/** Services run the same statements again and again. */
const cache = new RecentMap<string, { readonly system: unknown; readonly result: string }>(MIN_CACHED);

/**
 * A statement to a database with `?` in place of the values that are written into it. It is parsed without assuming a dialect:
 * where dialects disagree on the end of a value, what follows is left out rather than guessed.
 *
 * @param system as in `db.system.name` or `db.system`
 */
export function obfuscateSql(statement: string, system: unknown): string {
  if (statement.length > MAX_CACHED_LENGTH) return replaceLiterals(statement, system);
  const cached = cache.get(statement);
  if (cached !== undefined && cached.system === system) return cached.result;
  const result = replaceLiterals(statement, system);
  cache.set(statement, { system, result });
  return result;
}

function replaceLiterals(statement: string, systemName: unknown): string {
  if (/^\s*[[{]/.test(statement)) return replaceInJson(statement);
  const system = typeof systemName === 'string' ? systemName.toLowerCase() : '';
  if (KEY_VALUE_STORES.test(system)) return replaceArguments(statement);
  const hasNamesInQuotes = NAMES_IN_DOUBLE_QUOTES.test(system);
  const tokens = statement.matchAll(HASH_COMMENTS.test(system) ? TOKEN_OR_HASH_COMMENT : TOKEN);
  let output = '';
  let copied = 0;
  for (const { 0: token, index } of tokens) {
    const end = index + token.length;
    const replacement = isAmbiguous(token, statement[end]) ? undefined : replace(token, hasNamesInQuotes);
    output += statement.slice(copied, index) + (replacement ?? PLACEHOLDER);
    if (replacement === undefined) return output;
    copied = end;
  }
  return copied === 0 ? statement : (output + statement.slice(copied)).trim();
}

function replace(token: string, hasNamesInQuotes: boolean): string {
  switch (token[0]) {
    case '`':
      return token;
    case '"':
      return hasNamesInQuotes && token.length > 1 && token.endsWith('"') ? token : PLACEHOLDER;
    case '-':
    case '/':
    case '#':
      return '';
    case "'":
    case '$':
      return PLACEHOLDER;
    default:
      return token.length < MIN_DIGITS ? token : PLACEHOLDER;
  }
}

/**
 * Whether dialects disagree on where the token ends: a string with a backslash before its closing quote, a line comment that
 * contains a quote, or Oracle's `q'…'`.
 */
function isAmbiguous(token: string, next: string | undefined): boolean {
  const [first] = token;
  if (first === "'" || first === '"') return next === '\\';
  if (first === '-' || first === '#') return /['"`$]/.test(token);
  return first === 'q' || first === 'Q' || first === 'n' || first === 'N';
}

function replaceInJson(statement: string): string {
  return statement.replace(JSON_TOKEN, (token: string, colon: string | undefined) => {
    if (colon !== undefined || (token[0] !== '"' && token.length < MIN_DIGITS)) return token;
    return token[0] === '"' ? `"${PLACEHOLDER}"` : PLACEHOLDER;
  });
}

/** What follows the command and its key; instrumentations put a name in brackets in its place. */
function replaceArguments(statement: string): string {
  const command = /^\s*(?:auth|hello)\b/i.test(statement) ? /^(\s*\S+)\s+[^\s[?].*$/s : /^(\s*\S+\s+\S+)\s+[^\s[?].*$/s;
  return statement.replace(command, `$1 ${PLACEHOLDER}`);
}
