import { detach } from '../internal/values/strings.js';
import type { StackFrame } from '../model/event/exception.js';
import { parseStackLine, pathOf } from './stack-line.js';

const MAX_FRAMES = 50;
const MAX_LINE_LENGTH = 1024;
/** A longer message hides the frames after it, unless its end is known. */
const MAX_LINES = 10_000;
const MAX_CACHED_LINES = 2000;
/** How far into the stack the message may begin, after the error's name. */
const MAX_NAME_LENGTH = 256;
const MAX_COMPARED_LENGTH = 256;

/** Code between the application's functions that says nothing about them: the SDK's own, and OTel's. */
type Wrapper = 'sdk' | 'otel';

/** The function between a wrapper and its callback that carries the context. */
const CONTEXT_STORE = 'AsyncLocalStorage.run';

interface ParsedLine {
  readonly frame: StackFrame;
  readonly wrapper: Wrapper | undefined;
}

/** The same few lines recur in every error, so each is parsed once. */
const parsedLines = new Map<string, ParsedLine>();

/**
 * Parses an error's stack into frames, outermost call first. Frames of the SDK are omitted, and frames of OTel that are
 * not the place of the error, unless nothing but Node's own frames would be left. The caller may mutate the frames.
 *
 * @param stack value of the `stack` property
 * @param message the error's message, whose lines are never parsed as frames
 * @returns at most 50 frames, those nearest to the throw; never throws
 */
export function parseStack(stack: string | undefined, message?: string): StackFrame[] {
  if (!stack) return [];
  const all: StackFrame[] = [];
  const kept: StackFrame[] = [];
  let isOnTop = true;
  let isInWrapper = false;
  let end = endOfHeader(stack, message);
  for (let lines = 0; end < stack.length && lines < MAX_LINES && kept.length < MAX_FRAMES; lines++) {
    const start = end + 1;
    end = endOfLine(stack, start);
    const parsed = parseOnce(stack.slice(start, Math.min(end, start + MAX_LINE_LENGTH)));
    if (parsed === undefined) continue;
    const frame = { ...parsed.frame };
    isInWrapper = isPartOfWrapper(parsed, isOnTop, isInWrapper);
    isOnTop &&= parsed.wrapper !== undefined;
    if (!isInWrapper) kept.push(frame);
    // Between a wrapper and its callback, such as that of `continueTrace`, it belongs to the wrapper.
    else if (kept.length > 1 && kept.at(-1)!.function === CONTEXT_STORE) kept.pop();
    if (all.length < MAX_FRAMES) all.push(frame);
  }
  return toOldestFirst(kept.some(isOutsideOfNode) ? kept : all);
}

/**
 * @param isOnTop whether no other code is nearer to the throw
 * @param wasInWrapper the same of the frame before, which this one has called
 */
function isPartOfWrapper({ frame, wrapper }: ParsedLine, isOnTop: boolean, wasInWrapper: boolean): boolean {
  if (wrapper === 'otel') return !isOnTop;
  return wrapper === 'sdk' || (wasInWrapper && frame.function === CONTEXT_STORE);
}

/** Files of Node, and what stands in place of a file: `Promise.all (index 0)`, `new Promise (<anonymous>)`. */
const OF_NODE = /^(?:node:|index \d|<anonymous>$|-+$)/;

function isOutsideOfNode({ filename }: StackFrame): boolean {
  return filename !== undefined && !OF_NODE.test(filename);
}

function toOldestFirst(frames: StackFrame[]): StackFrame[] {
  const thrower = frames[0]?.filename;
  for (const frame of frames) frame.filename ??= thrower;
  return frames.reverse();
}

function endOfLine(stack: string, start: number): number {
  const end = stack.indexOf('\n', start);
  return end < 0 ? stack.length : end;
}

/** Index where the message ends; the end of the first line if unknown. */
function endOfHeader(stack: string, message: string | undefined): number {
  if (message) {
    const beginning = message.slice(0, MAX_COMPARED_LENGTH);
    const start = stack.slice(0, MAX_NAME_LENGTH + MAX_COMPARED_LENGTH).indexOf(beginning);
    const end = start + message.length;
    if (start >= 0 && (end === stack.length || stack[end] === '\n')) return end;
  }
  return endOfLine(stack, 0);
}

function parseOnce(slice: string): ParsedLine | undefined {
  const known = parsedLines.get(slice);
  if (known !== undefined) return known;
  const line = detach(slice);
  const frame = parseStackLine(line);
  if (frame === undefined) return undefined;
  const parsed: ParsedLine = { frame, wrapper: wrapperOf(frame) };
  if (parsedLines.size >= MAX_CACHED_LINES) parsedLines.clear();
  parsedLines.set(line, parsed);
  return parsed;
}

/** The built file that contains this code, or this file itself, and the folder of the SDK's code from there. */
const OWN_FILES: readonly (readonly [name: RegExp, folder: string])[] = [
  [/\/faultline-core\.cjs$/, '.'],
  [/\/errors\/stack\.ts$/, '..'],
];

/** Ends in a slash. `undefined` when the SDK is bundled, because its folder is the application's then. */
const SDK_FOLDER = findSdkFolder(import.meta.url);

function findSdkFolder(ownUrl: string | undefined): string | undefined {
  if (ownUrl === undefined) return undefined;
  const folder = OWN_FILES.find(([name]) => name.test(ownUrl))?.[1];
  return folder && pathOf(new URL(`${folder}/`, ownUrl).href);
}

/** OTel's API, context managers and instrumentations. */
const IN_OTEL = /node_modules[\\/]@opentelemetry[\\/]/;

function wrapperOf({ filename }: StackFrame): Wrapper | undefined {
  if (filename === undefined) return undefined;
  if (SDK_FOLDER !== undefined && filename.startsWith(SDK_FOLDER)) return 'sdk';
  return IN_OTEL.test(filename) ? 'otel' : undefined;
}
