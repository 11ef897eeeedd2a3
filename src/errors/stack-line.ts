import { dirname } from 'node:path';
import { decodePercents } from '../internal/values/strings.js';
import type { StackFrame } from '../model/event/exception.js';

const UNKNOWN_FUNCTION = '?';
/** It may have an alias: `Object.<anonymous> [as handler]`. */
const ANONYMOUS_METHOD = /\.<anonymous>(?=$| \[as )/;
const CALL = 'at ';
const ASYNC = 'async ';
const POSITION = /^(.*):(\d+):(\d*)$/s;
/** The location of the `eval` call, for code that has no file itself. */
const EVAL_ORIGIN = /\(([^()]+:\d+:\d+)\)/;
const SEPARATOR_LINE = /^-{4,}$/;
const WEBPACK_WRAPPER = 'error: ';
const DRIVE = /^[A-Za-z]:[\\/]/;
const URL_SCHEME = /^[A-Za-z][A-Za-z\d+.-]*:\/\//;
const IN_DEPENDENCY = /node_modules[\\/]/;
const SCRIPT_EXTENSION = /\.[cm]?js$/;

/**
 * Parses one line of a V8 stack into a frame.
 *
 * @returns `undefined` if the line is not a frame; a frame of native code has no `filename`
 * @see https://v8.dev/docs/stack-trace-api
 */
export function parseStackLine(line: string): StackFrame | undefined {
  const text = line.trim();
  if (SEPARATOR_LINE.test(text)) return frameOf(text);
  if (!text.startsWith(CALL) || text.includes('Error: ')) return undefined;
  const call = text.slice(text.startsWith(ASYNC, CALL.length) ? CALL.length + ASYNC.length : CALL.length);
  const nameEnd = call.endsWith(')') ? call.indexOf(' (') : -1;
  if (nameEnd < 0) return isLocation(call) ? parseLocation(call) : undefined;
  return parseLocation(call.slice(nameEnd + 2, -1), call.slice(0, nameEnd).trimEnd());
}

/** Without a function name, only a location counts as a frame: a line of prose may begin with "at", too. */
function isLocation(text: string): boolean {
  return text === 'native' || text === '<anonymous>' || text.startsWith('data:') || POSITION.test(text);
}

function parseLocation(text: string, name?: string): StackFrame {
  if (text.startsWith('data:')) return frameOf(`<${text.slice(0, text.indexOf(','))}>`, name);
  if (text === 'native') return frameOf(undefined, name);
  const location = unwrap(text);
  const position = POSITION.exec(location);
  if (position === null) return frameOf(pathOf(location), name);
  const [, file, line, column] = position;
  return frameOf(pathOf(file!), name, toPosition(line!), toPosition(column!));
}

function unwrap(location: string): string {
  if (location.startsWith(WEBPACK_WRAPPER)) return location.slice(WEBPACK_WRAPPER.length);
  if (location.startsWith('eval at ')) return EVAL_ORIGIN.exec(location)?.[1] ?? '<anonymous>';
  return location;
}

/** pnpm names the folder of a dependency after its URL: `git+https+++user+token@host`. */
const USER_INFO_IN_FOLDER = /(?<=\+\+\+)[^\\/@]{1,256}@/g;

function frameOf(path: string | undefined, name?: string, lineno?: number, colno?: number): StackFrame {
  const filename = path?.includes('+++') ? path.replace(USER_INFO_IN_FOLDER, '[filtered]@') : path;
  return {
    filename,
    module: filename !== undefined && lineno !== undefined ? moduleOf(filename) : undefined,
    function: functionOf(name),
    lineno,
    colno,
    in_app: filename !== undefined && isInApp(filename),
  };
}

function toPosition(digits: string): number | undefined {
  const number = Number.parseInt(digits, 10);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function functionOf(name: string | undefined): string {
  if (!name || name === '<anonymous>') return UNKNOWN_FUNCTION;
  const loader = name.indexOf('.Module.');
  const known = loader > 0 ? name.slice(loader + 1) : name;
  return known.replace(ANONYMOUS_METHOD, `.${UNKNOWN_FUNCTION}`);
}

/** Converts `file:` URLs to paths and leaves everything else unchanged. */
export function pathOf(location: string): string {
  if (!location.startsWith('file://')) return location;
  const path = decodePercents(location.slice('file://'.length));
  if (!path.startsWith('/')) return `//${path}`;
  return DRIVE.test(path.slice(1)) ? path.slice(1) : path;
}

function isInApp(filename: string): boolean {
  return !isInternal(filename) && !IN_DEPENDENCY.test(filename);
}

/** A name that is neither path nor URL is inside Node, for example `node:fs`. */
function isInternal(filename: string): boolean {
  return filename !== '' && !/^[/.]/.test(filename) && !DRIVE.test(filename) && !URL_SCHEME.test(filename);
}

/** The file as `folder.sub:name`, relative to the application's folder or its package; otherwise the name alone. */
function moduleOf(filename: string): string {
  const path = toSlashes(filename);
  const nameStart = path.lastIndexOf('/') + 1;
  const name = path.slice(nameStart).replace(SCRIPT_EXTENSION, '');
  const folder = folderInProject(path.slice(0, nameStart));
  return folder ? `${folder.slice(0, -1).replaceAll('/', '.')}:${name}` : name;
}

function folderInProject(folder: string): string {
  const dependency = folder.lastIndexOf('/node_modules/');
  if (dependency >= 0) return folder.slice(dependency + '/node_modules/'.length);
  applicationFolder ??= findApplicationFolder();
  return folder.startsWith(applicationFolder) ? folder.slice(applicationFolder.length) : '';
}

/** Computed at first use; ends with a slash. */
let applicationFolder: string | undefined;

function findApplicationFolder(): string {
  try {
    const script = process.argv[1];
    return `${toSlashes(script ? dirname(script) : process.cwd()).replace(/\/$/, '')}/`;
  } catch {
    return '/';
  }
}

function toSlashes(path: string): string {
  return path.includes('\\') ? path.replaceAll('\\', '/') : path;
}
