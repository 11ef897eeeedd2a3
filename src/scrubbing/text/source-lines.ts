import { maskCredentials, maskText } from '../credentials.js';
import type { SensitiveNames } from '../sensitive-names.js';

/**
 * A string literal, to its end or that of the line, and the name before it, which it is assigned to or compared with, or
 * whose default it is: `password: 'x'`, `'api-key': 'x'`, `token: string = 'x'`, `process.env.API_KEY ?? 'x'`.
 */
const LITERAL =
  /(?:(["'`]?)([\w$-]{1,64})\1(?:\s{0,4}:\s{0,4}\w{1,32})?\s{0,4}(?:[=!]={0,2}|:|\?\?=?|\|\|=?)\s{0,4})?("(?:\\(?:.|$)|[^"\\])*(?:"|$)|'(?:\\(?:.|$)|[^'\\])*(?:'|$)|`(?:\\(?:.|$)|[^`\\])*(?:`|$))/g;
/** Shorter ones are no credentials: `''`, `', '`. */
const MIN_SECRET_LENGTH = 4;
/** In a template. */
const EXPRESSION = /(\$\{[^}]*\})/;

/** Replaces credentials in a line of source code: by their looks anywhere, by their names in string literals only. */
export function maskSourceLine(line: string, names: SensitiveNames): string {
  return maskCredentials(line, names).replace(
    LITERAL,
    (found: string, _quote: string, name: string | undefined, literal: string) =>
      found.slice(0, -literal.length) + maskLiteral(literal, name, names),
  );
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
