import { getSystemErrorMap } from 'node:util';
import { isError } from '../internal/values/is-error.js';
import { isArray, isObject, readList, readProperty, readString } from '../internal/values/read.js';
import { setOwn } from '../internal/values/set-own.js';
import { isNonEmptyString } from '../internal/values/strings.js';

/** Own fields of a system error that contain a path. */
const PATH_FIELDS = ['path', 'dest', 'filename'];
/** Own fields of a system error that contain a path or program arguments. */
export const PRIVATE_FIELDS: readonly string[] = [...PATH_FIELDS, 'spawnargs', 'cmd'];
const UNMISTAKABLE_PATH = /[\\/]..|..[\\/]/;
/** Of a socket: a file, or a pipe of Windows. */
const SOCKET_PATH = /^(?:\/|\\\\)/;
const MAX_LINKED = 20;

/** Whether an error comes from a system call. */
export function isSystemError(error: unknown): error is Error {
  const errno = readProperty(error, 'errno');
  return typeof errno === 'number' && isError(error) && getSystemErrorMap().has(errno);
}

/** The paths that a system error names. */
export function pathsOf(error: object): string[] {
  const address = readString(error, 'address') ?? '';
  const paths = PATH_FIELDS.map((field) => readString(error, field));
  return (SOCKET_PATH.test(address) ? [...paths, address] : paths).filter(isNonEmptyString);
}

/** An error, its causes, and the members of aggregate errors. */
export function withLinkedErrors(error: unknown): readonly Error[] {
  const found: Error[] = [];
  const open: unknown[] = [error];
  while (open.length > 0 && found.length < MAX_LINKED) {
    const one = open.shift();
    if (!isError(one) || found.includes(one)) continue;
    found.push(one);
    open.push(readProperty(one, 'cause'), ...readList(readProperty(one, 'errors'), MAX_LINKED));
  }
  return found;
}

/** Node quotes paths of files, but not those of sockets and programs. A bare name may be part of other words. */
export function withoutPath(text: string, path: string): string {
  const rest = ` ${text.replaceAll(` '${path}'`, '')} `.replaceAll(` ${path} `, ' ').trim();
  return UNMISTAKABLE_PATH.test(path) ? rest.replaceAll(path, '') : rest;
}

/** The same in all strings of JSON of limited depth. */
export function withoutPaths(value: unknown, paths: readonly string[]): unknown {
  if (typeof value === 'string') return paths.reduce(withoutPath, value);
  if (paths.length === 0 || !isObject(value)) return value;
  if (isArray(value)) return value.map((one) => withoutPaths(one, paths));
  const copy = {};
  for (const [key, member] of Object.entries(value)) setOwn(copy, key, withoutPaths(member, paths));
  return copy;
}
