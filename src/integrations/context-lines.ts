import { isAbsolute } from 'node:path';
import { types } from 'node:util';
import { BoundedMap } from '../internal/bounded-map.js';
import { settlesWithin } from '../internal/deadline.js';
import { isError } from '../internal/is-error.js';
import { isInstance } from '../internal/read.js';
import { readLines } from '../internal/read-lines.js';
import { readOptions } from '../internal/read-options.js';
import { detach } from '../internal/text.js';
import type { Integration } from '../model/contracts.js';
import type { Exception, StackFrame } from '../model/exception.js';
import { maskCredentials } from '../scrubbing/credentials.js';
import { SourceFiles } from './source-files.js';

/** Options of {@link contextLinesIntegration}. */
export interface ContextLinesOptions {
  /** Source lines before and after that of a frame, 0 to 50. @default 7 */
  frameContextLines?: number | undefined;
}

const MAX_CONTEXT_LINES = 50;
const MAX_LINE_NUMBER = 10_000;
const MAX_COLUMN = 1000;
/** Code that nobody reads. */
const MINIFIED = /\.min\.[cm]?js$/;
const MAX_CACHED_FILES = 50;
const MAX_CACHED_PLACES_PER_FILE = 100;
const MAX_FAILED_FILES = 100;
/** After this an event goes without. */
const READ_TIMEOUT_MILLIS = 2000;
/** Long lines are cut to a window around the column. */
const WINDOW_LENGTH = 140;
const LENGTH_BEFORE_COLUMN = 60;
const SNIP = '{snip}';

/** The source around one place, as it was when it was first needed. */
interface SourceContext {
  readonly before: readonly string[];
  /** Absent when the file is not that long: it is not the one that ran. */
  readonly line: string | undefined;
  readonly after: readonly string[];
}

/** Where to look: a frame that has a file and a line in it. */
type Location = StackFrame & { readonly filename: string; readonly lineno: number };

/**
 * Adds the source lines around each frame of an exception, read from the code that the process has loaded (see
 * `source-files.ts`). A place is read once and remembered; an event whose places are all known does not wait.
 */
export function contextLinesIntegration(options?: ContextLinesOptions): Integration {
  const { frameContextLines = 7 } = readOptions(options, { frameContextLines: 'number' });
  const lineCount = Math.min(Math.floor(frameContextLines), MAX_CONTEXT_LINES);
  if (!(lineCount >= 0)) return { name: 'ContextLines' };
  const sources = new Sources(lineCount);
  return {
    name: 'ContextLines',
    enrichEvent(event, { originalException }) {
      const { exception } = event;
      if (!exception?.values || isPretendedError(originalException)) return undefined;
      const missing: Location[] = [];
      const enriched = exception.values.map((one) => withContext(one, sources, missing));
      if (missing.length === 0) {
        event.exception = { ...exception, values: enriched };
        return undefined;
      }
      return sources.load(missing).then(() => {
        event.exception = { ...exception, values: exception.values?.map((one) => withContext(one, sources)) };
      });
    },
  };
}

/** Whether an object that is no error was captured: what it calls its stack was never one. */
function isPretendedError(value: unknown): boolean {
  return isError(value) && !types.isNativeError(value) && !isInstance(value, Error);
}

function hasSource(frame: StackFrame): frame is Location {
  const { filename, lineno, colno = 0, context_line } = frame;
  if (context_line !== undefined || filename === undefined || lineno === undefined) return false;
  const isInReach = lineno <= MAX_LINE_NUMBER && colno <= MAX_COLUMN;
  return isInReach && isAbsolute(filename) && !MINIFIED.test(filename);
}

/**
 * A copy with the source lines that are known; the frames may be somebody else's.
 *
 * @param missing gets the places that are still to be read
 */
function withContext(exception: Exception, sources: Sources, missing?: Location[]): Exception {
  const frames = exception.stacktrace?.frames;
  if (!frames) return exception;
  const enriched = frames.map((frame) => {
    if (!hasSource(frame)) return frame;
    const context = sources.get(frame);
    if (context === undefined && !sources.isUnreadable(frame)) missing?.push(frame);
    if (context?.line === undefined) return frame;
    return { ...frame, pre_context: [...context.before], context_line: context.line, post_context: [...context.after] };
  });
  return { ...exception, stacktrace: { ...exception.stacktrace, frames: enriched } };
}

/** The places read so far. */
class Sources {
  readonly #lineCount: number;
  readonly #files = new SourceFiles();
  /** By file, then by place in it: looked up for every frame, without making a key. */
  readonly #contexts = new BoundedMap<string, Map<number, SourceContext>>(MAX_CACHED_FILES);
  readonly #failedFiles = new BoundedMap<string, true>(MAX_FAILED_FILES);
  /** The last read of each file that is under way; the next one waits for it, and may find that it was enough. */
  readonly #reads = new Map<string, Promise<void>>();

  constructor(lineCount: number) {
    this.#lineCount = lineCount;
  }

  get(location: Location): SourceContext | undefined {
    return this.#contexts.get(location.filename)?.get(placeOf(location));
  }

  /** Whether the file of a place could not be read, and is not to be tried again. */
  isUnreadable({ filename }: Location): boolean {
    return this.#failedFiles.get(filename) !== undefined;
  }

  /** Reads what is missing, one file after the other. Never rejects; a file that fails is not tried again. */
  async load(locations: readonly Location[]): Promise<void> {
    for (const file of new Set(locations.map(({ filename }) => filename))) {
      const inFile = locations.filter(({ filename }) => filename === file);
      const read = (this.#reads.get(file) ?? Promise.resolve()).then(() => this.#read(file, inFile));
      this.#reads.set(file, read);
      if (!(await settlesWithin(read, READ_TIMEOUT_MILLIS))) this.#failedFiles.set(file, true);
      if (this.#reads.get(file) === read) this.#reads.delete(file);
    }
  }

  async #read(file: string, locations: readonly Location[]): Promise<void> {
    const missing = locations.filter((one) => !this.isUnreadable(one) && this.get(one) === undefined);
    if (missing.length === 0) return;
    try {
      const path = await this.#files.resolve(file);
      if (path === undefined) throw new TypeError('not a file that the process has loaded as code');
      const lines = await readLines(path, new Set(missing.flatMap(({ lineno }) => this.#numbersAround(lineno))));
      const contexts = this.#contexts.get(file) ?? new Map<number, SourceContext>();
      this.#contexts.set(file, contexts);
      if (contexts.size + missing.length > MAX_CACHED_PLACES_PER_FILE) contexts.clear();
      for (const location of missing) contexts.set(placeOf(location), this.#contextOf(location, lines));
    } catch {
      this.#failedFiles.set(file, true);
    }
  }

  #numbersAround(lineno: number): number[] {
    const first = Math.max(lineno - this.#lineCount, 1);
    return Array.from({ length: lineno + this.#lineCount - first + 1 }, (_, index) => first + index);
  }

  #contextOf({ lineno, colno = 0 }: Location, lines: ReadonlyMap<number, string>): SourceContext {
    const textsOf = (numbers: number[]): string[] =>
      numbers.flatMap((number) => {
        const line = lines.get(number);
        return line === undefined ? [] : [detach(maskCredentials(snip(line, number === lineno ? colno : 0)))];
      });
    const around = this.#numbersAround(lineno);
    return {
      before: textsOf(around.filter((number) => number < lineno)),
      line: textsOf([lineno])[0],
      after: textsOf(around.filter((number) => number > lineno)),
    };
  }
}

/** Line and column as one number; the column is at most `MAX_COLUMN`. */
function placeOf({ lineno, colno = 0 }: Location): number {
  return lineno * (MAX_COLUMN + 1) + colno;
}

function snip(line: string, column: number): string {
  if (line.length <= WINDOW_LENGTH) return line;
  const start = Math.min(Math.max(column - LENGTH_BEFORE_COLUMN, 0), line.length - WINDOW_LENGTH);
  const end = start + WINDOW_LENGTH;
  return `${start > 0 ? `${SNIP} ` : ''}${line.slice(start, end)}${end < line.length ? ` ${SNIP}` : ''}`;
}
