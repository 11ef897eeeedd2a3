/** Control characters (terminal escapes), invisible ones (bidirectional overrides), and separators of lines. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const NAMES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '  ' };

/** Makes characters visible that a terminal or a browser would obey: an escape becomes `\u{1b}`. */
export function makeInert(value: string): string {
  return value.replace(
    UNPRINTABLE,
    (character) => NAMES[character] ?? `\\u{${character.codePointAt(0)?.toString(16) ?? '?'}}`,
  );
}

/** One inert line of at most `maxLength` characters. */
export function toLine(value: string, maxLength: number): string {
  const isLonger = value.length > maxLength;
  const line = makeInert(isLonger ? value.slice(0, maxLength) : value);
  return isLonger || line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}
