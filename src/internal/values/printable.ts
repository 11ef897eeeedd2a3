import { limitLength } from './strings.js';

/** Control and formatting characters (terminal escapes, bidirectional overrides), and white space of any kind. */
const UNPRINTABLE = /[\p{C}\p{Z}]+/gu;

/** Makes one printable line of a string that somebody else wrote, for example a server, and cuts it. */
export function toPrintable(value: string, maxLength: number): string {
  const line = limitLength(value, maxLength * 4)
    .replace(UNPRINTABLE, ' ')
    .trim();
  return line.length > maxLength ? `${limitLength(line, maxLength - 1)}…` : line;
}
