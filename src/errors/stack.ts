import { readString } from '../internal/read.js';
import { detach } from '../internal/text.js';
import type { StackFrame } from '../model/exception.js';
import { parseStackLine, pathOf } from './stack-line.js';

const MAX_FRAMES = 50;
const MAX_LINE_LENGTH = 1024;
/** A message of more lines hides the frames after it, unless it is known where it ends. */
const MAX_LINES = 10_000;
const MAX_CACHED_LINES = 2000;
/** Where in a stack its message may begin: after the name of the error. */
const MAX_NAME_LENGTH = 256;
const MAX_COMPARED_LENGTH = 256;

interface ParsedLine {
  readonly frame: StackFrame;
  /** Whether the frame is the SDK's own code. */
  readonly isSdk: boolean;
}

/** The same few lines come again with every error, so each is parsed once. */
const parsedLines = new Map<string, ParsedLine>();

/**
 * Turns the text of an error's stack into frames, outermost call first. Frames of the SDK that threw or captured are
 * left out, but for a stack of nothing else. The frames are the caller's to change.
 *
 * @param stack what the `stack` property holds
 * @param message the error's message, whose lines are no frames, whatever they look like
 * @returns 50 frames at most, those nearest to the throw; never throws
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

/** The stack of any thrown value, also of one that is frozen, of another realm, or whose getters throw. */
export function stackOf(error: unknown): string | undefined {
  return readString(error, 'stack');
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

/** Where the message ends; where that cannot be told, the end of the first line. */
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
 * Where the SDK's code is, and where its source is, which frames name when Node has source maps enabled. Unknown when
 * the SDK is bundled: its folder is the application's then.
 */
const SDK_FOLDERS = /\/errors\/stack\.[jt]s$/.test(import.meta.url)
  ? ['..', '../../src/'].map((folder) => pathOf(new URL(folder, import.meta.url).href))
  : [];

function isOfSdk({ filename }: StackFrame): boolean {
  return filename !== undefined && SDK_FOLDERS.some((folder) => filename.startsWith(folder));
}
