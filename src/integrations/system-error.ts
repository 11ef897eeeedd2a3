import { getSystemErrorMap } from 'node:util';
import { copyOwn } from '../internal/guard.js';
import { isError } from '../internal/is-error.js';
import { readProperty, readString } from '../internal/read.js';
import { readOptions } from '../internal/read-options.js';
import type { Integration } from '../model/contracts.js';
import type { Event } from '../model/event.js';
import type { Exception } from '../model/exception.js';
import { maskCredentials } from '../scrubbing/credentials.js';

/** Options of {@link systemErrorIntegration}. */
export interface SystemErrorOptions {
  /** Lets paths leave, also without `sendDefaultPii`. @default false */
  includePaths?: boolean | undefined;
}

/** Own fields of a system error that say where on the disk, or with which arguments. */
const PATH_FIELDS = ['path', 'dest'];
const PRIVATE_FIELDS = [...PATH_FIELDS, 'spawnargs', 'cmd'];
/** How errors of `exec` and its like begin: with the whole command, and what the program wrote to stderr after it. */
const COMMAND_FAILED = 'Command failed: ';
/** Shorter arguments may be part of other words. */
const MIN_ARGUMENT_LENGTH = 4;
const UNMISTAKABLE_PATH = /[\\/]..|..[\\/]/;
const MAX_CAUSES = 10;

/**
 * Adds the fields of a failed system call (`errno`, `code`, `syscall`, …) as the context `node_system_error`. Paths
 * and the arguments of programs are taken out of it and of the exceptions' values, those of causes too, unless they may
 * leave.
 */
export function systemErrorIntegration(options?: SystemErrorOptions): Integration {
  const { includePaths = false } = readOptions(options, { includePaths: 'boolean' });
  return {
    name: 'NodeSystemError',
    processEvent(event, { originalException }, { settings }) {
      if (!isError(originalException)) return event;
      const keepsPaths = includePaths || settings.sendDefaultPii;
      if (!keepsPaths) removePrivate(event, originalException);
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

type Edit = (text: string) => string;

function removePrivate(event: Event, error: Error): void {
  const edits = editsFor(error);
  const values = event.exception?.values;
  if (edits.length === 0 || !values) return;
  event.exception = { ...event.exception, values: values.map((one) => editValue(one, edits)) };
}

/** What there is to take out because of an error and its causes. */
function editsFor(error: unknown): Edit[] {
  const edits: Edit[] = [];
  let current = error;
  for (let i = 0; i < MAX_CAUSES && isError(current); i++) {
    const command = commandOf(current);
    if (command !== undefined) edits.push((text) => withoutArguments(text, command));
    for (const path of isSystemError(current) ? pathsOf(current) : []) edits.push((text) => withoutPath(text, path));
    current = readProperty(current, 'cause');
  }
  return edits;
}

function pathsOf(error: Error): string[] {
  return PATH_FIELDS.map((field) => readString(error, field) ?? '').filter((path) => path !== '');
}

function commandOf(error: Error): string | undefined {
  const message = readString(error, 'message');
  if (!message?.startsWith(COMMAND_FAILED)) return undefined;
  // As it is in the event by now.
  return maskCredentials(readString(error, 'cmd') ?? message.slice(COMMAND_FAILED.length).split('\n', 1)[0]!);
}

function editValue(exception: Exception, edits: readonly Edit[]): Exception {
  if (exception.value === undefined) return exception;
  return { ...exception, value: edits.reduce((value, edit) => edit(value), exception.value) };
}

/** Leaves the name of the program; programs repeat their arguments when they complain. */
function withoutArguments(text: string, command: string): string {
  const begin = text.indexOf(COMMAND_FAILED);
  if (begin < 0) return text;
  const afterCommand = begin + COMMAND_FAILED.length + command.length;
  const [program = '', ...words] = command.split(/[\s='"]+/);
  const telling = words.filter((word) => word.length >= MIN_ARGUMENT_LENGTH);
  const output = text.startsWith(COMMAND_FAILED + command, begin) ? text.slice(afterCommand) : '';
  const kept = telling.reduce((rest, word) => rest.replaceAll(word, ''), output);
  return text.slice(0, begin) + COMMAND_FAILED + program + kept;
}

/** Node quotes the paths of files, but not those of sockets and programs. A mere name may be part of other words. */
function withoutPath(text: string, path: string): string {
  const rest = ` ${text.replaceAll(` '${path}'`, '')} `.replaceAll(` ${path} `, ' ').trim();
  return UNMISTAKABLE_PATH.test(path) ? rest.replaceAll(path, '') : rest;
}
