/**
 * Strings as they are printed, also those in which quotes are escaped, regular expressions, and brackets. An apostrophe within
 * a word begins no string, and none goes on in another line.
 */
const TOKEN =
  /(?<![\w\\])(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`|(\\{1,7}["'])(?:(?!\1).)*\1)|(?<=[:,[] )\/(?:[^/\\\n]|\\.)+\/|[[\]{}]/g;

/**
 * Where the bracket at an index is closed: after the closing one, or at the end of the text. Brackets in strings do not count.
 */
export function endOfBrackets(text: string, begin: number): number {
  TOKEN.lastIndex = begin;
  let depth = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    if (/^[[{]$/.test(found[0])) depth++;
    else if (/^[\]}]$/.test(found[0]) && --depth === 0) return TOKEN.lastIndex;
  }
  return text.length;
}
