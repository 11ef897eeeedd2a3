import { isSystemError, PRIVATE_FIELDS, pathsOf, withLinkedErrors, withoutPaths } from '../errors/private-paths.js';
import { guard } from '../internal/guard.js';
import { readOptions } from '../internal/options/read-options.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { isError } from '../internal/values/is-error.js';
import { Normalizer } from '../internal/values/normalize.js';
import { isObject, readProperty, readString } from '../internal/values/read.js';
import { setOwn } from '../internal/values/set-own.js';
import { MAX_STRING_LENGTH, truncate } from '../internal/values/strings.js';
import type { Integration } from '../model/contracts.js';
import { CONTEXT_DEPTH, type Context } from '../model/event/event.js';
import type { Settings } from '../model/options.js';
import { maskText } from '../scrubbing/credentials.js';
import { maskMembers } from '../scrubbing/mask-json.js';
import { credentialNames } from '../scrubbing/sensitive-names.js';

/** Options of {@link extraErrorDataIntegration}. */
export interface ExtraErrorDataOptions {
  /** Levels of nesting kept, whatever `normalizeDepth` says. @default 3 */
  depth?: number | undefined;
  /** Adds the error's `cause`. @default true */
  captureErrorCause?: boolean | undefined;
  /** Adds what the error's `toJSON` returns. @default true */
  includeToJSON?: boolean | undefined;
}

/** Standard properties of errors, some of them in other engines only; and `toJSON`, which is called instead. */
const NATIVE_KEYS = new Set('name message stack line column fileName lineNumber columnNumber cause toJSON'.split(' '));
const MAX_DEPTH = 10;
const MAX_KEYS = 100;
const MAX_NAME_LENGTH = 256;
/** Levels below the last one that may say what a value is: `{ path: ['password'], received: 'x' }`. */
const DEPTH_OF_NAMES = 2;

/**
 * Adds an error's custom properties (`error.orderId = …`) to its event, as a context named after the error. Credentials
 * are filtered; without `sendDefaultPii`, paths and commands of system errors are filtered too.
 */
export function extraErrorDataIntegration(options?: ExtraErrorDataOptions): Integration {
  const { captureErrorCause, includeToJSON, ...wanted } = readOptions('extraErrorDataIntegration', options, {
    depth: 3,
    captureErrorCause: true,
    includeToJSON: true,
  });
  const depth = Math.max(1, Math.min(Math.floor(wanted.depth) || 1, MAX_DEPTH));
  return {
    name: 'ExtraErrorData',
    processEvent(event, { originalException: error }, { settings }) {
      if (event.type !== undefined || !isError(error)) return event;
      const data = [
        ...dataOf(error, includeToJSON, settings),
        ...(captureErrorCause ? causeOf(error, includeToJSON, settings) : []),
      ];
      const name = maskText(nameOf(error), credentialNames(settings.scrubbing));
      // Events are found by their trace; an error named `trace` must not overwrite it.
      if (data.length === 0 || name === 'trace') return event;
      const present = event.contexts?.[name];
      const context = { ...toContext(data, depth, settings, privatePathsOf(error, settings)), ...present };
      Object.defineProperty(context, CONTEXT_DEPTH, { value: depth });
      event.contexts = { ...event.contexts, [name]: context };
      return event;
    },
  };
}

type Entry = readonly [key: string, value: unknown];

/** Own properties of an error, and what its `toJSON` returns, which wins. */
function dataOf(error: object, includeToJSON: boolean, settings: Settings): Entry[] {
  const isPrivate = (key: string) =>
    !settings.sendDefaultPii && isSystemOrCommandError(error) && PRIVATE_FIELDS.includes(key);
  const own = ownEntriesOf(error).filter(([key]) => !NATIVE_KEYS.has(key));
  return [...own, ...(includeToJSON ? jsonOf(error) : [])].filter(([key]) => !isPrivate(key));
}

/** Whether an error comes from a system call, or from a command that has failed. */
function isSystemOrCommandError(error: object): boolean {
  return typeof readProperty(error, 'errno') === 'number' || readString(error, 'cmd') !== undefined;
}

/** The data of a cause below its name; of an error without data, its message. */
function causeOf(error: object, includeToJSON: boolean, settings: Settings): Entry[] {
  const cause = readProperty(error, 'cause');
  if (cause === undefined) return [];
  if (!isError(cause)) return [['cause', cause]];
  const data = dataOf(cause, includeToJSON, settings);
  return [['cause', data.length > 0 ? { [nameOf(cause)]: Object.fromEntries(data) } : summarizeError(cause, settings)]];
}

function jsonOf(error: object): Entry[] {
  if (typeof readProperty(error, 'toJSON') !== 'function') return [];
  const json = guard('toJSON of an error', () => (error as { toJSON(): unknown }).toJSON());
  return isObject(json) ? ownEntriesOf(json) : [];
}

function ownEntriesOf(source: object): Entry[] {
  return Object.entries(copyOwn(source)).slice(0, MAX_KEYS);
}

/** What the system-error integration removes must not come back under another name. */
function privatePathsOf(error: Error, { sendDefaultPii }: Settings): string[] {
  return sendDefaultPii ? [] : withLinkedErrors(error).filter(isSystemError).flatMap(pathsOf);
}

function toContext(data: readonly Entry[], depth: number, settings: Settings, paths: readonly string[]): Context {
  const describeError = (error: Error) => summarizeError(error, settings);
  const normalizer = new Normalizer({ maxBreadth: MAX_KEYS, describeError });
  const context: Context = {};
  for (const [key, value] of data) {
    const normalized = withoutPaths(normalizer.normalize(value, depth - 1 + DEPTH_OF_NAMES), paths);
    setOwn(context, key, normalized);
  }
  const masked = maskMembers(context, credentialNames(settings.scrubbing));
  return new Normalizer({ maxBreadth: MAX_KEYS }).normalize(masked, depth) as Context;
}

function summarizeError(error: Error, { sendDefaultPii }: Settings): string {
  const message = readString(error, 'message') ?? '';
  // Messages of system errors contain paths and commands.
  if (!sendDefaultPii && isSystemOrCommandError(error)) return `${nameOf(error)}: ${readString(error, 'code') ?? ''}`;
  return `${nameOf(error)}: ${truncate(message, MAX_STRING_LENGTH)}`;
}

function nameOf(error: Error): string {
  const name = readString(error, 'name') || readString(readProperty(error, 'constructor'), 'name') || 'Error';
  return name.slice(0, MAX_NAME_LENGTH);
}
