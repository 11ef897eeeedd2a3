import { createReadStream, readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

const MAX_BYTES = 20 * 1024 * 1024;
/** Read at once, because nothing can be awaited. */
const MAX_BYTES_SYNC = 1024 * 1024;
const MAX_LINE_LENGTH = 1200;

/**
 * Reads some lines of a text file, and stops after the last of them.
 *
 * @param numbers numbers of the lines, from 1
 * @returns the lines that exist, by number, without line ends and cut to 1200 characters
 * @throws when the file is not a regular one (a pipe might never end) or cannot be read
 */
export async function readLines(path: string, numbers: ReadonlySet<number>): Promise<Map<number, string>> {
  if (!(await stat(path)).isFile()) throw new TypeError(NOT_A_FILE);
  const selection = new LineSelection(numbers);
  for await (const chunk of createReadStream(path, { encoding: 'utf8', end: MAX_BYTES }) as AsyncIterable<string>) {
    selection.add(chunk);
    if (selection.isComplete) break;
  }
  return selection.end();
}

/**
 * The same without waiting, for the end of the process.
 *
 * @throws also when the file is larger than 1 MiB
 */
export function readLinesSync(path: string, numbers: ReadonlySet<number>): Map<number, string> {
  const stats = statSync(path);
  if (!stats.isFile()) throw new TypeError(NOT_A_FILE);
  if (stats.size > MAX_BYTES_SYNC) throw new RangeError('too large to be read at the end of the process');
  const selection = new LineSelection(numbers);
  selection.add(readFileSync(path, 'utf8'));
  return selection.end();
}

const NOT_A_FILE = 'not a regular file';

/** Picks lines out of a text that comes in chunks. */
class LineSelection {
  readonly #numbers: ReadonlySet<number>;
  readonly #last: number;
  readonly #lines = new Map<number, string>();
  #number = 1;
  #line = '';

  constructor(numbers: ReadonlySet<number>) {
    this.#numbers = numbers;
    this.#last = Math.max(...numbers);
  }

  get isComplete(): boolean {
    return this.#number > this.#last;
  }

  add(chunk: string): void {
    for (let start = 0; !this.isComplete; ) {
      const lineEnd = chunk.indexOf('\n', start);
      const end = lineEnd < 0 ? chunk.length : lineEnd;
      const isWanted = this.#numbers.has(this.#number);
      if (isWanted) this.#line += chunk.slice(start, Math.min(end, start + MAX_LINE_LENGTH - this.#line.length));
      if (lineEnd < 0) return;
      if (isWanted) this.#finishLine();
      this.#line = '';
      this.#number++;
      start = lineEnd + 1;
    }
  }

  end(): Map<number, string> {
    if (this.#line !== '') this.#finishLine();
    return this.#lines;
  }

  #finishLine(): void {
    this.#lines.set(this.#number, this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line);
  }
}
