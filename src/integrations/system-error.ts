import {
  isSystemError,
  PRIVATE_FIELDS,
  pathsOf,
  withLinkedErrors,
  withoutPath,
  withoutPaths,
} from '../errors/private-paths.js';
import { readOptions } from '../internal/options/read-options.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { isError } from '../internal/values/is-error.js';
import { Normalizer } from '../internal/values/normalize.js';
import { readString } from '../internal/values/read.js';
import type { Integration } from '../model/contracts.js';
import type { Event } from '../model/event/event.js';
import type { Settings } from '../model/options.js';
import { maskText } from '../scrubbing/credentials.js';
import { maskMembers } from '../scrubbing/mask-json.js';
import { credentialNames, type SensitiveNames } from '../scrubbing/sensitive-names.js';

/** Options of {@link systemErrorIntegration}. */
export interface SystemErrorOptions {
  /** Sends paths even without `sendDefaultPii`. @default false */
  includePaths?: boolean | undefined;
}

/** Message prefix of errors from `exec` and similar functions. The whole command follows, then the program's stderr. */
const COMMAND_FAILED = 'Command failed: ';
/** Levels of an error's members, when normalization is turned off. */
const DEFAULT_DEPTH = 3;
/** Shorter arguments are not replaced: they may be part of other words. */
const MIN_ARGUMENT_LENGTH = 4;

/**
 * Adds the fields of a failed system call (`errno`, `code`, `syscall`, …) as the context `node_system_error`. Removes
 * paths and program arguments from it and from the values of the exception and its causes, unless they may be sent.
 */
export function systemErrorIntegration(options?: SystemErrorOptions): Integration {
  const { includePaths } = readOptions('systemErrorIntegration', options, { includePaths: false });
  return {
    name: 'NodeSystemError',
    processEvent(event, { originalException }, { settings }) {
      if (!isError(originalException)) return event;
      const keepsPaths = includePaths || settings.sendDefaultPii;
      if (!keepsPaths) removePrivate(event, originalException, credentialNames(settings.scrubbing));
      if (isSystemError(originalException)) {
        const context = fieldsOf(originalException, keepsPaths, settings);
        event.contexts = { ...event.contexts, node_system_error: { ...context, ...event.contexts?.node_system_error } };
      }
      return event;
    },
  };
}

function fieldsOf(error: Error, keepsPaths: boolean, settings: Settings): Record<string, unknown> {
  const { normalizeDepth, normalizeMaxBreadth: maxBreadth, scrubbing } = settings;
  // Libraries add their own data to errors of system calls, such as the headers of a request.
  const normalized = new Normalizer({ maxBreadth }).normalize(copyOwn(error), normalizeDepth || DEFAULT_DEPTH);
  const fields = maskMembers(normalized as Record<string, unknown>, credentialNames(scrubbing));
  if (keepsPaths) return fields;
  for (const field of PRIVATE_FIELDS) delete fields[field];
  // If a program could not be started, `syscall` contains its name, too.
  return withoutPaths(fields, pathsOf(error)) as Record<string, unknown>;
}

/** Removes the program arguments and paths of an error and of those that it links to. */
function removePrivate(event: Event, error: Error, names: SensitiveNames): void {
  const linked = withLinkedErrors(error);
  const commands = linked.flatMap((one) => commandOf(one) ?? []);
  const paths = linked.filter(isSystemError).flatMap(pathsOf);
  const values = event.exception?.values;
  if (!values || (commands.length === 0 && paths.length === 0)) return;
  const edit = (text: string): string => {
    const edited = commands.reduce((rest, command) => withoutArguments(rest, command, names), text);
    return paths.reduce(withoutPath, edited);
  };
  event.exception = {
    ...event.exception,
    values: values.map((one) => (one.value === undefined ? one : { ...one, value: edit(one.value) })),
  };
}

function commandOf(error: Error): string | undefined {
  const message = readString(error, 'message');
  if (!message?.startsWith(COMMAND_FAILED)) return undefined;
  return readString(error, 'cmd') ?? message.slice(COMMAND_FAILED.length).split('\n', 1)[0]!;
}

/** Keeps the program's name; programs repeat their arguments in error messages. */
function withoutArguments(text: string, original: string, names: SensitiveNames): string {
  const begin = text.indexOf(COMMAND_FAILED);
  if (begin < 0) return text;
  // By now the message is scrubbed.
  const masked = maskText(original, names);
  const command = text.startsWith(COMMAND_FAILED + masked, begin) ? masked : original;
  const afterCommand = begin + COMMAND_FAILED.length + command.length;
  const [program = '', ...words] = command.split(/[\s='"]+/);
  const telling = words.filter((word) => word.length >= MIN_ARGUMENT_LENGTH);
  const output = text.startsWith(COMMAND_FAILED + command, begin) ? text.slice(afterCommand) : '';
  const kept = telling.reduce((rest, word) => rest.replaceAll(word, ''), output);
  return text.slice(0, begin) + COMMAND_FAILED + program + kept;
}
