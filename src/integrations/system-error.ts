import { getSystemErrorMap } from 'node:util';
import { copyOwn } from '../internal/guard.js';
import { isArray, readProperty, readString } from '../internal/read.js';
import type { Integration } from '../model/contracts.js';
import type { Event } from '../model/event.js';
import type { Exception } from '../model/exception.js';
import { isError } from '../model/thrown.js';

export interface SystemErrorOptions {
  /** Lets paths leave, also without `sendDefaultPii`. @default false */
  includePaths?: boolean;
}

/** Own fields of a system error that say where on the disk, or with which arguments. */
const PATH_FIELDS = ['path', 'dest'];
const PRIVATE_FIELDS = [...PATH_FIELDS, 'spawnargs'];
const UNMISTAKABLE_PATH = /[\\/]..|..[\\/]/;
const MAX_CAUSES = 10;

/**
 * Adds the fields of a failed system call (`errno`, `code`, `syscall`, …) as the context `node_system_error`. Paths
 * are taken out of it and of the exceptions' values, those of causes too, unless they may leave.
 */
export function systemErrorIntegration({ includePaths = false }: SystemErrorOptions = {}): Integration {
  return {
    name: 'NodeSystemError',
    processEvent(event, { originalException }, { settings }) {
      if (!isError(originalException)) return event;
      const keepsPaths = includePaths || settings.sendDefaultPii;
      if (!keepsPaths) removePaths(event, originalException);
      if (isSystemError(originalException)) {
        const context = fieldsOf(originalException, keepsPaths);
        event.contexts = { ...event.contexts, node_system_error: { ...context, ...event.contexts?.node_system_error } };
      }
      return event;
    },
  };
}

function isSystemError(error: unknown): boolean {
  const errno = readProperty(error, 'errno');
  return typeof errno === 'number' && isError(error) && getSystemErrorMap().has(errno);
}

function fieldsOf(error: Error, keepsPaths: boolean): Record<string, unknown> {
  const fields = copyOwn(error);
  if (keepsPaths) return fields;
  for (const field of PRIVATE_FIELDS) delete fields[field];
  // `syscall` of a program that could not be started is its name, too.
  const paths = pathsOf(error);
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'string') fields[field] = paths.reduce(withoutPath, value);
  }
  return fields;
}

function removePaths(event: Event, error: Error): void {
  const paths = [...systemErrorsOf(error)].flatMap(pathsOf);
  const values = event.exception?.values;
  if (paths.length === 0 || !isArray(values)) return;
  event.exception = { ...event.exception, values: values.map((one) => withoutPaths(one, paths)) };
}

function pathsOf(error: unknown): string[] {
  return PATH_FIELDS.map((field) => readString(error, field) ?? '').filter((path) => path !== '');
}

function* systemErrorsOf(error: unknown): Generator<unknown> {
  let current = error;
  for (let i = 0; i < MAX_CAUSES && isError(current); i++) {
    if (isSystemError(current)) yield current;
    current = readProperty(current, 'cause');
  }
}

function withoutPaths(exception: Exception, paths: readonly string[]): Exception {
  if (typeof exception.value !== 'string') return exception;
  return { ...exception, value: paths.reduce(withoutPath, exception.value) };
}

/** Node quotes the paths of files, but not those of sockets and programs. A mere name may be part of other words. */
function withoutPath(text: string, path: string): string {
  const rest = ` ${text.replaceAll(` '${path}'`, '')} `.replaceAll(` ${path} `, ' ').trim();
  return UNMISTAKABLE_PATH.test(path) ? rest.replaceAll(path, '') : rest;
}
