import { isAbsolute } from 'node:path';
import { types } from 'node:util';
import { monotonicMillis } from '../../internal/clock.js';
import { RecentMap } from '../../internal/collections/recent-map.js';
import { settlesWithin } from '../../internal/deadline.js';
import { readLines, readLinesSync } from '../../internal/node/read-lines.js';
import { readOptions } from '../../internal/options/read-options.js';
import { isError } from '../../internal/values/is-error.js';
import { isInstance } from '../../internal/values/read.js';
import { detach } from '../../internal/values/strings.js';
import type { Client, Integration } from '../../model/contracts.js';
import type { Event } from '../../model/event/event.js';
import { mapFrames, type StackFrame } from '../../model/event/exception.js';
import { share } from '../../model/event/shared-parts.js';
import type { EventHint } from '../../model/hint.js';
import { credentialNames, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { maskSourceLine, maskSourceLines } from '../../scrubbing/text/source-lines.js';
import { SourceFiles } from './source-files.js';

/** Options of {@link contextLinesIntegration}. */
export interface ContextLinesOptions {
  /** Source lines before and after a frame's line, 0 to 50. @default 7 */
  frameContextLines?: number | undefined;
}

const MAX_CONTEXT_LINES = 50;
/** In a bundle, the application comes last: after 16,000 lines of this SDK alone. */
const MAX_LINE_NUMBER = 100_000;
const MAX_COLUMN = 1000;
/** Minified code, which nobody reads. */
const MINIFIED = /\.min\.[cm]?js$/;
const MIN_CACHED_FILES = 50;
const MAX_CACHED_PLACES_PER_FILE = 100;
const MIN_FAILED_FILES = 100;
/** After this time an event is sent without the source lines that are still missing. */
const READ_TIMEOUT_MILLIS = 2000;
/** Longer lines are cut to a window around the column. */
const WINDOW_LENGTH = 140;
const LENGTH_BEFORE_COLUMN = 60;
const SNIP = '{snip}';

/** The source lines around one position, as of the first read. */
interface SourceContext {
  /** The frame of the first event that has them, for later ones. */
  frame: StackFrame | undefined;
  readonly before: readonly string[];
  /** Absent if the file is shorter: it is not the file that ran. */
  readonly line: string | undefined;
  readonly after: readonly string[];
}

/** `pre_context`, `context_line` and `post_context`. */
const LINE_MEMBERS = 3;

/** A frame with a file and line to read. */
type Location = StackFrame & { readonly filename: string; readonly lineno: number };

/**
 * Adds the source lines around each frame of an exception, read from code that the process has loaded (see
 * `source-files.ts`). Each position is read once and cached; an event whose positions are all cached does not wait.
 */
export function contextLinesIntegration(options?: ContextLinesOptions): Integration {
  const { frameContextLines } = readOptions('contextLinesIntegration', options, { frameContextLines: 7 });
  const lineCount = Math.min(Math.floor(frameContextLines), MAX_CONTEXT_LINES);
  if (!(lineCount >= 0)) return { name: 'ContextLines' };
  let sources: Sources | undefined;
  /** The cache; `undefined` for an event that has no stack to add lines to. */
  const sourcesFor = (event: Event, { originalException }: EventHint, { settings }: Client) => {
    if (!event.exception?.values || isPretendedError(originalException)) return undefined;
    sources ??= new Sources(lineCount, credentialNames(settings.scrubbing));
    return sources;
  };
  return {
    name: 'ContextLines',
    enrichEvent(event, hint, client) {
      const known = sourcesFor(event, hint, client);
      if (!known) return undefined;
      const missing = addLines(event, known);
      if (missing.length === 0) return undefined;
      return known.load(missing).then(() => {
        addLines(event, known);
      });
    },
    enrichEventSync(event, hint, client) {
      const known = sourcesFor(event, hint, client);
      if (!known) return;
      const missing = addLines(event, known);
      if (missing.length === 0) return;
      known.loadSync(missing);
      addLines(event, known);
    },
  };
}

/** Whether a captured object only looks like an error: its `stack` is not a real stack. */
function isPretendedError(value: unknown): boolean {
  return isError(value) && !types.isNativeError(value) && !isInstance(value, Error);
}

function hasSource(frame: StackFrame): frame is Location {
  const { filename, lineno, colno = 0, context_line } = frame;
  if (context_line !== undefined || filename === undefined || lineno === undefined) return false;
  const isInReach = lineno <= MAX_LINE_NUMBER && colno <= MAX_COLUMN;
  return isInReach && isAbsolute(filename) && !MINIFIED.test(filename);
}

/** Adds the source lines that are known. @returns the positions that still have to be read */
function addLines(event: Event, sources: Sources): Location[] {
  const missing: Location[] = [];
  const enrich = (frame: StackFrame): StackFrame => {
    if (!hasSource(frame)) return frame;
    const context = sources.get(frame);
    if (context === undefined && !sources.isUnreadable(frame)) missing.push(frame);
    return context?.line === undefined ? frame : withLines(frame, context);
  };
  // Copies, because stacks may be shared.
  const values = event.exception?.values?.map((one) => mapFrames(one, (frames) => frames.map(enrich)));
  event.exception = { ...event.exception, values };
  return missing;
}

/** Returns one shared frame for all events that contain the same call. */
function withLines(frame: StackFrame, context: SourceContext): StackFrame {
  if (context.frame && isSameCall(frame, context.frame)) return context.frame;
  const { before, line, after } = context;
  context.frame = share({ ...frame, pre_context: [...before], context_line: line, post_context: [...after] });
  return context.frame;
}

/** @param known a frame with source lines */
function isSameCall(frame: StackFrame, known: StackFrame): boolean {
  let members = LINE_MEMBERS;
  for (const member in frame) {
    if (frame[member as keyof StackFrame] !== known[member as keyof StackFrame]) return false;
    members += 1;
  }
  return members === Object.keys(known).length;
}

/** Cache of positions. */
class Sources {
  readonly #lineCount: number;
  readonly #names: SensitiveNames;
  readonly #files = new SourceFiles();
  /** By file, then by position, so that a lookup per frame builds no key. */
  readonly #contexts = new RecentMap<string, Map<number, SourceContext>>(MIN_CACHED_FILES);
  readonly #failedFiles = new RecentMap<string, true>(MIN_FAILED_FILES);
  /** The last pending read per file; the next one waits for it, which may make it unnecessary. */
  readonly #reads = new Map<string, Promise<void>>();
  /** Calls of `load` that have not ended, by their positions: in a burst of errors from one place, all wait for the first. */
  readonly #loads = new Map<string, Promise<void>>();

  constructor(lineCount: number, names: SensitiveNames) {
    this.#lineCount = lineCount;
    this.#names = names;
  }

  get(location: Location): SourceContext | undefined {
    return this.#contexts.get(location.filename)?.get(placeOf(location));
  }

  /** Whether the file could not be read; it is not tried again. */
  isUnreadable({ filename }: Location): boolean {
    return this.#failedFiles.get(filename) !== undefined;
  }

  /** Reads missing positions. Never rejects; a file that fails is not tried again. */
  load(locations: readonly Location[]): Promise<void> {
    const positions = locations.map(({ filename, lineno, colno }) => `${filename}:${lineno}:${colno}`).join('\n');
    let load = this.#loads.get(positions);
    if (load === undefined) {
      load = this.#load(locations).finally(() => this.#loads.delete(positions));
      this.#loads.set(positions, load);
    }
    return load;
  }

  /** One file after the other, while there is time. */
  async #load(locations: readonly Location[]): Promise<void> {
    const endMillis = monotonicMillis() + READ_TIMEOUT_MILLIS;
    for (const file of new Set(locations.map(({ filename }) => filename))) {
      const inFile = locations.filter(({ filename }) => filename === file);
      const read = (this.#reads.get(file) ?? Promise.resolve()).then(() => this.#read(file, inFile));
      this.#reads.set(file, read);
      const isInTime = await settlesWithin(read, endMillis - monotonicMillis());
      if (this.#reads.get(file) === read) this.#reads.delete(file);
      if (isInTime) continue;
      this.#failedFiles.set(file, true);
      return;
    }
  }

  /** The same without waiting, for the end of the process. */
  loadSync(locations: readonly Location[]): void {
    for (const file of new Set(locations.map(({ filename }) => filename))) {
      const missing = locations.filter(({ filename }) => filename === file);
      try {
        const path = this.#files.resolveSync(file);
        if (path !== undefined) this.#remember(file, missing, readLinesSync(path, this.#numbersFor(missing)));
      } catch {
        this.#failedFiles.set(file, true);
      }
    }
  }

  async #read(file: string, locations: readonly Location[]): Promise<void> {
    const missing = locations.filter((one) => !this.isUnreadable(one) && this.get(one) === undefined);
    if (missing.length === 0) return;
    try {
      const path = await this.#files.resolve(file);
      if (path === undefined) throw new TypeError('not a file that the process has loaded as code');
      this.#remember(file, missing, await readLines(path, this.#numbersFor(missing)));
    } catch {
      this.#failedFiles.set(file, true);
    }
  }

  #remember(file: string, locations: readonly Location[], lines: ReadonlyMap<number, string>): void {
    const contexts = this.#contexts.get(file) ?? new Map<number, SourceContext>();
    this.#contexts.set(file, contexts);
    if (contexts.size + locations.length > MAX_CACHED_PLACES_PER_FILE) contexts.clear();
    const maskedLines = maskSourceLines(lines, this.#names);
    for (const location of locations) contexts.set(placeOf(location), this.#contextOf(location, lines, maskedLines));
  }

  #numbersFor(locations: readonly Location[]): Set<number> {
    return new Set(locations.flatMap(({ lineno }) => this.#numbersAround(lineno)));
  }

  #numbersAround(lineno: number): number[] {
    const first = Math.max(lineno - this.#lineCount, 1);
    return Array.from({ length: lineno + this.#lineCount - first + 1 }, (_, index) => first + index);
  }

  /**
   * @param maskedLines the lines as they may be sent. Masked before they are cut, because a truncated credential is not
   * recognized
   */
  #contextOf(
    { lineno, colno = 0 }: Location,
    lines: ReadonlyMap<number, string>,
    maskedLines: ReadonlyMap<number, string>,
  ): SourceContext {
    const show = (masked: string, number: number): string => {
      if (masked.length <= WINDOW_LENGTH) return masked;
      const before = number === lineno ? lines.get(number)!.slice(0, colno) : '';
      return snip(masked, maskSourceLine(before, this.#names).length);
    };
    const textsOf = (numbers: number[]): string[] =>
      numbers.flatMap((number) => {
        const masked = maskedLines.get(number);
        return masked === undefined ? [] : [detach(show(masked, number))];
      });
    const around = this.#numbersAround(lineno);
    return {
      frame: undefined,
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
  const start = Math.min(Math.max(column - LENGTH_BEFORE_COLUMN, 0), line.length - WINDOW_LENGTH);
  const end = start + WINDOW_LENGTH;
  return `${start > 0 ? `${SNIP} ` : ''}${line.slice(start, end)}${end < line.length ? ` ${SNIP}` : ''}`;
}
