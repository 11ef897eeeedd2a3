/** Quoted strings. One without a closing quote extends to the end of the text. */
const QUOTED = /"[^"\\]*(?:\\.[^"\\]*)*"?|'[^'\\]*(?:\\.[^'\\]*)*'?|`[^`\\]*(?:\\.[^`\\]*)*`?/gs;

/** Changes what stands in quotes with escapes, such as a printed string that holds JSON. */
export function replaceEscaped(text: string, replace: (content: string) => string): string {
  if (!text.includes('\\')) return text;
  return text.replace(QUOTED, (token) => {
    if (!token.includes('\\')) return token;
    const content = unquote(token);
    const replaced = replace(content);
    return replaced === content ? token : JSON.stringify(replaced);
  });
}

/** What stands in quotes, without them and without escapes. Other strings stay as they are. */
export function unquote(token: string): string {
  if (!/^["'`]/.test(token)) return token;
  const isClosed = token.length > 1 && token.endsWith(token[0]!);
  return token
    .slice(1, isClosed ? -1 : undefined)
    .replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|(.))/gis, (_, unicode?: string, hex?: string, char = '') => {
      const code = unicode ?? hex;
      return code === undefined ? (CONTROLS[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16));
    });
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' };
