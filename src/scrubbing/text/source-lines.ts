import { maskCredentials, maskText } from '../credentials.js';
import type { SensitiveNames } from '../sensitive-names.js';
import { maskCalls } from './calls.js';

const QUOTE = '["\'`]';
/** `password: `, `'api-key': `, `token: string = `, `process.env.API_KEY ?? `: what is assigned to, compared with or has a default. */
const ASSIGNED = String.raw`(?<quote>${QUOTE}?)(?<assigned>[\w$-]{1,64})\k<quote>\]?(?:\s{0,4}:\s{0,4}\w{1,32})?\s{0,4}(?:[=!]={0,2}|:|\?\?=?|\|\|=?)\s{0,4}`;
/** `setHeader('X-Api-Key', `, `fill('#password', ` */
const NAMED = String.raw`\b(?:set\w{0,16}|append|header|fill|type)\(\s{0,4}(?<mark>${QUOTE})[#.]?(?<named>[\w.-]{1,64})\k<mark>\s{0,4},\s{0,4}`;
/** `setPassword(` */
const SET = String.raw`\bset(?<set>[A-Z]\w{1,64})\(\s{0,4}`;
/** A string literal, to its end or that of the line, and what says in front of it what it is. */
const LITERAL = new RegExp(
  String.raw`(?:${NAMED}|${SET}|${ASSIGNED})?(?<literal>"(?:\\(?:.|$)|[^"\\])*(?:"|$)|'(?:\\(?:.|$)|[^'\\])*(?:'|$)|${'`'}(?:\\(?:.|$)|[^${'`'}\\])*(?:${'`'}|$))`,
  'g',
);
/** To the end of its line. */
const COMMENT = /(?<=^|\s)(?:\/\/|#)\s.*/g;
/** Shorter ones are no credentials: `''`, `', '`. */
const MIN_SECRET_LENGTH = 4;
/** In a template. */
const EXPRESSION = /(\$\{[^}]*\})/;

/** Replaces credentials in a line of source code: by their looks anywhere, by their names in string literals and comments. */
export function maskSourceLine(line: string, names: SensitiveNames): string {
  const masked = maskCalls(maskCredentials(line, names)).replace(LITERAL, (found: string, ...rest: unknown[]) => {
    const { literal = '', assigned, set, named } = rest.at(-1) as Partial<Record<string, string>>;
    return found.slice(0, -literal.length) + maskLiteral(literal, assigned ?? set ?? named, names);
  });
  return masked.replace(COMMENT, (comment) => maskText(comment, names));
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
