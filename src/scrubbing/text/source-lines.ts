import { maskCredentials, maskText } from '../credentials.js';
import { isTokenList } from '../secret-members.js';
import { FILTERED, type SensitiveNames } from '../sensitive-names.js';
import { maskCalls } from './calls.js';
import { maskPrintedArguments } from './command-arguments.js';
import { maskUnexplainedLine } from './unexplained-words.js';

const QUOTE = '["\'`]';
/**
 * `password: `, `'api-key': `, `token: string = `, `process.env.API_KEY ?? `: what is assigned to, compared with or has a default; also in a list
 * or as bytes: `secrets: [`, `key: Buffer.from(`; and one of two values: `password = isLocal ? `.
 */
const ASSIGNED = String.raw`(?<quote>${QUOTE}?)(?<assigned>[\w$\xc0-\uffff-]{1,64})\k<quote>\]?(?:\s{0,4}:\s{0,4}\w{1,32})?\s{0,4}(?:[=!]={0,2}|\+=|:|\?\?=?|\|\|=?)\s{0,4}(?:(?<list>\[)\s{0,4}|(?:Buffer\.from|String)\(\s{0,4})?(?:[\w$.!() ]{1,64}\?\s{0,4}(?:[\w$.]{1,64}\s{0,4}:\s{0,4})?)?`;
/** `setHeader('X-Api-Key', `, `fill('#password', ` */
const NAMED = String.raw`\b(?:set\w{0,16}|append|header|fill|type)\(\s{0,4}(?<mark>${QUOTE})[#.]?(?<named>[\w.-]{1,64})\k<mark>\s{0,4},\s{0,4}`;
/** `expect(password).toBe(`, `assert.equal(password, ` */
const EXPECTED = String.raw`(?:\bexpect\(\s{0,4}(?:[\w$]{1,32}[.!?]{1,3}){0,4}(?<expected>[\w$]{1,64})\s{0,4}\)(?:\.\w{1,16}){0,3}?\.(?:to(?:Be|Equal|StrictEqual)|equals?|eql?)\(|\bassert[\w.]{0,32}\(\s{0,4}(?:[\w$]{1,32}[.!?]{1,3}){0,4}(?<asserted>[\w$]{1,64})\s{0,4},)\s{0,4}`;
/** `setPassword(`, `withToken(` */
const SET = String.raw`\b(?:set|with)(?<set>[A-Z]\w{1,64})(?:\?\.)?\(\s{0,4}`;
/** A string literal, to its end or that of the line, and the code before it that says what it is. */
const LITERAL = new RegExp(
  String.raw`(?:${NAMED}|${EXPECTED}|${SET}|${ASSIGNED})?(?<literal>"(?:\\(?:.|$)|[^"\\])*(?:"|$)|'(?:\\(?:.|$)|[^'\\])*(?:'|$)|${'`'}(?:\\(?:.|$)|[^${'`'}\\])*(?:${'`'}|$))`,
  'g',
);
/** `const pin = 4711`, `otp === 553201` */
const NUMBER =
  /(\b(?:\w{0,32}[_$])?(?:pin|otp|totp|passcode|cvv2?|cvc2?)\b(?:\s{0,3}:\s{0,3}number)?\s{0,3}(?:[=!]={0,2}|:)\s{0,3})\d{3,8}(?![\w.])/gi;
/** To the end of its line. */
const COMMENT = /(?<=^|\s)(?:\/\/|#|\/\*{1,2})\s.*|^\s*\*\s.*/g;
const COMMA = /^\s{0,4},\s{0,4}$/;
/** From a literal with the name of a field to what is put in: `get('#password').type('x')`. */
const TYPED = /^\)(?:\.\w{1,16}){0,2}\.(?:type|fill|sendKeys|setValue)\(\s{0,4}$/;
const NAME_IN_LITERAL = /^[#.-]{0,2}(?:\w{0,16}\[name=)?["']?([\w.-]{1,64})["']?\]?$/;
/** Shorter ones are not credentials: `''`, `', '`. */
const MIN_SECRET_LENGTH = 4;
/** In a template. */
const EXPRESSION = /(\$\{[^}]*\})/;

/** Of a key in PEM, which has lines of 64 characters: a line of a template, or a string in a list or a sum. */
const KEY_LINE =
  /^[\s"'`+[]{0,64}(?=(?:[A-Za-z/]{0,32}[\d+]){4})(?=[A-Za-z\d+/]{0,64}[a-z])(?=[A-Za-z\d+/]{0,64}[A-Z])[A-Za-z\d+/]{60,}={0,2}(?:\\[nr])*["'`+,;)\]\s]*$/;
/** The last line of a key is shorter. */
const KEY_END = /^[\s"'`+[]{0,64}(?=[A-Za-z/]*[\d+=])(?:[A-Za-z\d+/=]{4}){1,16}(?:\\[nr])*["'`+,;)\]\s]*$/;
/** What the literal at the beginning of the next line is for. */
const UNFINISHED = /[\w"'`\])!] ?(?:[=!]={0,2}|[:(,?]|\?\?|\|\|)\s{0,8}$/;
const FIRST_LITERAL = /^\s*(["'`])(?:\\.|(?!\1)[^\\])*\1?/;
const MAX_LOOK_BACK = 200;

/**
 * Replaces credentials in lines of source code. Keys take several lines, and formatters put a long literal on a line of its own,
 * below what it is assigned to.
 *
 * @param lines by number, in their order; numbers may be missing
 * @returns as many lines, by number
 */
export function maskSourceLines(lines: ReadonlyMap<number, string>, names: SensitiveNames): Map<number, string> {
  const masked = new Map<number, string>();
  let isInKey = false;
  for (const [number, line] of lines) {
    const before = lines.get(number - 1);
    isInKey = KEY_LINE.test(line) || (isInKey && before !== undefined && KEY_END.test(line));
    if (isInKey) masked.set(number, FILTERED);
    else masked.set(number, before === undefined ? maskSourceLine(line, names) : maskAfter(before, line, names));
  }
  return masked;
}

function maskAfter(before: string, line: string, names: SensitiveNames): string {
  const masked = maskUnexplainedLine(maskSourceLine(line, names), before, names, true);
  const literal = FIRST_LITERAL.exec(masked);
  if (!literal || !UNFINISHED.test(before)) return masked;
  const beginning = before.trim().slice(-MAX_LOOK_BACK);
  if (!names.areCredentialsMentionedIn(beginning)) return masked;
  const isSecret =
    maskSourceLine(beginning + literal[0].trim(), names) !== maskSourceLine(beginning, names) + literal[0].trim();
  if (!isSecret) return masked;
  const [indented, quote = ''] = literal;
  return indented.slice(0, indented.indexOf(quote)) + quote + FILTERED + quote + masked.slice(indented.length);
}

/** Replaces credentials in a line of source code: by their looks anywhere, by their names in string literals and comments. */
export function maskSourceLine(line: string, names: SensitiveNames): string {
  const masked = maskLiterals(maskPrintedArguments(maskCalls(maskCredentials(line, names))), names);
  const commented = masked.replace(COMMENT, (comment) => maskText(comment, names));
  return maskUnexplainedLine(commented, '', names, true).replace(NUMBER, `$1${FILTERED}`);
}

function maskLiterals(line: string, names: SensitiveNames): string {
  let masked = '';
  let end = 0;
  /** Name of the list that the literals are in, if it has one. */
  let list: string | undefined;
  let previous = '';
  for (const { 0: found, index, groups = {} } of line.matchAll(LITERAL)) {
    const { literal = '', assigned, set, named, expected, asserted } = groups;
    const between = line.slice(end, index);
    if (groups.list) list = assigned;
    else if (!COMMA.test(between)) list = undefined;
    const name = set ?? named ?? (list === undefined ? assigned : undefined);
    const isValue = list !== undefined ? isElement(literal, list) : mayBeValue(literal);
    const beside = isValue ? (list ?? expected ?? asserted ?? nameBeside(previous, between, literal)) : undefined;
    const isToken = list !== undefined && isTokenList(list, [literal.slice(1, -1)]);
    const value = isToken ? literal[0] + FILTERED + literal[0] : maskLiteral(literal, name ?? beside, names);
    masked += between + found.slice(0, -literal.length) + value;
    end = index + found.length;
    previous = literal.slice(1, -1);
  }
  return masked + line.slice(end);
}

/** Lists have names of other things, too: `secrets: ['db']`. */
function isElement(literal: string, list: string): boolean {
  return mayBeValue(literal) && (/\d/.test(literal) || /passw/i.test(list));
}

/** Not a sentence. */
function mayBeValue(literal: string): boolean {
  return !/\s/.test(literal);
}

/** The name in the literal before, if this is its value. After a comma it may be a name as well, which has no digits. */
function nameBeside(previous: string, between: string, literal: string): string | undefined {
  const isPair = COMMA.test(between) ? /\d/.test(literal) : TYPED.test(between);
  return isPair ? NAME_IN_LITERAL.exec(previous)?.[1] : undefined;
}

function maskLiteral(literal: string, name: string | undefined, names: SensitiveNames): string {
  const quote = literal[0]!;
  const isClosed = literal.length > 1 && literal.endsWith(quote);
  const content = literal.slice(1, isClosed ? -1 : undefined);
  const isTemplate = quote === '`' && EXPRESSION.test(content);
  const masked = isTemplate
    ? content
        .split(EXPRESSION)
        .map((part, index) => (index % 2 === 0 ? maskText(part, names) : part))
        .join('')
    : maskContent(content, name, names);
  return quote + masked + (isClosed ? quote : '');
}

function maskContent(content: string, name: string | undefined, names: SensitiveNames): string {
  const isValue = name !== undefined && content.length >= MIN_SECRET_LENGTH;
  const prefix = isValue ? `${name}="` : '"';
  const masked = maskText(`${prefix}${content}"`, names);
  return masked.slice(prefix.length, masked.endsWith('"') ? -1 : undefined);
}
