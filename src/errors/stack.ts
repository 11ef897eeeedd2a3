import { detach } from '../internal/strings.js';
import type { StackFrame } from '../model/exception.js';
import { parseStackLine, pathOf } from './stack-line.js';

const MAX_FRAMES = 50;
const MAX_LINE_LENGTH = 1024;
/** A longer message hides the frames after it, unless its end is known. */
const MAX_LINES = 10_000;
const MAX_CACHED_LINES = 2000;
/** How far into the stack the message may begin, after the error's name. */
const MAX_NAME_LENGTH = 256;
const MAX_COMPARED_LENGTH = 256;

interface ParsedLine {
  readonly frame: StackFrame;
  /** Whether the frame is the SDK's own code. */
  readonly isSdk: boolean;
}

/** The same few lines recur in every error, so each is parsed once. */
const parsedLines = new Map<string, ParsedLine>();

/**
 * Parses an error's stack into frames, outermost call first. The SDK's own frames are omitted, unless there are no
 * others. The caller may mutate the frames.
 *
 * @param stack value of the `stack` property
 * @param message the error's message, whose lines are never parsed as frames
 * @returns at most 50 frames, those nearest to the throw; never throws
 */
export function parseStack(stack: string | undefined, message?: string): StackFrame[] {
  if (!stack) return [];
  const frames: StackFrame[] = [];
  const ofSdk: StackFrame[] = [];
  let end = endOfHeader(stack, message);
  for (let lines = 0; end < stack.length && lines < MAX_LINES && frames.length < MAX_FRAMES; lines++) {
    const start = end + 1;
    end = endOfLine(stack, start);
    const parsed = parseOnce(stack.slice(start, Math.min(end, start + MAX_LINE_LENGTH)));
    if (parsed === undefined) continue;
    const isOnTop = frames.length === 0 && parsed.isSdk && ofSdk.length < MAX_FRAMES;
    (isOnTop ? ofSdk : frames).push({ ...parsed.frame });
  }
  return toOldestFirst(frames.length > 0 ? frames : ofSdk);
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

function parseOnce(line: string): ParsedLine | undefined {
  return parsedLines.get(line) ?? parseAndRemember(line);
}

function parseAndRemember(slice: string): ParsedLine | undefined {
  const line = detach(slice);
  const frame = parseStackLine(line);
  if (frame === undefined) return undefined;
  const parsed: ParsedLine = { frame, isSdk: isOfSdk(frame) };
  if (parsedLines.size >= MAX_CACHED_LINES) parsedLines.clear();
  parsedLines.set(line, parsed);
  return parsed;
}

/**
 * Folders of the SDK's code and of its source, which frames name when Node has source maps enabled. Empty when the SDK
 * is bundled, because its folder is the application's then.
 */
const SDK_FOLDERS = /\/errors\/stack\.[jt]s$/.test(import.meta.url)
  ? ['..', '../../src/'].map((folder) => pathOf(new URL(folder, import.meta.url).href))
  : [];

function isOfSdk({ filename }: StackFrame): boolean {
  return filename !== undefined && SDK_FOLDERS.some((folder) => filename.startsWith(folder));
}
