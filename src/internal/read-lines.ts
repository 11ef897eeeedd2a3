import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_LINE_LENGTH = 1200;

/**
 * Reads some lines of a text file, and stops after the last of them.
 *
 * @param numbers numbers of the lines, from 1
 * @returns the lines that exist, by number, without line ends and cut to 1200 characters
 * @throws when the file is not a regular one (a pipe might never end) or cannot be read
 */
export async function readLines(path: string, numbers: ReadonlySet<number>): Promise<Map<number, string>> {
  if (!(await stat(path)).isFile()) throw new TypeError('not a regular file');
  const last = Math.max(...numbers);
  const lines = new Map<number, string>();
  let number = 1;
  let line = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', end: MAX_BYTES }) as AsyncIterable<string>) {
    for (let start = 0; number <= last; ) {
      const lineEnd = chunk.indexOf('\n', start);
      const end = lineEnd < 0 ? chunk.length : lineEnd;
      if (numbers.has(number)) line += chunk.slice(start, Math.min(end, start + MAX_LINE_LENGTH - line.length));
      if (lineEnd < 0) break;
      if (numbers.has(number)) lines.set(number, withoutCarriageReturn(line));
      line = '';
      number++;
      start = lineEnd + 1;
    }
    if (number > last) return lines;
  }
  if (line !== '') lines.set(number, withoutCarriageReturn(line));
  return lines;
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
